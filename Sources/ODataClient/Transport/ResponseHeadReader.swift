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
        let text = trimmed(line[...])
        guard status != nil else {
            status = try readStatus(text)
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

    /// `HTTP/1.1 200 OK`; the reason may be missing (RFC 9112 § 4).
    private func readStatus(_ line: ArraySlice<UInt8>) throws(HTTPTransportError) -> Int {
        let words = line.split(separator: 0x20, maxSplits: 2)
        guard words.count >= 2, words[0].starts(with: Array("HTTP/".utf8)), words[1].count == 3,
            let status = Int(String(decoding: words[1], as: UTF8.self)), status >= 100
        else { throw HTTPTransportError(.protocolViolation, "the answer has no status line") }
        return status
    }

    private func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let first = text.firstIndex(where: { !isSpace($0) }),
            let last = text.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return text[first...last]
    }
}
