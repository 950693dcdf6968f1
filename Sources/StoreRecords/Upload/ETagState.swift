/// What may stand in the place of a row's ETag besides an ETag.
package enum ETagState {
    /// The service has carried out a change without returning the new ETag: it has to be read before the next update.
    package static let stale = ""

    /// A change of a stream was made on a content without an ETag, and the service has another content since.
    package static let overtaken = "overtaken"

    /// Whether the service has to be looked at before a change that was made on an ETag, since the ETag is none.
    package static func needsLook(_ etag: String?) -> Bool { etag == stale || etag == overtaken }
}
