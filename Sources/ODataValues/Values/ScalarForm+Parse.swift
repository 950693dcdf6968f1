import ODataText
public import ODataModel

extension ScalarForm {
    /// Reads a value from the text that stands in JSON strings and numbers, and without quotes in URL literals.
    ///
    /// Spellings of every version are understood: `13:20:00` and `PT13H20M`, `2024-02-29T12:00:00Z` and
    /// `/Date(1709208000000)/`, base64 and base64url. The model is asked for the members of enumerations only.
    /// - Returns: nil where the text is no value of this form, is out of its range or names no member.
    public func parse(_ text: Span<UInt8>, in model: EdmModel) -> ParsedScalar? {
        switch self {
        case .boolean: Self.boolean(text).map { ParsedScalar(.integer($0 ? 1 : 0)) }
        case .integer(let type):
            IntegerText.parse(text)
                .flatMap { type.holds($0) ? ParsedScalar(.integer($0)) : nil }
        case .single: RealText.parseSingle(text).map(Self.real)
        case .double: RealText.parse(text).map(Self.real)
        case .scaledDecimal(let scale):
            ScaledDecimalText.parse(text, scale: scale).map(Self.integer)
        case .decimalText: Self.decimalText(text)
        case .string, .json: Self.string(text).map { ParsedScalar(.text($0)) }
        case .guid: GuidText.parse(text).map { ParsedScalar(.blob(GuidText.bytes($0))) }
        case .binary: Self.binary(text)
        case .date: Self.date(text).map { ParsedScalar(.integer($0)) }
        case .timeOfDay: Self.timeOfDay(text).map(Self.integer)
        case .duration: DurationText.parse(text).map(Self.integer)
        case .dateTimeOffset:
            DateTimeText.parse(text)
                .map { ParsedScalar(.integer($0.ticks), needsExact: $0.needsExact) }
        case .enumeration(let id):
            EnumerationText.parse(text, as: model[id]).map { ParsedScalar(.integer($0)) }
        }
    }

    private static func integer(_ value: Int64, needsExact: Bool) -> ParsedScalar {
        ParsedScalar(.integer(value), needsExact: needsExact)
    }

    /// A store may hold neither NaN nor -0 as a number.
    private static func real(_ value: Double) -> ParsedScalar {
        if value.isNaN { return ParsedScalar(.text("NaN")) }
        return ParsedScalar(.real(value), needsExact: value == 0 && value.sign == .minus)
    }

    private static func string(_ text: Span<UInt8>) -> String? {
        String(validating: text.copied(), as: UTF8.self)
    }

    private static func binary(_ text: Span<UInt8>) -> ParsedScalar? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        return BinaryText.decode(text, into: &bytes) ? ParsedScalar(.blob(bytes)) : nil
    }

    private static func decimalText(_ text: Span<UInt8>) -> ParsedScalar? {
        var bytes: [UInt8] = []
        guard let needsExact = DecimalText.encode(text, into: &bytes) else { return nil }
        return ParsedScalar(.text(String(decoding: bytes, as: UTF8.self)), needsExact: needsExact)
    }

    /// Reads `true` or `false` (OData ABNF `booleanValue`), or the digits that versions 1 to 3 allow as well.
    package static func boolean(_ text: Span<UInt8>) -> Bool? {
        switch text.count {
        case 1: text[0] == 0x31 ? true : text[0] == 0x30 ? false : nil
        case 4: lowercasedEquals(text, literal: "true") ? true : nil
        case 5: lowercasedEquals(text, literal: "false") ? false : nil
        default: nil
        }
    }

    private static func lowercasedEquals(_ text: Span<UInt8>, literal: String) -> Bool {
        var index = 0
        for byte in literal.utf8 {
            guard index < text.count, ASCII.lowercased(text[index]) == byte else { return false }
            index += 1
        }
        return index == text.count
    }

    /// Reads a date as its day number.
    package static func date(_ text: Span<UInt8>) -> Int64? {
        var index = 0
        guard let date = CalendarDate.read(text, at: &index), index == text.count else {
            return nil
        }
        return date.dayNumber
    }

    /// Reads a time within a day, written as such or as a duration.
    package static func timeOfDay(_ text: Span<UInt8>) -> (ticks: Int64, needsExact: Bool)? {
        if text.count > 0, text[0] | 0x20 == UInt8(ascii: "p") {
            guard let duration = DurationText.parse(text),
                duration.ticks < ClockTime.ticksPerDay
            else { return nil }
            return duration
        }
        var index = 0
        guard let time = ClockTime.read(text, at: &index), index == text.count,
            time.ticks < ClockTime.ticksPerDay
        else { return nil }
        return (time.ticks, time.needsExact)
    }
}
