/// How a batch is written.
public enum BatchFormat: Sendable, Equatable {
    /// `multipart/mixed`, which every version knows (OData 4.01 Part 1 § 11.7.7).
    case multipart
    /// `application/json`, from 4.01 on and only where a service says so (OData 4.01 JSON § 19).
    case json

    /// The format that a `Content-Type` field names, nil for all others.
    public init?(contentType: String) {
        guard let type = MediaType(contentType) else { return nil }
        if type.isType("multipart/mixed") {
            self = .multipart
        } else if type.isType("application/json") {
            self = .json
        } else {
            return nil
        }
    }

    static func named(by contentType: String) throws(BatchError) -> BatchFormat {
        guard let format = BatchFormat(contentType: contentType) else {
            throw BatchError(.wrongContentType, "the content type is none that batches have")
        }
        return format
    }
}

extension BatchRequest {
    /// Reads a batch request as a service gets it, in whatever format.
    ///
    /// - Throws: ``BatchError`` where the body is not as it must be, or ends too early.
    public init(
        reading body: [UInt8],
        contentType: String,
        limits: BatchLimits = BatchLimits()
    ) throws(BatchError) {
        switch try BatchFormat.named(by: contentType) {
        case .multipart:
            try self.init(multipart: body, contentType: contentType, limits: limits)
        case .json: try self.init(json: body, limits: limits)
        }
    }

    /// Returns the batch as a body.
    ///
    /// - Throws: ``BatchError`` where a request holds what cannot be written.
    public func encoded(
        as format: BatchFormat,
        boundary: BatchBoundary = .random
    ) throws(BatchError) -> EncodedBatch {
        switch format {
        case .multipart: try multipart(boundary: boundary)
        case .json: try json()
        }
    }
}

extension BatchResponse {
    /// Reads a batch response as a client gets it, in whatever format; see ``problem`` for one that breaks off.
    ///
    /// - Throws: ``BatchError`` where the content type is none that batches have.
    public init(
        reading body: [UInt8],
        contentType: String,
        limits: BatchLimits = BatchLimits()
    ) throws(BatchError) {
        switch try BatchFormat.named(by: contentType) {
        case .multipart:
            try self.init(multipart: body, contentType: contentType, limits: limits)
        case .json: self.init(json: body, limits: limits)
        }
    }

    /// Returns the answer as a body.
    ///
    /// - Throws: ``BatchError`` where an answer holds what cannot be written.
    public func encoded(
        as format: BatchFormat,
        boundary: BatchBoundary = .random
    ) throws(BatchError) -> EncodedBatch {
        switch format {
        case .multipart: try multipart(boundary: boundary)
        case .json: try json()
        }
    }
}
