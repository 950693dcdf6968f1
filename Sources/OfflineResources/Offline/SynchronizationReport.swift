public import OfflineOData

/// What a synchronisation did, resource by resource.
public struct SynchronizationReport: Sendable {
    /// What was done with a resource.
    public enum Action: Sendable, Hashable {
        /// The service created it.
        case insertedOnServer
        /// The service changed it.
        case updatedOnServer
        /// The service deleted it.
        case deletedOnServer
        /// The service's version has replaced the local one.
        case updatedInCache
        /// The service refused it; the change stands in the error archive.
        case failed
        /// It still waits.
        case waiting
    }

    /// A resource and what was done with it.
    public struct Resource: Sendable {
        /// URL relative to the service root; of a deleted entity it has the key.
        public let url: String
        /// Name of its entity set; nil for calls of operations.
        public let entitySet: String?
        /// What was done with it.
        public let action: Action
        /// The method of the last change.
        public let method: String
        /// Why the service refused it.
        public let failure: OfflineODataRequest.Failure?
    }

    /// The resources in the order in which their changes were made.
    public var resources: [Resource] = []
    /// What the first upload counted.
    public var upload = OfflineODataUploadResult()
    /// What the upload has come to once conflicts were decided: what was refused and then sent with success is carried out.
    public var outcome = OfflineODataUploadResult()
    /// Refused requests that were taken back, since the service's version wins.
    public var takenBackCount = 0

    /// Counts what became of the requests once conflicts were decided.
    ///
    /// - Parameters:
    ///   - sent: Those that waited before.
    ///   - archived: Those that had been refused before; a decision may have let them go.
    ///   - queue: Those that wait now.
    ///   - failed: Those in the error archive.
    ///   - lost: Those that were taken back.
    mutating func settle(
        _ sent: [Int64],
        archived: [Int64],
        queue: [OfflineODataRequest],
        failed: Set<Int64>,
        lost: Set<Int64>
    ) {
        outcome = upload
        outcome.refusedRequestIDs = upload.refusedRequestIDs.filter(failed.contains)
        takenBackCount = lost.intersection(sent + archived).count
        let waiting = Set(queue.map(\.id))
        let gone = (sent + archived).filter { !waiting.contains($0) && !failed.contains($0) }
        guard
            outcome.refusedRequestIDs != upload.refusedRequestIDs
                || !gone.allSatisfy(Set(sent).contains)
        else { return }
        outcome.failedCount = outcome.refusedRequestIDs.count
        outcome.succeededCount = gone.count { !lost.contains($0) }
        outcome.unknownCount = queue.count { $0.status == .unknownOutcome }
        outcome.parkedCount = queue.count { $0.status == .parked }
        outcome.waitingCount = queue.count - outcome.unknownCount - outcome.parkedCount
    }
}
