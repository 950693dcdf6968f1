import ODataText

/// Where path, query and fragment of a URL stand: cut before anything is decoded (OData 4.01 Part 2 § 2).
struct URLPieces {
    /// The path without `~/` or a slash before it.
    let path: Range<Int>
    /// What follows the question mark.
    let query: Range<Int>?
    /// What follows the number sign.
    let fragment: Range<Int>?

    /// Cuts a URL relative to the service root.
    init(_ bytes: [UInt8]) {
        var start = 0
        if bytes.starts(with: [UInt8(ascii: "~"), Byte.slash]) {
            start = 2
        } else if bytes.first == Byte.slash {
            start = 1
        }
        let hash = bytes.firstIndex(of: Byte.hash)
        let end = hash ?? bytes.count
        fragment = hash.map { ($0 + 1)..<bytes.count }
        let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?"))
        query = mark.map { ($0 + 1)..<end }
        path = min(start, mark ?? end)..<(mark ?? end)
    }

    /// Returns the parts of a range between separators.
    static func split(_ bytes: [UInt8], in range: Range<Int>, at separator: UInt8) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        for index in range where bytes[index] == separator {
            parts.append(start..<index)
            start = index + 1
        }
        parts.append(start..<range.upperBound)
        return parts
    }

    /// Returns the segments of a path: slashes inside parentheses belong to expressions and strings.
    static func segments(_ bytes: [UInt8], in range: Range<Int>) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        var parentheses = 0
        var isQuoted = false
        var index = range.lowerBound
        while index < range.upperBound {
            let (byte, length) = byte(bytes, at: index, end: range.upperBound)
            switch byte {
            case Byte.quote where parentheses > 0: isQuoted.toggle()
            case Byte.open where !isQuoted: parentheses += 1
            case Byte.close where !isQuoted: parentheses = max(0, parentheses - 1)
            case Byte.slash where parentheses == 0 && length == 1:
                parts.append(start..<index)
                start = index + 1
            default: break
            }
            index += length
        }
        parts.append(start..<range.upperBound)
        return parts
    }

    /// Returns the byte that stands at an index, percent-encoding undone, and how many bytes it is written with.
    private static func byte(_ bytes: [UInt8], at index: Int, end: Int) -> (UInt8, Int) {
        guard bytes[index] == UInt8(ascii: "%"),
            let decoded = PercentEncoding.octet(bytes[(index + 1)..<end])
        else { return (bytes[index], 1) }
        return (decoded, 3)
    }
}
