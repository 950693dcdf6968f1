/// What may stand in the place of a row's ETag besides an ETag.
package enum ETagState {
    /// The service has carried out a change without returning the new ETag: it has to be read before the next update.
    package static let stale = ""
}
