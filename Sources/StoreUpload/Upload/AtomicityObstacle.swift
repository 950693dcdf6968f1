package import StoreRecords

/// Why a transaction cannot be sent as what it is; nothing of it is sent then.
package enum AtomicityObstacle: Sendable {
    /// The service takes no batches, in which alone changes take effect together (OData 4.01 Part 1 § 11.7.4); the status of its
    /// answer, where it gave one.
    case noBatch(status: Int?)
    /// Streams are too large for batches.
    case stream
    /// A change set has no order, so it can hold no two requests for one entity.
    case repeatedEntity
    /// A body names an entity that the transaction creates, and the service does not say that it takes Content-IDs there
    /// (`Capabilities.BatchSupport/ReferencesInRequestBodiesSupported`).
    case bodyReference
    /// It waits for others that wait for it, and these cannot be made one transaction.
    case circle([String])

    /// What stands in the archive for each member.
    package func failure(transaction: String, count: Int) -> QueueEntry.Failure {
        QueueEntry.Failure(
            httpStatus: httpStatus,
            code: "AtomicGroup",
            message:
                "transaction \(transaction) was not sent, nor anything of its \(count) requests: \(reason);"
                + " `errors split` lets them be sent each by itself, `errors discard` takes them back"
        )
    }

    private var httpStatus: Int {
        if case .noBatch(let status) = self { status ?? 501 } else { 0 }
    }

    private var reason: String {
        switch self {
        case .noBatch: "the service takes no batches, so they cannot take effect together"
        case .stream: "a stream cannot be sent together with other changes"
        case .repeatedEntity: "it has several requests for one entity, which cannot be made one"
        case .bodyReference:
            "one of its requests names in its body what another creates, and the service does not announce ReferencesInRequestBodiesSupported"
        case .circle(let names):
            "it waits for others that wait for it (\(names.joined(separator: " → "))), and their requests cannot be made one transaction"
        }
    }
}
