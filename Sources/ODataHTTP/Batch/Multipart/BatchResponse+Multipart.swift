extension BatchResponse {
    /// Reads a multipart batch response as a client gets it.
    ///
    /// Services disagree in many small ways; whatever can be understood is. A body that breaks off, or a part that
    /// cannot be understood, ends the reading, and ``problem`` says so: parts before it count.
    /// - Throws: ``BatchError`` where the content type is none of a multipart batch.
    public init(
        multipart body: [UInt8],
        contentType: String,
        limits: BatchLimits = BatchLimits()
    ) throws(BatchError) {
        let boundary = try MultipartReader.boundary(of: contentType)
        var reader = MultipartReader(body, limits: limits, isLenient: true)
        self.init()
        do throws(BatchError) {
            try read(0..<body.count, boundary: boundary, from: &reader)
        } catch {
            problem = error
        }
    }

    private mutating func read(
        _ range: Range<Int>,
        boundary: String,
        from reader: inout MultipartReader
    ) throws(BatchError) {
        let outer = try reader.split(range, boundary: boundary)
        for range in outer.parts { try readItem(range, isWhole: true, from: &reader) }
        guard !outer.isClosed else { return }
        // A truncated head in the last part carries no answer.
        if let tail = outer.tail { try? readItem(tail, isWhole: false, from: &reader) }
        throw BatchError(
            .incomplete,
            "the closing boundary is missing",
            offset: range.upperBound
        )
    }

    private mutating func readItem(
        _ range: Range<Int>,
        isWhole: Bool,
        from reader: inout MultipartReader
    ) throws(BatchError) {
        let part = try reader.part(range)
        switch part.content {
        case .message(let message):
            guard isWhole else { return }
            items.append(.response(try Self.response(part, in: message, from: &reader)))
        case .changeSet(let boundary, let content):
            try readChangeSet(content, boundary: boundary, isWhole: isWhole, from: &reader)
        }
    }

    /// A change set whose closing boundary is missing is whole all the same where the outer boundary came.
    private mutating func readChangeSet(
        _ content: Range<Int>,
        boundary: String,
        isWhole: Bool,
        from reader: inout MultipartReader
    ) throws(BatchError) {
        let inner = try reader.split(content, boundary: boundary)
        brokenChangeSet = []
        for range in inner.parts + (isWhole ? inner.tail.map { [$0] } ?? [] : []) {
            let part = try reader.part(range)
            guard case .message(let message) = part.content else {
                throw BatchError(
                    .malformed,
                    "a change set stands in a change set",
                    offset: range.lowerBound
                )
            }
            brokenChangeSet.append(try Self.response(part, in: message, from: &reader))
        }
        guard isWhole || inner.isClosed else { return }
        items.append(.changeSet(brokenChangeSet))
        brokenChangeSet = []
    }

    private static func response(
        _ part: MultipartPart,
        in range: Range<Int>,
        from reader: inout MultipartReader
    ) throws(BatchError) -> BatchResponsePart {
        let message = try reader.message(range)
        return BatchResponsePart(
            contentID: reader.contentID(part, message: message),
            response: try message.response()
        )
    }

    // MARK: - Writing

    /// Returns the answer as a multipart body, as a service sends it.
    ///
    /// - Throws: ``BatchError`` where an answer holds what cannot be written.
    public func multipart(
        boundary: BatchBoundary = .random
    ) throws(BatchError) -> EncodedBatch {
        var writer = MultipartWriter(boundary: boundary)
        for item in items {
            switch item {
            case .response(let part): try writer.add(MultipartWriter.part(part))
            case .changeSet(let parts):
                var members: [[UInt8]] = []
                for part in parts { members.append(try MultipartWriter.part(part)) }
                try writer.addChangeSet(members)
            }
        }
        return try writer.finish()
    }
}
