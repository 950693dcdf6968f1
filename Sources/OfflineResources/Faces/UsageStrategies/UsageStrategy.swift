import OfflinePolicies

/// How an entity set is used offline.
public enum UsageStrategy: String, Sendable, Hashable, CaseIterable {
    /// The service; the store where the service is not reached. The default.
    case networkElseCache = "NETWORK_ELSE_CACHE"
    /// The service; neither reads nor changes are kept.
    case networkOnly = "NETWORK_ONLY"
    /// The store at once, then the service: the reader is answered twice.
    case cacheThenNetwork = "CACHE_THEN_NETWORK"
    /// The store; the service where the store has no answer.
    case cacheElseNetwork = "CACHE_ELSE_NETWORK"

    /// The policies of the reads, one for each answer.
    func policies(isPersistent: Bool) -> [ResourcePolicy] {
        switch self {
        case .networkElseCache: [Self.policy(.fromServiceIfOnline, isPersistent: isPersistent)]
        case .networkOnly: [ResourcePolicy(fetchPolicy: .fromService, noCache: true)]
        case .cacheThenNetwork:
            [
                Self.policy(.fromCache, isPersistent: isPersistent),
                Self.policy(.fromServiceIfOnline, isPersistent: isPersistent),
            ]
        case .cacheElseNetwork: [Self.policy(.fromServiceOnCacheMiss, isPersistent: isPersistent)]
        }
    }

    /// What is not persistent goes with the session.
    private static func policy(_ fetch: FetchPolicy, isPersistent: Bool) -> ResourcePolicy {
        ResourcePolicy(
            fetchPolicy: fetch,
            expirationPolicy: isPersistent ? .never : .onRestart,
            evictionPolicy: isPersistent ? .manual : .onExpiryAtStartup
        )
    }
}
