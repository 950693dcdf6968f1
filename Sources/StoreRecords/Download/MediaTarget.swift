package import ODataModel

/// A stream of an entity, and what the store knows of it.
package struct MediaTarget: Sendable {
    package let row: Int64
    package let source: NavigationSource
    /// Name of the stream property; empty for the stream of a media entity.
    package let property: String
    /// Where the stream is: as the service said, else by convention.
    package let link: String
    /// The stream's ETag as stated in the entity, where it says whether the stream is another one than before.
    package let etag: String?
    /// The stream's ETag as stated in the entity.
    package let statedETag: String?
    /// That of the content that is stored.
    package let storedETag: String?
    package let hasContent: Bool
    /// Whether the service has said that there is nothing, and states the same media ETag since.
    package let isKnownEmpty: Bool
    /// Whether it is read from another server than the service, whose ETags the service does not know.
    package let isElsewhere: Bool

    package init(
        row: Int64,
        source: NavigationSource,
        property: String,
        link: String,
        etag: String?,
        statedETag: String? = nil,
        storedETag: String?,
        hasContent: Bool,
        isKnownEmpty: Bool,
        isElsewhere: Bool = false
    ) {
        self.row = row
        self.source = source
        self.property = property
        self.link = link
        self.etag = etag
        self.statedETag = statedETag ?? etag
        self.storedETag = storedETag
        self.hasContent = hasContent
        self.isKnownEmpty = isKnownEmpty
        self.isElsewhere = isElsewhere
    }

    /// Whether the stream may be another one than the stored.
    package var isOutdated: Bool { !hasContent || etag == nil || etag != storedETag }
}
