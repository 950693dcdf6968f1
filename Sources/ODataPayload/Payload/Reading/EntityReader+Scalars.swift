import ODataText
import ODataValues
import ODataModel

extension EntityReader {
    /// Reads a primitive value and gives it to its slot.
    mutating func scalar(
        _ action: MemberAction,
        in table: MemberTable,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        let first = cursor.byte
        if first == UInt8(ascii: "\"") {
            return try quoted(action, in: table, from: &cursor, into: &sink)
        }
        if first == UInt8(ascii: "n"), cursor.take("null") { return try sink.null(action.slot) }
        switch action.form {
        case .json:
            let start = cursor.index
            try cursor.skipValue(depth: 2, limit: limits.maximumDepth)
            try cursor.withSpan(from: start, to: cursor.index) {
                try sink.text($0, slot: action.slot)
            }
        case .boolean:
            if cursor.take("true") { return try sink.integer(1, slot: action.slot) }
            guard cursor.take("false") else { throw wrongType(action, from: &cursor) }
            try sink.integer(0, slot: action.slot)
        case .integer(let type):
            let start = cursor.index
            if let value = cursor.shortInteger() {
                guard type.holds(value) else {
                    cursor.move(to: start)
                    throw outOfRange(action, in: table, from: &cursor)
                }
                return try sink.integer(value, slot: action.slot)
            }
            try number(action, in: table, from: &cursor, into: &sink)
        case .single, .double, .scaledDecimal, .decimalText, .enumeration:
            try number(action, in: table, from: &cursor, into: &sink)
        default: throw wrongType(action, from: &cursor)
        }
    }

    /// Reads a value in quotation marks.
    private mutating func quoted(
        _ action: MemberAction,
        in table: MemberTable,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        let start = cursor.index
        let token = try cursor.string()
        if case .string = action.form {
            guard token.hasEscapes else {
                return try cursor.withSpan(token) {
                    checkLength($0, action: action, in: table)
                    try sink.text($0, slot: action.slot)
                }
            }
            try unescape(token, from: &cursor)
            let text = scratch
            checkLength(text.span, action: action, in: table)
            return try sink.text(text.span, slot: action.slot)
        }
        if case .json = action.form {
            return try cursor.withSpan(from: start, to: cursor.index) {
                try sink.text($0, slot: action.slot)
            }
        }
        guard mayBeQuoted(action.form, token: token, from: &cursor) else {
            cursor.move(to: start)
            throw wrongType(action, from: &cursor)
        }
        let isRead: Bool
        if token.hasEscapes {
            try unescape(token, from: &cursor)
            let text = scratch
            isRead = try lexical(text.span, action: action, in: table, into: &sink)
        } else {
            isRead = try cursor.withSpan(token) {
                try lexical($0, action: action, in: table, into: &sink)
            }
        }
        guard isRead else {
            cursor.move(to: start)
            throw outOfRange(action, in: table, from: &cursor)
        }
    }

    /// Version 4 quotes Int64 and Decimal where that was asked for, and infinities; versions 1 to 3 any number.
    ///
    /// Atom often names no types of values: there a Boolean is a text like the others.
    private func mayBeQuoted(
        _ form: ScalarForm,
        token: ByteCursor.Token,
        from cursor: inout ByteCursor
    ) -> Bool {
        switch form {
        case .boolean: isVerbose
        case .integer(let type): isVerbose || type == .int64
        case .single, .double:
            isVerbose
                || cursor.withSpan(token) {
                    $0.isEqual(to: "INF") || $0.isEqual(to: "-INF") || $0.isEqual(to: "NaN")
                }
        default: true
        }
    }

    /// Reads a number.
    private mutating func number(
        _ action: MemberAction,
        in table: MemberTable,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        let start = cursor.index
        guard cursor.byte == UInt8(ascii: "-") || ASCII.digit(cursor.byte) != nil else {
            throw wrongType(action, from: &cursor)
        }
        let number = try cursor.number()
        let isRead = try cursor.withSpan(from: number.start, to: number.end) {
            try lexical($0, action: action, in: table, into: &sink)
        }
        guard isRead else {
            cursor.move(to: start)
            throw outOfRange(action, in: table, from: &cursor)
        }
    }

    /// Gives the value that a text stands for; false where it stands for none of this form.
    private mutating func lexical(
        _ text: Span<UInt8>,
        action: MemberAction,
        in table: MemberTable,
        into sink: inout some EntitySink
    ) throws -> Bool {
        let slot = action.slot
        switch action.form {
        case .boolean, .integer:
            guard let value = integer(text, as: action.form) else { return false }
            try sink.integer(value, slot: slot)
        case .single, .double:
            let value =
                if case .single = action.form { RealText.parseSingle(text) } else {
                    RealText.parse(text)
                }
            guard let value else { return false }
            if value.isNaN { return try reported { try sink.text(text, slot: slot) } }
            try sink.real(value, slot: slot)
            if value == 0, value.sign == .minus { try sink.exact(text, slot: slot) }
        case .scaledDecimal(let scale):
            checkDigits(text, action: action, in: table)
            return try give(
                ScaledDecimalText.parse(text, scale: scale),
                text: text,
                action: action,
                into: &sink
            )
        case .decimalText:
            blob.removeAll(keepingCapacity: true)
            checkDigits(text, action: action, in: table)
            guard let needsExact = DecimalText.encode(text, into: &blob) else { return false }
            try sink.text(blob.span, slot: slot)
            if needsExact { try sink.exact(text, slot: slot) }
        case .string, .json: try sink.text(text, slot: slot)
        case .guid: return try guid(text, slot: slot, into: &sink)
        case .binary:
            blob.removeAll(keepingCapacity: true)
            guard BinaryText.decode(text, into: &blob) else { return false }
            if blob.count > action.maximumLength { noteBeyondFacets(action, in: table) }
            try sink.blob(blob.span, slot: slot)
        case .date:
            guard let day = ScalarForm.date(text) else { return false }
            try sink.integer(day, slot: slot)
        case .timeOfDay:
            let time = ScalarForm.timeOfDay(text).map { ($0.ticks, $0.needsExact) }
            return try give(time, text: text, action: action, into: &sink)
        case .duration:
            let duration = DurationText.parse(text).map { ($0.ticks, $0.needsExact) }
            return try give(duration, text: text, action: action, into: &sink)
        case .dateTimeOffset:
            let instant = DateTimeText.parse(text)
            return try give(
                instant.map { ($0.ticks, $0.needsExact) },
                text: text,
                action: action,
                into: &sink
            )
        case .enumeration: return try enumeration(text, action: action, in: table, into: &sink)
        }
        return true
    }

