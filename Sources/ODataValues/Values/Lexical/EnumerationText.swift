import ODataText
package import ODataModel

/// Values of enumerations: member names or numbers, several with commas between for flags (OData ABNF `enumValue`).
package enum EnumerationText {
    /// Reads a value; nil where it is none, names an unknown member, or lists members of a type without flags.
    package static func parse(_ text: Span<UInt8>, as type: EnumType) -> Int64? {
        var value: Int64 = 0
        var start = 0
        var count = 0
        while start <= text.count {
            var end = start
            while end < text.count, text[end] != UInt8(ascii: ",") { end += 1 }
            guard let part = single(text, in: trimmed(text, in: start..<end), as: type) else {
                return nil
            }
            value |= part
            count += 1
            start = end + 1
        }
        guard count == 1 || type.isFlags, type.underlyingType.holds(value) else {
            return nil
        }
        return value
    }

    /// Whether a text has the form of member names, known or not.
    package static func isListOfNames(_ text: Span<UInt8>) -> Bool {
        guard text.count > 0 else { return false }
        for index in text.indices {
            let byte = text[index]
            let isLetter = (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_") || byte >= 0x80
            let isInside = byte &- 0x30 < 10 || byte == UInt8(ascii: ",") || byte == 0x20
            guard isLetter || index > 0 && isInside else { return false }
        }
        return true
    }

    /// Some services put a space after the comma.
    private static func trimmed(_ text: Span<UInt8>, in range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        if start > 0 {
            while start < range.upperBound, text[start] == 0x20 { start += 1 }
        }
        return start..<range.upperBound
    }

    private static func single(
        _ text: Span<UInt8>,
        in range: Range<Int>,
        as type: EnumType
    ) -> Int64? {
        guard !range.isEmpty else { return nil }
        let first = text[range.lowerBound]
        if ASCII.digit(first) != nil || first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            return IntegerText.parse(text, in: range)
        }
        let name = text.extracting(range)
        return type.members.first { name.isEqual(to: $0.name) }?.value
    }

    /// Appends the name of a value: a member's, for flags those that make it up, else the number.
    package static func append(_ value: Int64, type: EnumType?, to output: inout [UInt8]) {
        guard let type else { return IntegerText.append(value, to: &output) }
        if let member = type.members.first(where: { $0.value == value }) {
            output.append(contentsOf: member.name.utf8)
        } else if type.isFlags, value != 0 {
            appendFlags(value, of: type, to: &output)
        } else {
            IntegerText.append(value, to: &output)
        }
    }

    /// Covers the value with members, those of most bits first so that they are few, and lists them in declared order.
    private static func appendFlags(_ value: Int64, of type: EnumType, to output: inout [UInt8]) {
        var rest = value
        var chosen: [Int] = []
        for bitCount in stride(from: 63, through: 1, by: -1) {
            for (index, member) in type.members.enumerated()
            where member.value.nonzeroBitCount == bitCount && member.value & ~value == 0
                && member.value & rest != 0
            {
                chosen.append(index)
                rest &= ~member.value
            }
        }
        guard rest == 0 else { return IntegerText.append(value, to: &output) }
        for (position, index) in chosen.sorted().enumerated() {
            if position > 0 { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: type.members[index].name.utf8)
        }
    }
}
