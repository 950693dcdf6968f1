public import OfflinePolicies
public import OfflineOData

/// What became of a change that policies decided about.
public struct ResourceChange: Sendable {
    /// Where a change stands.
    public enum State: Sendable, Hashable {
        /// The service has carried it out.
        case sent
        /// It waits in the request queue.
        case queued
        /// The service has another version: the change is kept, and the application decides. This is no error.
        case conflict
    }

    /// The entity as it is in the store; nil where it was deleted.
    public var entity: EntityValue?
    /// Where the change stands.
    public var state: State
}

/// What a change says beside its values.
public struct ResourceChangeOptions: Sendable {
    /// The change's own policies, before those of the resource, its path, the service and the library.
    ///
    /// A conflict resolution policy stays with the resource.
    public var policy = ResourcePolicy()
    /// Whether the change is kept where there is no network; nil leaves that to the update policy.
    public var isKeptOffline: Bool?
    /// Whether the entity is read back from the service after it was sent.
    public var reloads = false

    /// Creates options that say nothing.
    public init(policy: ResourcePolicy = ResourcePolicy(), isKeptOffline: Bool? = nil) {
        self.policy = policy
        self.isKeptOffline = isKeptOffline
    }
}
