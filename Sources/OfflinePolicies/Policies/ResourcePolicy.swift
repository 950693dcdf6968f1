/// Policies of a resource, a path or a request; nil where this level says nothing.
public struct ResourcePolicy: Sendable, Hashable, Codable {
    /// Where reads are answered from.
    public var fetchPolicy: FetchPolicy?
    /// When copies become stale.
    public var expirationPolicy: ExpirationPolicy?
    /// Seconds after which a copy is stale under ``ExpirationPolicy/after``.
    public var expireAfter: Int?
    /// When stale copies are deleted.
    public var evictionPolicy: EvictionPolicy?
    /// What becomes of changes made offline.
    public var updatePolicy: UpdatePolicy?
    /// Who wins conflicts.
    public var conflictResolutionPolicy: ConflictResolutionPolicy?
    /// Whether the resource is neither read from nor written to the store.
    public var noCache: Bool?

    /// Creates policies that say nothing unless given.
    public init(
        fetchPolicy: FetchPolicy? = nil,
        expirationPolicy: ExpirationPolicy? = nil,
        expireAfter: Int? = nil,
        evictionPolicy: EvictionPolicy? = nil,
        updatePolicy: UpdatePolicy? = nil,
        conflictResolutionPolicy: ConflictResolutionPolicy? = nil,
        noCache: Bool? = nil
    ) {
        self.fetchPolicy = fetchPolicy
        self.expirationPolicy = expirationPolicy
        self.expireAfter = expireAfter
        self.evictionPolicy = evictionPolicy
        self.updatePolicy = updatePolicy
        self.conflictResolutionPolicy = conflictResolutionPolicy
        self.noCache = noCache
    }

    /// Whether no policy is set.
    public var isEmpty: Bool { self == ResourcePolicy() }
}
