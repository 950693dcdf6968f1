import ODataHTTP

/// A media stream, or a stream property, as data that is read piece by piece, from a file for example.
public struct OfflineODataDataContent: Sendable {
    /// Where it is, relative to the service root: `Photos(1)/$value`, `People(2)/Picture`.
    public var url: String
    /// Media type, such as `image/jpeg`.
    public var contentType: String
    /// The service's ETag of the content; nil where it has not given one.
    public var etag: String?
    /// What errors name as its place: the path of its file.
    public var place: String
    /// Pieces of any size.
    public var pieces: any AsyncSequence<[UInt8], any Error> & Sendable

    /// Creates a content.
    public init(
        url: String,
        contentType: String,
        etag: String? = nil,
        place: String,
        pieces: any AsyncSequence<[UInt8], any Error> & Sendable
    ) {
        self.url = url
        self.contentType = contentType
        self.etag = etag
        self.place = place
        self.pieces = pieces
    }

    /// A stream in memory.
    init(_ stream: OfflineODataDataStream, of set: String) {
        self.init(
            url: stream.url,
            contentType: stream.contentType,
            etag: stream.etag,
            place: set,
            pieces: HTTPBody(stream.content)
        )
    }
}
