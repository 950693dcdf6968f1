import ODataAnswers

/// A media stream, or a stream property, that a stand-alone service begins with.
public struct StandaloneStream: Sendable {
    /// Where it is, relative to the service root: `Photos(1)/$value`, `People(2)/Picture`.
    public var url: String
    /// Media type, such as `image/jpeg`.
    public var contentType: String
    /// The bytes, in pieces of any size.
    public var content: any AsyncSequence<[UInt8], any Error> & Sendable

    /// Creates a stream.
    public init(
        url: String,
        contentType: String,
        content: any AsyncSequence<[UInt8], any Error> & Sendable
    ) {
        (self.url, self.contentType, self.content) = (url, contentType, content)
    }
}
