/// Globally unique identifiers: `8HEXDIG "-" 4HEXDIG "-" 4HEXDIG "-" 4HEXDIG "-" 12HEXDIG` (OData ABNF `guidValue`).
package enum GuidText {
    /// Length of the text in bytes.
    static let length = 36
    /// Length of the value in bytes.
    package static let byteCount = 16

    /// Reads an identifier into its bytes, in the order of the text; nil where it is none.
    package static func parse(_ text: Span<UInt8>) -> (high: UInt64, low: UInt64)? {
        guard text.count == length, text[8] == dash, text[13] == dash, text[18] == dash,
            text[23] == dash
        else { return nil }
        var isValid = true
        let high =
            number(text, from: 0, to: 8, isValid: &isValid) << 32 | number(
                text,
                from: 9,
                to: 13,
                isValid: &isValid
            ) << 16
            | number(text, from: 14, to: 18, isValid: &isValid)
        let low =
            number(text, from: 19, to: 23, isValid: &isValid) << 48
            | number(text, from: 24, to: 36, isValid: &isValid)
        guard isValid else { return nil }
        return (high, low)
    }

    private static let dash = UInt8(ascii: "-")

    /// Reads hexadecimal digits; all of a group are looked at before it is judged, which spares a branch for each.
    private static func number(
        _ text: Span<UInt8>,
        from start: Int,
        to end: Int,
        isValid: inout Bool
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
    package static func append(
        _ value: Span<UInt8>,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        guard value.count == byteCount else { return }
        let (first, second) = (eightCharacters(value, from: 0), eightCharacters(value, from: 4))
        let (third, fourth) = (eightCharacters(value, from: 8), eightCharacters(value, from: 12))
        let dash = UInt64(dash)
        output.append(word: first, count: 8)
        output.append(word: second << 8 | dash, count: 5)
        output.append(word: (second >> 32) << 8 | dash, count: 5)
        output.append(word: third << 8 | dash, count: 5)
        output.append(word: (third >> 32) << 8 | dash, count: 5)
        output.append(word: fourth, count: 8)
    }

    /// Four bytes as hexadecimal characters, the first one in the lowest byte of a word.
    private static func eightCharacters(_ value: Span<UInt8>, from start: Int) -> UInt64 {
        let pairs =
            UInt64(value[start]) | UInt64(value[start + 1]) << 16 | UInt64(value[start + 2]) << 32
            | UInt64(value[start + 3]) << 48
        let digits =
            pairs >> 4 & 0x000F_000F_000F_000F | (pairs & 0x000F_000F_000F_000F) << 8
        // A byte of 1 for each digit of ten and more, which a letter stands for.
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits | 0x3030_3030_3030_3030 &+ letters &* UInt64(UInt8(ascii: "a") - 0x3A)
    }
}
