package import ODataProtocol

/// A queued request as it is to be sent: every reference to a created entity is a key by now, or a reference inside its unit.
package struct OutgoingRequest: Sendable {
    /// The queue entry.
    package var entry: QueueEntry
    /// Number of the request in its batch; its Content-ID.
    package var contentID: Int
    /// URL relative to the service root, or `$1/…` for a request of the same change set.
    package var url: String
    /// OData 4.0 JSON; nil where there is none.
    package var body: String?
    /// Header fields that the request needs: preconditions, those of its own.
    package var headers: HTTPHeaders
}

/// What is sent and answered as one: a request, or the change set of a transaction.
package struct OutgoingUnit: Sendable {
    package var requests: [OutgoingRequest]
    /// Whether the requests take effect together or not at all.
    package var isChangeSet: Bool
}
