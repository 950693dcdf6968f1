public import ODataModel

extension ScalarForm {
    /// Appends the text of a value as it stands in JSON strings and numbers, and without quotes in URL literals.
    ///
    /// The exact text, where there is one, is what is written. A null appends nothing, as does a scalar of another form.
    public func write(
        _ scalar: Scalar,
        exact: String? = nil,
        in model: EdmModel,
        style: ScalarStyle = .v4,
        into output: inout [UInt8]
    ) {
        if let exact {
            return writeExact(Array(exact.utf8).span, style: style, into: &output)
        }
        switch scalar {
        case .null: break
        case .integer(let value):
            if case .enumeration(let id) = self {
                EnumerationText.append(value, type: model[id], to: &output)
            } else {
                writeInteger(value, style: style, into: &output)
            }
        case .real(let value): writeReal(value, into: &output)
        case .text(let value): writeText(Array(value.utf8).span, into: &output)
        case .blob(let value): writeBlob(value.span, style: style, into: &output)
        }
    }

    /// Appends the text of a value kept as an integer; enumerations as numbers.
    package func writeInteger(
        _ value: Int64,
        style: ScalarStyle,
        into output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        switch self {
        case .boolean: output.append(short: value == 0 ? "false" : "true")
        case .scaledDecimal(let scale): ScaledDecimalText.append(value, scale: scale, to: &output)
        case .date: CalendarDate(dayNumber: value).append(to: &output)
        case .timeOfDay: Self.writeTimeOfDay(value, style: style, into: &output)
        case .duration: DurationText.append(value, to: &output)
        case .dateTimeOffset: Self.writeInstant(value, offset: 0, style: style, into: &output)
        default: IntegerText.append(value, to: &output)
        }
    }

    /// Appends the text of a value kept as a floating-point number.
    func writeReal(
        _ value: Double,
        into output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        var scratch = ""
        if self == .single {
            RealText.appendSingle(value, to: &output, scratch: &scratch)
        } else {
            RealText.append(value, to: &output, scratch: &scratch)
        }
    }

    /// Appends the text of a value kept as text.
    func writeText(_ value: Span<UInt8>, into output: inout [UInt8]) {
        if self == .decimalText {
            DecimalText.append(encoded: value, to: &output)
        } else {
            output.append(bytes: value)
        }
    }

    /// Appends the text of a value kept as bytes.
    package func writeBlob(_ value: Span<UInt8>, style: ScalarStyle, into output: inout [UInt8]) {
        if self == .guid {
            GuidText.append(value, to: &output)
        } else {
            BinaryText.encode(value, alphabet: style == .v4 ? .url : .standard, into: &output)
        }
    }

    /// Appends an exact text; an instant that was written in the style of another version is written in this one.
    package func writeExact(_ exact: Span<UInt8>, style: ScalarStyle, into output: inout [UInt8]) {
        let first = exact.count > 0 ? exact[0] : 0
        let wantsOld = style != .v4
        if self == .dateTimeOffset, (first == UInt8(ascii: "/")) != wantsOld,
            let instant = DateTimeText.parse(exact)
        {
            Self.writeInstant(instant.ticks, offset: instant.offset, style: style, into: &output)
        } else if self == .timeOfDay, (first | 0x20 == UInt8(ascii: "p")) != wantsOld,
            let time = Self.timeOfDay(exact)
        {
            Self.writeTimeOfDay(time.ticks, style: style, into: &output)
        } else {
            output.append(bytes: exact)
        }
    }

    private static func writeTimeOfDay(
        _ ticks: Int64,
        style: ScalarStyle,
        into output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        if style == .v4 {
            ClockTime.append(ticks, to: &output)
        } else {
            DurationText.append(ticks, to: &output)
        }
    }

    private static func writeInstant(
        _ ticks: Int64,
        offset: Int64,
        style: ScalarStyle,
        into output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        switch style {
        case .v4: DateTimeText.append(ticks, offset: offset, to: &output)
        case .v2: DateTimeText.appendVerbose(ticks, offset: offset, to: &output)
        case .v2DateTime: DateTimeText.appendVerbose(ticks, offset: nil, to: &output)
        }
    }
}
