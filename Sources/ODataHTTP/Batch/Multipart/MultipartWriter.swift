/// Puts a multipart body together; each part is its bytes from its own head on.
struct MultipartWriter {
    private let boundary: BatchBoundary
    private var parts: [[UInt8]] = []

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    init(boundary: BatchBoundary) {
        self.boundary = boundary
    }

    mutating func add(_ part: [UInt8]) {
        parts.append(part)
    }

    mutating func addChangeSet(_ members: [[UInt8]]) throws(BatchError) {
        let name = try boundary.unused(.changeSet, in: members)
        let head = "Content-Type: multipart/mixed; boundary=\(name)\r\n\r\n"
        parts.append(Array(head.utf8) + Self.body(members, boundary: name))
    }

    func finish() throws(BatchError) -> EncodedBatch {
        let name = try boundary.unused(.batch, in: parts)
        return EncodedBatch(
            contentType: "multipart/mixed; boundary=\(name)",
            body: Self.body(parts, boundary: name)
        )
    }

    private static func body(_ parts: [[UInt8]], boundary: String) -> [UInt8] {
        let delimiter = Array("--\(boundary)".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(100) { $0 + $1.count + delimiter.count + 4 })
        for part in parts {
            bytes += delimiter + lineEnd
            bytes += part
            bytes += lineEnd
        }
        return bytes + delimiter + Array("--\r\n".utf8)
    }

    // MARK: - Parts

    static func part(_ part: BatchPart) throws(BatchError) -> [UInt8] {
        let request = part.request
        guard !request.method.isEmpty,
            request.method.utf8.allSatisfy(HTTPFieldScanner.isTokenByte),
            !request.url.isEmpty, request.url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw BatchError(.cannotBeWritten, "a method or URL holds forbidden characters") }
        return try message(
            "\(request.method) \(request.url) HTTP/1.1",
            contentID: part.contentID,
            headers: request.headers,
            body: request.body
        )
    }

    static func part(_ part: BatchResponsePart) throws(BatchError) -> [UInt8] {
        let response = part.response
        guard (100...999).contains(response.status) else {
            throw BatchError(.cannotBeWritten, "a status is none")
        }
        return try message(
            "HTTP/1.1 \(response.status) \(reason(response.status))",
            contentID: part.contentID,
            headers: response.headers,
            body: response.body
        )
    }

    private static func message(
        _ startLine: String,
        contentID: String?,
        headers: HTTPHeaders,
        body: [UInt8]
    ) throws(BatchError) -> [UInt8] {
        var head = "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n"
        if let contentID { head += try line("Content-ID", value: contentID) }
        head += "\r\n\(startLine)\r\n"
        for field in headers.fields where !isLength(field.name) {
            head += try line(field.name, value: field.value)
        }
        if !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
        return Array(head.utf8) + lineEnd + body
    }

    private static func isLength(_ name: String) -> Bool {
        name.lowercased() == "content-length"
    }

    /// A value with a line end would be a header field of its own.
    private static func line(_ name: String, value: String) throws(BatchError) -> String {
        guard HTTPFieldRules.isName(name), HTTPFieldRules.isValue(value) else {
            throw BatchError(.cannotBeWritten, "a header field holds forbidden characters")
        }
        return "\(name): \(value)\r\n"
    }

    private static func reason(_ status: Int) -> String {
        reasons[status] ?? "Status"
    }

    /// RFC 9110 § 15; for people who read a trace.
    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 304: "Not Modified",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 409: "Conflict", 410: "Gone",
        412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type",
        424: "Failed Dependency", 428: "Precondition Required", 429: "Too Many Requests",
        500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    ]
}
