/// An HTTP message inside a part.
struct EmbeddedMessage {
    /// The three words of the start line; the last may be missing.
    let startLine: ArraySlice<UInt8>
    let headers: HTTPHeaders
    let body: [UInt8]

    init(
        _ bytes: [UInt8],
        in range: Range<Int>,
        limits: BatchLimits,
        isLenient: Bool
    ) throws(BatchError) {
        var lines = LineReader(bytes, in: range)
        lines.skipEmptyLines()
        guard let startLine = lines.next() else {
            throw BatchError(.malformed, "a part is empty", offset: range.lowerBound)
        }
        self.startLine = startLine
        let head = try MessageHead(
            bytes,
            in: lines.position..<range.upperBound,
            limits: limits,
            isLenient: isLenient
        )
        headers = head.headers
        body = Self.body(bytes[head.content], contentLength: headers["Content-Length"])
    }

    /// A stated length counts only where nothing but line ends is left over: many services state a wrong one,
    /// and the boundary says where a part ends.
    private static func body(_ content: ArraySlice<UInt8>, contentLength: String?) -> [UInt8] {
        let stated = contentLength.flatMap { Int($0) } ?? 0
        guard (0...content.count).contains(stated),
            content.dropFirst(stated).allSatisfy({ $0 == 0x0D || $0 == 0x0A })
        else { return Array(content) }
        return Array(content.prefix(stated))
    }
}

extension EmbeddedMessage {
    /// `POST Categories HTTP/1.1`; a target with spaces in it is taken as it is meant.
    func request() throws(BatchError) -> HTTPRequest {
        let words = startLine.split(separator: 0x20, omittingEmptySubsequences: true)
        guard words.count >= 3, let method = words.first, let version = words.last,
            version.starts(with: Array("HTTP/".utf8)),
            method.allSatisfy(HTTPFieldScanner.isTokenByte)
        else {
            throw BatchError(.malformed, "a request line is wrong", offset: startLine.startIndex)
        }
        let target = startLine[words[1].startIndex..<words[words.count - 2].endIndex]
        guard target.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let url = String(validating: target, as: UTF8.self)
        else {
            throw BatchError(.malformed, "a request target is wrong", offset: target.startIndex)
        }
        return HTTPRequest(
            method: String(decoding: method, as: UTF8.self),
            url: url,
            headers: headers,
            body: body
        )
    }

    /// `HTTP/1.1 200 OK`; the reason may be missing.
    func response() throws(BatchError) -> HTTPResponse {
        guard let line = HTTPStatusLine(startLine) else {
            throw BatchError(.malformed, "a status line is wrong", offset: startLine.startIndex)
        }
        return HTTPResponse(status: line.status, headers: headers, body: body)
    }
}
