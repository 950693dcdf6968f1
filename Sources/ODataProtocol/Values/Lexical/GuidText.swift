/// Globally unique identifiers: `8HEXDIG "-" 4HEXDIG "-" 4HEXDIG "-" 4HEXDIG "-" 12HEXDIG` (OData ABNF `guidValue`).
enum GuidText {
    /// Length of the text in bytes.
    static let length = 36
    /// Length of the value in bytes.
    static let byteCount = 16

    /// Reads an identifier into its bytes, in the order of the text; nil where it is none.
    static func parse(_ text: Span<UInt8>) -> (high: UInt64, low: UInt64)? {
        guard text.count == length, text[8] == dash, text[13] == dash, text[18] == dash,
            text[23] == dash
        else { return nil }
        var isValid = true
        let high =
            number(text, 0, 8, &isValid) << 32 | number(text, 9, 13, &isValid) << 16
            | number(text, 14, 18, &isValid)
        let low = number(text, 19, 23, &isValid) << 48 | number(text, 24, 36, &isValid)
        guard isValid else { return nil }
        return (high, low)
    }

    private static let dash = UInt8(ascii: "-")

    /// Reads hexadecimal digits; all of a group are looked at before it is judged, which spares a branch for each.
    private static func number(
        _ text: Span<UInt8>,
        _ start: Int,
        _ end: Int,
        _ isValid: inout Bool
    ) -> UInt64 {
        var number: UInt64 = 0
        var seen: UInt8 = 0
        for index in start..<end {
            let digit = text[index] &- 0x30
            let letter = (text[index] | 0x20) &- 0x61
            let value = digit < 10 ? digit : letter < 6 ? letter &+ 10 : 0xFF
            seen |= value
            number = number << 4 | UInt64(value & 0x0F)
        }
        if seen > 0x0F { isValid = false }
        return number
    }

    /// Returns the 16 bytes of an identifier.
    static func bytes(_ value: (high: UInt64, low: UInt64)) -> [UInt8] {
        (0..<byteCount).map { index in
            let half = index < 8 ? value.high : value.low
            return UInt8(truncatingIfNeeded: half >> UInt64(56 - index % 8 * 8))
        }
    }

    /// Appends the text of 16 bytes in lower case; nothing for another number of bytes.
    static func append(_ value: Span<UInt8>, to output: inout [UInt8]) {
        guard value.count == byteCount else { return }
        for index in 0..<byteCount {
            if index == 4 || index == 6 || index == 8 || index == 10 {
                output.append(UInt8(ascii: "-"))
            }
            output.append(ASCII.hexCharacter(value[index] >> 4))
            output.append(ASCII.hexCharacter(value[index] & 0x0F))
        }
    }
}
