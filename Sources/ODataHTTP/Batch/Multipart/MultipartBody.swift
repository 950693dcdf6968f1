/// Where the parts of a multipart body stand (RFC 2046 § 5.1).
///
///     preamble  --b CRLF  part 0  CRLF --b CRLF  part 1  CRLF --b-- CRLF  epilogue
///
/// Lines may end with LF alone, and blanks may follow a boundary. What stands before the first boundary and
/// after the last is passed over.
struct MultipartBody {
    /// Parts that are followed by a boundary.
    private(set) var parts: [Range<Int>] = []
    /// What follows the last boundary where no closing one came.
    private(set) var tail: Range<Int>?
    /// Whether the closing boundary came.
    private(set) var isClosed = false

    /// - Throws: ``BatchError`` with `tooLarge` where there are more parts than allowed.
    init(
        _ bytes: [UInt8],
        in range: Range<Int>,
        boundary: String,
        maximumParts: Int
    ) throws(BatchError) {
        let delimiter = Array("--\(boundary)".utf8)
        var line = range.lowerBound
        var partStart: Int?
        while line < range.upperBound, !isClosed {
            let lineEnd = bytes[line..<range.upperBound].firstIndex(of: 0x0A)
            if let found = Self.delimiter(
                delimiter,
                in: bytes[line..<(lineEnd ?? range.upperBound)],
                hasLineEnd: lineEnd != nil
            ) {
                if let partStart {
                    parts.append(Self.part(bytes, from: partStart, delimiter: line))
                }
                guard parts.count <= maximumParts else {
                    throw BatchError(.tooLarge, "more than \(maximumParts) parts", offset: line)
                }
                isClosed = found == .close
                partStart = (lineEnd ?? range.upperBound - 1) + 1
            }
            line = (lineEnd ?? range.upperBound - 1) + 1
        }
        if let partStart, !isClosed { tail = partStart..<range.upperBound }
    }

    private enum Delimiter {
        case next
        case close
    }

    /// A line that is a boundary and nothing else.
    ///
    /// Without an end of line only the closing one counts: the line may go on, and be another boundary.
    private static func delimiter(
        _ delimiter: [UInt8],
        in line: ArraySlice<UInt8>,
        hasLineEnd: Bool
    ) -> Delimiter? {
        guard line.starts(with: delimiter) else { return nil }
        let rest = line.dropFirst(delimiter.count)
        if isBlank(rest) { return hasLineEnd ? .next : nil }
        guard rest.starts(with: [0x2D, 0x2D]), isBlank(rest.dropFirst(2)) else { return nil }
        return .close
    }

    private static func isBlank(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }

    /// The end of the line before a boundary belongs to the boundary.
    private static func part(_ bytes: [UInt8], from start: Int, delimiter: Int) -> Range<Int> {
        var end = delimiter
        if end > start, bytes[end - 1] == 0x0A { end -= 1 }
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return start..<max(start, end)
    }
}
