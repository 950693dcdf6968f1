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
}
