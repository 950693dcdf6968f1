/// One part of a multipart body: its own head, and a message or a change set.
struct MultipartPart {
    enum Content {
        /// An HTTP message; the range begins with its start line.
        case message(Range<Int>)
        /// A multipart body of its own.
        case changeSet(boundary: String, Range<Int>)
    }

    let contentID: String?
    let content: Content

    init(
        _ bytes: [UInt8],
        in range: Range<Int>,
        limits: BatchLimits,
        isLenient: Bool
    ) throws(BatchError) {
        // Some services leave the part's own head out.
        if isLenient, Self.isStatusLine(bytes, at: range) {
            contentID = nil
            content = .message(range)
            return
        }
        let head = try MessageHead(bytes, in: range, limits: limits, isLenient: isLenient)
        contentID = head.headers["Content-ID"]
        try Self.checkEncoding(head.headers, at: range)
        let type = head.headers["Content-Type"].flatMap { MediaType($0) }
        if let type, type.isType("multipart/mixed") {
            guard let boundary = type[parameter: "boundary"], !boundary.isEmpty else {
                throw BatchError(
                    .malformed,
                    "a change set has no boundary",
                    offset: range.lowerBound
                )
            }
            content = .changeSet(boundary: boundary, head.content)
        } else if type?.isType("application/http") == true
            || (isLenient && Self.isStatusLine(bytes, at: head.content))
        {
            content = .message(head.content)
        } else {
            throw BatchError(
                .malformed,
                "a part is neither application/http nor multipart/mixed",
                offset: range.lowerBound
            )
        }
    }

    private static func isStatusLine(_ bytes: [UInt8], at range: Range<Int>) -> Bool {
        var lines = LineReader(bytes, in: range)
        lines.skipEmptyLines()
        return bytes[lines.position..<range.upperBound].starts(with: Array("HTTP/".utf8))
    }

    /// Bytes stand as they are (OData 4.01 Part 1 § 11.7.7.1).
    private static func checkEncoding(
        _ headers: HTTPHeaders,
        at range: Range<Int>
    ) throws(BatchError) {
        let encoding = headers["Content-Transfer-Encoding"]?.lowercased() ?? "binary"
        guard ["binary", "8bit", "7bit"].contains(encoding) else {
            throw BatchError(
                .malformed,
                "a part has an encoding that batches do not know",
                offset: range.lowerBound
            )
        }
    }
}
