/// The media stream of one entity of the sample.
public struct MediaContent: Sendable {
    /// Name of the entity set.
    public let entitySet: String
    /// Key of the entity as in a URL, `01234567-89ab-4cde-8f01-23456789abcd`.
    public let key: String
    /// Media type of the bytes.
    public let contentType: String
    /// The stream itself.
    public let bytes: [UInt8]
}
