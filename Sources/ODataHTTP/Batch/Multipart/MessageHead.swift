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
        var fields = HTTPFieldLines(isStrict: !isLenient)
        var lines = LineReader(bytes, in: range)
        while let line = lines.next(), !line.isEmpty {
            guard lines.position - range.lowerBound <= limits.headBytes else {
                throw BatchError(
                    .tooLarge,
                    "the head of a part is larger than \(limits.headBytes) bytes",
                    offset: line.startIndex
                )
            }
            if !fields.add(line), !isLenient {
                throw BatchError(.malformed, "a line is no header field", offset: line.startIndex)
            }
        }
        headers = fields.headers
        content = lines.position..<range.upperBound
    }
}
