package import ODataProtocol

/// Changes to media streams inside a write transaction; a store that keeps streams offers it besides `EntityWriting`.
package protocol StreamWriting {
    /// Replaces the stream of an entity, or of a stream property where the name is not empty.
    func setStream(
        _ content: [UInt8],
        contentType: String,
        at path: EntityPath,
        property: String,
        precondition: Precondition
    ) throws
    /// Removes a stream.
    func removeStream(at path: EntityPath, property: String, precondition: Precondition) throws
}
