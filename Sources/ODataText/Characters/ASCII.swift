/// Bytes of ASCII that OData's texts are made of.
@usableFromInline
package enum ASCII {
    /// Whether a byte is a decimal digit.
    @inlinable package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Whether a byte is a letter.
    @inlinable package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// The value of a decimal digit; nil for any other byte.
    @inlinable package static func digit(_ byte: UInt8) -> Int? {
        let value = byte &- 0x30
        return value < 10 ? Int(value) : nil
    }

    /// The value of a hexadecimal digit of either case; nil for any other byte.
    @inlinable package static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte &- 0x30
        case 0x41...0x46: byte &- 0x37
        case 0x61...0x66: byte &- 0x57
        default: nil
        }
    }

    /// The letter in lower case; other bytes as they are.
    @inlinable package static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    /// Returns the digit of a value below 16, in lower case.
    @inlinable package static func hexCharacter(_ value: UInt8) -> UInt8 {
        value < 10 ? value &+ 0x30 : value &+ 0x57
    }
}

extension Span<UInt8> {
    /// Whether the bytes are those of a literal.
    @inlinable package func isEqual(to literal: StaticString, from start: Int = 0) -> Bool {
        count - start == literal.utf8CodeUnitCount && starts(with: literal, at: start)
    }

    /// Whether a literal stands at a position.
    @inlinable package func starts(with literal: StaticString, at start: Int = 0) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard start >= 0, count - start >= length else { return false }
        return literal.withUTF8Buffer { bytes in
            for index in 0..<length where unsafe self[start + index] != bytes[index] {
                return false
            }
            return true
        }
    }

    /// Whether the bytes are those of a text.
    @inlinable package func isEqual(to text: String) -> Bool {
        guard count == text.utf8.count else { return false }
        var index = 0
        for byte in text.utf8 {
            guard self[index] == byte else { return false }
            index += 1
        }
        return true
    }

    /// Whether the bytes are the same.
    @inlinable package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }

    /// The bytes as an array.
    package func copied() -> [UInt8] {
        unsafe withUnsafeBufferPointer { unsafe Array($0) }
    }
}
