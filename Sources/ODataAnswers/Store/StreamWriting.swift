package import ODataBinding
package import ODataSQL
import ODataTables

/// The new content of a stream.
package enum StreamContent: Sendable {
    /// Bytes in memory with their media type.
    case bytes([UInt8], contentType: String)
    /// Bytes that stand in the file already, by the id of their content.
    case stored(Int64)
}

/// Changes to media streams inside a write transaction; a store that keeps streams offers it besides `EntityWriting`.
package protocol StreamWriting {
    /// Creates a media entity from its stream.
    func createMedia(_ content: StreamContent, at path: EntityPath) throws -> RowReference
    /// Replaces the stream of an entity, or of a stream property where the name is not empty.
    func setStream(
        _ content: StreamContent,
        at path: EntityPath,
        property: String,
        precondition: Precondition
    ) throws
    /// Removes a stream.
    func removeStream(at path: EntityPath, property: String, precondition: Precondition) throws
}

extension StreamTable {
    /// Returns the id of a content, storing it where it is in memory.
    package func content(_ content: StreamContent, etag: String? = nil) throws -> Int64 {
        switch content {
        case .bytes(let bytes, let type):
            return try add(bytes, contentType: type, etag: etag)
        case .stored(let id):
            guard try head(content: id) != nil else {
                throw EditError(.notFound, "the stream's content is not in the file any more")
            }
            if let etag { try setETag(etag, of: id) }
            return id
        }
    }
}
