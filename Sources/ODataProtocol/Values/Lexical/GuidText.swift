/// Globally unique identifiers: `8HEXDIG "-" 4HEXDIG "-" 4HEXDIG "-" 4HEXDIG "-" 12HEXDIG` (OData ABNF `guidValue`).
enum GuidText {
    /// Length of the text in bytes.
    static let length = 36
    /// Length of the value in bytes.
    static let byteCount = 16

    /// Reads an identifier into its bytes, in the order of the text; nil where it is none.
    static func parse(_ text: Span<UInt8>) -> (high: UInt64, low: UInt64)? {
        guard text.count == length else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<length {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard text[index] == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = ASCII.hexDigit(text[index]) else { return nil }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
        }
        return (high, low)
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
