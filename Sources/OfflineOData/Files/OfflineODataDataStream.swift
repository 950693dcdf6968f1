/// A media stream, or a stream property, as data.
public struct OfflineODataDataStream: Sendable, Hashable {
    /// Where it is, relative to the service root: `Photos(1)/$value`, `People(2)/Picture`.
    public var url: String
    /// Media type, such as `image/jpeg`.
    public var contentType: String
    /// The service's ETag of the content; nil where it has not given one.
    public var etag: String?
    /// The bytes.
    public var content: [UInt8]

    /// Creates a stream.
    public init(url: String, contentType: String, etag: String? = nil, content: [UInt8]) {
        self.url = url
        self.contentType = contentType
        self.etag = etag
        self.content = content
    }
}
