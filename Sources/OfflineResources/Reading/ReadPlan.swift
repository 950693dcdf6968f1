import OfflinePolicies

/// What is known of a resource's copy before a read.
struct CopyState: Sendable, Hashable {
    /// Whether the store has a copy.
    var isPresent: Bool
    /// Whether the copy is a collection without members, or says that there is no such object.
    var isEmpty = false
    /// Whether the copy has only a part of what is asked for: the service knows more.
    var isPart = false
    /// Whether the copy is stale.
    var isExpired = false

    /// Whether the service has, or may have, more than the copy.
    var lacksSomething: Bool { isEmpty || isPart }

    static let absent = CopyState(isPresent: false)
}

/// Where the answer to a read comes from; a pure function of fetch policy, network and copy.
struct ReadPlan: Sendable, Hashable {
    enum Place: Sendable, Hashable { case copy, service, nowhere }

    var place: Place
    /// Whether a refresh is scheduled beside the answer.
    var refreshes = false

    /// - Parameter isOnline: Asked where the policy depends on it.
    init(_ policy: FetchPolicy, isOnline: @autoclosure () -> Bool, copy: CopyState) {
        let held = copy.isPresent ? Place.copy : .nowhere
        let isCurrent = copy.isPresent && !copy.isExpired
        switch policy {
        case .fromCache: place = held
        case .fromService: place = isOnline() ? .service : .nowhere
        case .fromServiceIfOnline: place = isOnline() ? .service : held
        case .fromServiceOnCacheMiss:
            let isHit = copy.isPresent && !copy.lacksSomething
            place = !isHit && isOnline() ? .service : held
        case .fromServiceOnCacheMissOrExpiry:
            let isHit = isCurrent && !(copy.lacksSomething && isOnline())
            place = isHit ? .copy : isOnline() ? .service : .nowhere
        case .fromCacheScheduleRefresh: (place, refreshes) = (held, true)
        case .withRefresh:
            refreshes = isCurrent && !(copy.isPart && isOnline())
            place = refreshes ? .copy : isOnline() ? .service : .nowhere
        }
    }
}
