/// Bytes as base64 or base64url (RFC 4648 §§ 4, 5), padding optional (OData ABNF `binaryValue`).
package enum BinaryText {
    /// Which letters stand for 62 and 63.
    package enum Alphabet {
        /// `-` and `_`, of version 4.
        case url
        /// `+` and `/`, of versions 1 to 3.
        case standard
    }

    /// Appends the bytes that a text stands for; false where it is no base64 (what was appended is then to be thrown away).
    package static func decode(_ text: Span<UInt8>, into output: inout [UInt8]) -> Bool {
        var end = text.count
        if end > 0, end.isMultiple(of: 4), text[end - 1] == UInt8(ascii: "=") {
            end -= text[end - 2] == UInt8(ascii: "=") ? 2 : 1
        }
        var bits: UInt32 = 0
        var held = 0
        for index in 0..<end {
            guard let value = sextet(text[index]) else { return false }
            bits = bits << 6 | UInt32(value)
            held += 6
            if held >= 8 {
                held -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            }
        }
        // A single letter is no byte, and the bits after the last byte are zero.
        return held < 6 && bits & (1 << UInt32(held) - 1) == 0
    }

    /// Appends the text of bytes, padded.
    package static func encode(
        _ value: Span<UInt8>,
        alphabet: Alphabet,
        into output: inout [UInt8]
    ) {
        var index = 0
        while index < value.count {
            let left = value.count - index
            var bits = UInt32(value[index]) << 16
            if left > 1 { bits |= UInt32(value[index + 1]) << 8 }
            if left > 2 { bits |= UInt32(value[index + 2]) }
            output.append(letter(bits >> 18, in: alphabet))
            output.append(letter(bits >> 12, in: alphabet))
            output.append(left > 1 ? letter(bits >> 6, in: alphabet) : UInt8(ascii: "="))
            output.append(left > 2 ? letter(bits, in: alphabet) : UInt8(ascii: "="))
            index += 3
        }
    }

    private static func sextet(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte &- 0x41
        case 0x61...0x7A: byte &- 0x47
        case 0x30...0x39: byte &+ 4
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
        default: nil
        }
    }

    private static func letter(_ bits: UInt32, in alphabet: Alphabet) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: bits & 0x3F)
        switch value {
        case 0..<26: return value &+ 0x41
        case 26..<52: return value &+ 0x47
        case 52..<62: return value &- 4
        case 62: return alphabet == .url ? UInt8(ascii: "-") : UInt8(ascii: "+")
        default: return alphabet == .url ? UInt8(ascii: "_") : UInt8(ascii: "/")
        }
    }
}
