package import ODataBinding

/// A content of the store that is to be the stream of an entity.
package struct ImportedStream: Sendable {
    package var owner: EntityPath
    /// Name of the stream property; empty for the stream of a media entity.
    package var property: String
    package var content: Int64
    package var etag: String?

    package init(owner: EntityPath, property: String, content: Int64, etag: String?) {
        (self.owner, self.property) = (owner, property)
        (self.content, self.etag) = (content, etag)
    }
}
