extension BatchRequest {
    /// Reads a multipart batch request as a service gets it; it must have come whole.
    ///
    /// - Throws: ``BatchError`` where the body is not as it must be.
    public init(
        multipart body: [UInt8],
        contentType: String,
        limits: BatchLimits = BatchLimits()
    ) throws(BatchError) {
        let boundary = try MultipartReader.boundary(of: contentType)
        var reader = MultipartReader(body, limits: limits, isLenient: false)
        let outer = try reader.split(0..<body.count, boundary: boundary)
        try Self.checkEnd(outer, at: body.count)
        items = []
        for range in outer.parts { items.append(try Self.item(range, from: &reader)) }
    }

    private static func item(
        _ range: Range<Int>,
        from reader: inout MultipartReader
    ) throws(BatchError) -> Item {
        let part = try reader.part(range)
        switch part.content {
        case .message(let message):
            return .request(try request(part, in: message, from: &reader))
        case .changeSet(let boundary, let content):
            let inner = try reader.split(content, boundary: boundary)
            try checkEnd(inner, at: content.upperBound)
            var members: [BatchPart] = []
            for range in inner.parts {
                let part = try reader.part(range)
                guard case .message(let message) = part.content else {
                    throw BatchError(
                        .malformed,
                        "a change set stands in a change set",
                        offset: range.lowerBound
                    )
                }
                members.append(try request(part, in: message, from: &reader))
            }
            return .changeSet(members)
        }
    }

    private static func request(
        _ part: MultipartPart,
        in range: Range<Int>,
        from reader: inout MultipartReader
    ) throws(BatchError) -> BatchPart {
        let message = try reader.message(range)
        return BatchPart(
            contentID: reader.contentID(part, message: message),
            request: try message.request()
        )
    }

    /// Half a batch must not be carried out.
    private static func checkEnd(_ body: MultipartBody, at offset: Int) throws(BatchError) {
        guard body.isClosed else {
            throw BatchError(.incomplete, "the closing boundary is missing", offset: offset)
        }
    }

    // MARK: - Writing

    /// Returns the batch as a multipart body.
    ///
    /// - Throws: ``BatchError`` where a request holds what cannot be written.
    public func multipart(
        boundary: BatchBoundary = .random
    ) throws(BatchError) -> EncodedBatch {
        var writer = MultipartWriter(boundary: boundary)
        for item in items {
            switch item {
            case .request(let part): try writer.add(MultipartWriter.part(part))
            case .changeSet(let parts):
                var members: [[UInt8]] = []
                for part in parts { members.append(try MultipartWriter.part(part)) }
                try writer.addChangeSet(members)
            }
        }
        return try writer.finish()
    }
}
