import TestSupport

extension RawServer {
    /// An answer after which the connection ends, so that each request has a connection, and a script, of its own.
    static func answer(
        _ body: String,
        status: String = "200 OK",
        type: String = "application/json",
        etag: String? = nil
    ) -> [Step] {
        let head = [
            "HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)",
            etag.map { "ETag: \($0)" }, "Connection: close",
        ].compactMap { $0 }
        return [.read, .send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)]
    }
}
