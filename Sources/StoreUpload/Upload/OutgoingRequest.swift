package import StoreRecords
package import ODataHTTP

/// A queued request as it is to be sent: every reference to a created entity is a key by now, or a reference inside its unit.
///
/// Nothing else leaves the queue, and none can be made that holds a local id.
package struct OutgoingRequest: Sendable {
    /// The queue entry.
    package var entry: QueueEntry
    /// Number of the request in its batch; its Content-ID.
    package var contentID: Int
    /// The method in the service's version.
    package let method: String
    /// URL relative to the service root, or `$1/…` for a request of the same change set.
    package let url: String
    /// JSON in the service's version, or XML; nil where there is none.
    package let body: String?
    /// Header fields that the request needs: preconditions, those of its own.
    package var headers: HTTPHeaders
    /// Whether the ETag of the entity, or of the stream, is not known any more: it has to be read before this is sent.
    package var hasStaleETag = false
    /// Whether the service has never stated an ETag of the entity, so that it is unknown whether it has one.
    package var isETagUnstated = false
    /// Whether it changes a link by a foreign key of which a download has brought a newer value: it is not sent.
    package var isInConflict = false
    /// URL of the entity with the newer value, where it is another than the one that the request is about.
    package var conflictURL: String?
    /// URL of the entity whose stream it changes, where the service has given the stream a URL of its own; nil else.
    package var streamOwner: String?
    /// Whether the service was seen without the entity.
    package var isSeenGone = false
    /// Whether the body is Atom, or a link in XML.
    package var isAtom = false

    /// - Throws: ``UnsendableRequest`` where a local id is left in URL, header or body.
    package init(
        entry: QueueEntry,
        contentID: Int,
        method: String,
        url: String,
        body: String?,
        headers: HTTPHeaders,
        hasStaleETag: Bool = false
    ) throws(UnsendableRequest) {
        self.entry = entry
        self.contentID = contentID
        self.method = method
        self.url = url
        self.body = body
        self.headers = headers
        self.hasStaleETag = hasStaleETag
        let parts =
            [("URL", url), ("body", body ?? "")] + headers.fields.map { ($0.name, $0.value) }
        for (part, text) in parts where LocalIDText.isIn(text) {
            throw UnsendableRequest.localID(in: part, of: entry.id)
        }
    }
}

/// What is sent and answered as one: a request, or the change set of a transaction.
package struct OutgoingUnit: Sendable {
    package var requests: [OutgoingRequest]
    /// Whether the requests take effect together or not at all.
    package var isChangeSet: Bool
    /// Why it cannot be sent as what it is.
    package var obstacle: AtomicityObstacle?
}

extension OutgoingUnit {
    /// Bytes of the bodies.
    var byteCount: Int { requests.reduce(0) { $0 + ($1.body?.utf8.count ?? 0) } }
}
