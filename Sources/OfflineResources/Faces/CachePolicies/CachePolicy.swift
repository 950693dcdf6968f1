public import OfflinePolicies

/// Where a read of a ``CachedDataStore`` is answered from.
public enum CachePolicy: String, Sendable, Hashable, CaseIterable {
    /// The service; nothing is kept. The default while the cache is off.
    case networkOnly
    /// The service; the store where the service is not reached.
    case networkElseCache
    /// The store.
    case cacheOnly
    /// The store; the service where the store has no answer.
    case cacheElseNetwork

    /// The same as policies of resources.
    public var resourcePolicy: ResourcePolicy {
        switch self {
        case .networkOnly: ResourcePolicy(fetchPolicy: .fromService, noCache: true)
        case .networkElseCache:
            ResourcePolicy(fetchPolicy: .fromServiceIfOnline, expirationPolicy: .never)
        case .cacheOnly: ResourcePolicy(fetchPolicy: .fromCache)
        case .cacheElseNetwork:
            ResourcePolicy(fetchPolicy: .fromServiceOnCacheMiss, expirationPolicy: .never)
        }
    }
}