    private func reported(_ body: () throws -> Void) rethrows -> Bool {
        try body()
        return true
    }

    private func integer(_ text: Span<UInt8>, as form: ScalarForm) -> Int64? {
        guard case .integer(let type) = form else {
            return ScalarForm.boolean(text).map { $0 ? 1 : 0 }
        }
        // JSON makes no difference between 10, 10.0 and 1e1, and neither do the writers of some services.
        let value =
            IntegerText.parse(text)
            ?? WholeNumberText.plain(text).flatMap { IntegerText.parse($0.span) }
        return value.flatMap { type.holds($0) ? $0 : nil }
    }

    private mutating func give(
        _ value: (value: Int64, needsExact: Bool)?,
        text: Span<UInt8>,
        action: MemberAction,
        into sink: inout some EntitySink
    ) throws -> Bool {
        guard let value else { return false }
        if value.needsExact, Self.isCutKey(text, action: action) {
            hasCutKey = true
            return false
        }
        try sink.integer(value.value, slot: action.slot)
        if value.needsExact { try sink.exact(text, slot: action.slot) }
        return true
    }

    private mutating func guid(
        _ text: Span<UInt8>,
        slot: Int,
        into sink: inout some EntitySink
    ) throws -> Bool {
        guard let (high, low) = GuidText.parse(text) else { return false }
        for index in 0..<8 {
            let shift = UInt64(56 - 8 * index)
            guid[index] = UInt8(truncatingIfNeeded: high >> shift)
            guid[index + 8] = UInt8(truncatingIfNeeded: low >> shift)
        }
        try sink.blob(guid.span, slot: slot)
        return true
    }

    /// A member that the model does not know is no error (services may add some): null, with its text beside it.
    private mutating func enumeration(
        _ text: Span<UInt8>,
        action: MemberAction,
        in table: MemberTable,
        into sink: inout some EntitySink
    ) throws -> Bool {
        let type = table.enumTypes[action.reference]
        if let value = EnumerationText.parse(text, as: type) {
            try sink.integer(value, slot: action.slot)
            return true
        }
        guard !expectation.refusesUnknownMembers, EnumerationText.isListOfNames(text)
        else { return false }
        let name = String(decoding: text.copied(), as: UTF8.self)
        diagnose(.unknownEnumMember, named: name, of: type.name)
        try sink.null(action.slot)
        try sink.exact(text, slot: action.slot)
        return true
    }

    // MARK: Faults

    private func wrongType(_ action: MemberAction, from cursor: inout ByteCursor) -> PayloadFault {
        let found =
            switch cursor.byte {
            case UInt8(ascii: "\""): "a string"
            case UInt8(ascii: "{"): "an object"
            case UInt8(ascii: "["): "an array"
            case UInt8(ascii: "t"), UInt8(ascii: "f"): "a Boolean"
            case 0x30...0x39, UInt8(ascii: "-"): "a number"
            default: "no value"
            }
        let code = found == "no value" ? PayloadError.Code.malformed : .wrongType
        return PayloadFault(code, at: cursor.index, "expected \(title(of: action)), found \(found)")
    }

    /// The name of a value's type; versions 1 and 2 know instants as `DateTime`, version 3 as both.
    private func title(of action: MemberAction) -> String {
        isVerbose && action.form == .dateTimeOffset
            ? "DateTime or DateTimeOffset" : action.form.title
    }

    private func outOfRange(
        _ action: MemberAction,
        in table: MemberTable,
        from cursor: inout ByteCursor
    ) -> PayloadFault {
        let text =
            if hasCutKey {
                "a key of type \(title(of: action)) has more digits than are kept, so that it could be taken for another one"
            } else if action.form.isEnumeration {
                "the value is no member of \(table.enumTypes[action.reference].name)"
            } else {
                "the value is no \(title(of: action)) or out of its range"
            }
        return PayloadFault(.wrongType, at: cursor.index, text)
    }
}

extension ScalarForm {
    var isEnumeration: Bool { if case .enumeration = self { true } else { false } }

    /// What the form is called in messages.
    var title: String {
        switch self {
        case .boolean: "Boolean"
        case .integer(let type): String(type.rawValue.dropFirst(4))
        case .single: "Single"
        case .double: "Double"
        case .scaledDecimal, .decimalText: "Decimal"
        case .string: "String"
        case .guid: "Guid"
        case .binary: "Binary"
        case .date: "Date"
        case .timeOfDay: "TimeOfDay"
        case .duration: "Duration"
        case .dateTimeOffset: "DateTimeOffset"
        case .enumeration: "enumeration member"
        case .json: "JSON value"
        }
    }
}
