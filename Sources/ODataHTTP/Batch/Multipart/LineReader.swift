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
