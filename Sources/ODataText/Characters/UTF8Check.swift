/// Recognises well-formed UTF-8 (Unicode 16, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.
package enum UTF8Check {
    /// Returns the index of the first byte that does not belong to a well-formed sequence; nil where all do.
    package static func firstFault(in bytes: Span<UInt8>) -> Int? {
        var index = JSONScan.asciiEnd(in: bytes, from: 0)
        while index < bytes.count {
            guard let length = sequenceLength(in: bytes, at: index) else { return index }
            index &+= length
            // In other scripts one such character follows the other.
            if index < bytes.count, bytes[index] >= 0x80 { continue }
            index = JSONScan.asciiEnd(in: bytes, from: index)
        }
        return nil
    }

    private static func sequenceLength(in bytes: Span<UInt8>, at index: Int) -> Int? {
        let (length, second): (Int, ClosedRange<UInt8>)
        switch bytes[index] {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE, 0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return nil }
        for next in (index + 2)..<max(index + 2, index + length)
        where !(0x80...0xBF).contains(bytes[next]) { return nil }
        return length
    }
}
