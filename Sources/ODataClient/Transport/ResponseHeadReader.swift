import ODataHTTP

/// Puts a head together from its lines; interim answers (1xx) are passed over (RFC 9110 § 15.2).
struct ResponseHeadReader {
    private let limit: Int
    private var byteCount = 0
    private var status: Int?
    private var fields = HTTPFieldLines()
    private var isComplete = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes the next line; answers the head when it was the last.
    ///
    /// Lines after the head are trailers, which are ignored.
    mutating func read(_ line: [UInt8]) throws(HTTPTransportError) -> ResponseHead? {
        guard !isComplete else { return nil }
        byteCount += line.count
        guard byteCount <= limit else {
            throw HTTPTransportError(
                .protocolViolation,
                "the header fields of the answer are larger than \(limit) bytes"
            )
        }
        let text = HTTPFieldLines.trimmed(line[...])
        guard status != nil else {
            guard let first = HTTPStatusLine(text) else {
                throw HTTPTransportError(.protocolViolation, "the answer has no status line")
            }
            status = first.status
            return nil
        }
        if text.isEmpty { return finish() }
        fields.add(line[...])
        return nil
    }

    private mutating func finish() -> ResponseHead? {
        defer {
            status = nil
            fields = HTTPFieldLines()
        }
        guard let status, !(100..<200).contains(status) else { return nil }
        isComplete = true
        return ResponseHead(status: status, headers: fields.headers)
    }
}
