/// A batch as it goes over the wire.
public struct EncodedBatch: Sendable, Equatable {
    /// Value of the `Content-Type` field.
    public var contentType: String
    /// The body.
    public var body: [UInt8]

    /// Creates an encoded batch.
    public init(contentType: String, body: [UInt8]) {
        self.contentType = contentType
        self.body = body
    }
}
