/// Where a read is answered from: the store, the service, or both.
///
/// Raw values are the names that configuration files use.
public enum FetchPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// The store only, online or not. Missing: nil for an object, an empty collection otherwise.
    case fromCache = "FETCH_FROM_CACHE"
    /// The service only; nil while offline.
    case fromService = "FETCH_FROM_SERVICE"
    /// The service while online, which refreshes the store; the store while offline, also with stale copies. The default.
    case fromServiceIfOnline = "FETCH_FROM_SERVICE_IF_ONLINE"
    /// The store where it holds the resource, stale or not; else the service.
    case fromServiceOnCacheMiss = "FETCH_FROM_SERVICE_ON_CACHE_MISS"
    /// The store where it holds the resource and the copy is not stale; else the service.
    case fromServiceOnCacheMissOrExpiry = "FETCH_FROM_SERVICE_ON_CACHE_MISS_OR_EXPIRY"
    /// The store at once; a refresh follows in the background.
    case fromCacheScheduleRefresh = "FETCH_FROM_CACHE_SCHEDULE_REFRESH"
    /// The store where its copy is not stale, with a refresh in the background; else the service.
    case withRefresh = "FETCH_WITH_REFRESH"

    /// Whether a stale copy is an answer where there is no network.
    public var usesStaleCopies: Bool {
        switch self {
        case .fromService, .fromServiceOnCacheMissOrExpiry, .withRefresh: false
        case .fromCache, .fromServiceIfOnline, .fromServiceOnCacheMiss, .fromCacheScheduleRefresh:
            true
        }
    }
}
