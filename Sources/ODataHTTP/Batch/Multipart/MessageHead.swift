/// Header fields at the start of a part, and where its content begins.
struct MessageHead {
    private(set) var headers = HTTPHeaders()
    /// The content after the empty line; empty where there is no such line.
    let content: Range<Int>

    /// Reads fields up to an empty line.
    ///
    /// - Throws: ``BatchError`` with `tooLarge` or, unless `isLenient`, with `malformed` for a line that is no field.
    init(
        _ bytes: [UInt8],
        in range: Range<Int>,
        limits: BatchLimits,
        isLenient: Bool
    ) throws(BatchError) {
        var fields: [HTTPHeaders.Field] = []
        var lines = LineReader(bytes, in: range)
        while let line = lines.next(), !line.isEmpty {
            guard lines.position - range.lowerBound <= limits.headBytes else {
                throw BatchError(
                    .tooLarge,
                    "the head of a part is larger than \(limits.headBytes) bytes",
                    offset: line.startIndex
                )
            }
            if !Self.add(line, to: &fields), !isLenient {
                throw BatchError(.malformed, "a line is no header field", offset: line.startIndex)
            }
        }
        headers = HTTPHeaders(fields)
        content = lines.position..<range.upperBound
    }

    /// A line that begins with white space goes on with the field before (RFC 9112 § 5.2).
    private static func add(_ line: ArraySlice<UInt8>, to fields: inout [HTTPHeaders.Field]) -> Bool
    {
        if line.first == 0x20 || line.first == 0x09 {
            guard var last = fields.popLast() else { return false }
            last.value += " " + text(line)
            fields.append(last)
            return true
        }
        guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex else { return false }
        let name = text(line[..<colon])
        guard name.utf8.allSatisfy(HTTPFieldScanner.isTokenByte) else { return false }
        fields.append(.init(name: name, value: text(line[(colon + 1)...])))
        return true
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}

/// Lines that end with CRLF or LF, without their ends; the last may have none.
struct LineReader {
    private let bytes: [UInt8]
    private let end: Int
    private(set) var position: Int

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard position < end else { return nil }
        let start = position
        let lineEnd = bytes[start..<end].firstIndex(of: 0x0A) ?? end
        position = min(end, lineEnd + 1)
        let hasReturn = lineEnd > start && bytes[lineEnd - 1] == 0x0D
        return bytes[start..<(hasReturn ? lineEnd - 1 : lineEnd)]
    }

    /// Passes over empty lines.
    mutating func skipEmptyLines() {
        var ahead = self
        while let line = ahead.next(), line.isEmpty { self = ahead }
    }
}
