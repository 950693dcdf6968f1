/// Every policy of a resource, each with the level it comes from.
public struct EffectivePolicy: Sendable, Hashable {
    /// Where reads are answered from.
    public var fetchPolicy: ResolvedPolicy<FetchPolicy>
    /// When copies become stale.
    public var expirationPolicy: ResolvedPolicy<ExpirationPolicy>
    /// Seconds after which a copy is stale under ``ExpirationPolicy/after``; `Int.max` means never.
    public var expireAfter: ResolvedPolicy<Int>
    /// When stale copies are deleted.
    public var evictionPolicy: ResolvedPolicy<EvictionPolicy>
    /// What becomes of changes made offline.
    public var updatePolicy: ResolvedPolicy<UpdatePolicy>
    /// Who wins conflicts.
    public var conflictResolutionPolicy: ResolvedPolicy<ConflictResolutionPolicy>
    /// Whether the resource is neither read from nor written to the store.
    public var noCache: ResolvedPolicy<Bool>

    /// The library's defaults.
    public static let library = EffectivePolicy(
        fetchPolicy: ResolvedPolicy(.fromServiceIfOnline, from: .library),
        expirationPolicy: ResolvedPolicy(.onRestart, from: .library),
        expireAfter: ResolvedPolicy(Int.max, from: .library),
        evictionPolicy: ResolvedPolicy(.manual, from: .library),
        updatePolicy: ResolvedPolicy(.queueIfOffline, from: .library),
        conflictResolutionPolicy: ResolvedPolicy(.preserveConflict, from: .library),
        noCache: ResolvedPolicy(false, from: .library)
    )

    /// The library's defaults for storage objects (files).
    public static let storage = EffectivePolicy(
        fetchPolicy: ResolvedPolicy(.fromServiceIfOnline, from: .library),
        expirationPolicy: ResolvedPolicy(.after, from: .library),
        expireAfter: ResolvedPolicy(86_400, from: .library),
        evictionPolicy: ResolvedPolicy(.onExpiryAtStartup, from: .library),
        updatePolicy: ResolvedPolicy(.queueIfOffline, from: .library),
        conflictResolutionPolicy: ResolvedPolicy(.serverWins, from: .library),
        noCache: ResolvedPolicy(false, from: .library)
    )

    /// The values without their levels, as they are stored with a resource.
    public var values: ResourcePolicy {
        ResourcePolicy(
            fetchPolicy: fetchPolicy.value,
            expirationPolicy: expirationPolicy.value,
            expireAfter: expireAfter.value,
            evictionPolicy: evictionPolicy.value,
            updatePolicy: updatePolicy.value,
            conflictResolutionPolicy: conflictResolutionPolicy.value,
            noCache: noCache.value
        )
    }

    /// The values that one level has set.
    package func values(from level: PolicyLevel) -> ResourcePolicy {
        func own<Value>(_ policy: ResolvedPolicy<Value>) -> Value? {
            policy.level == level ? policy.value : nil
        }
        return ResourcePolicy(
            fetchPolicy: own(fetchPolicy),
            expirationPolicy: own(expirationPolicy),
            expireAfter: own(expireAfter),
            evictionPolicy: own(evictionPolicy),
            updatePolicy: own(updatePolicy),
            conflictResolutionPolicy: own(conflictResolutionPolicy),
            noCache: own(noCache)
        )
    }

    /// Replaces the values that a level sets.
    package mutating func apply(
        _ policy: ResourcePolicy,
        from level: PolicyLevel,
        pattern: String? = nil
    ) {
        func resolved<Value>(_ value: Value) -> ResolvedPolicy<Value> {
            ResolvedPolicy(value, from: level, pattern: pattern)
        }
        if let value = policy.fetchPolicy { fetchPolicy = resolved(value) }
        if let value = policy.expirationPolicy { expirationPolicy = resolved(value) }
        if let value = policy.expireAfter { expireAfter = resolved(value) }
        if let value = policy.evictionPolicy { evictionPolicy = resolved(value) }
        if let value = policy.updatePolicy { updatePolicy = resolved(value) }
        if let value = policy.conflictResolutionPolicy {
            conflictResolutionPolicy = resolved(value)
        }
        if let value = policy.noCache { noCache = resolved(value) }
    }

    /// Keeps what an earlier answer has said where a later one that brings nothing new says nothing (RFC 9111 § 4.3.4).
    package mutating func keepHeaders(of earlier: EffectivePolicy?) {
        guard let earlier else { return }
        let own = values(from: .header)
        apply(earlier.values(from: .header), from: .header)
        apply(own, from: .header)
    }

    /// Gives up what a request has said, where it is what other policies say: it came from them.
    package mutating func forget(_ policy: ResourcePolicy) {
        func forgotten<Value>(_ own: inout ResolvedPolicy<Value>, _ value: Value?) {
            if own.level == .request, own.value == value { own.level = .library }
        }
        forgotten(&fetchPolicy, policy.fetchPolicy)
        forgotten(&expirationPolicy, policy.expirationPolicy)
        forgotten(&expireAfter, policy.expireAfter)
        forgotten(&evictionPolicy, policy.evictionPolicy)
        forgotten(&updatePolicy, policy.updatePolicy)
        forgotten(&conflictResolutionPolicy, policy.conflictResolutionPolicy)
        forgotten(&noCache, policy.noCache)
    }

    /// Replaces the values about which something was said when other policies were worked out; the library's defaults give way.
    package mutating func apply(saidIn other: EffectivePolicy) {
        func said<Value>(_ own: inout ResolvedPolicy<Value>, _ other: ResolvedPolicy<Value>) {
            if other.level != .library { own = other }
        }
        said(&fetchPolicy, other.fetchPolicy)
        said(&expirationPolicy, other.expirationPolicy)
        said(&expireAfter, other.expireAfter)
        said(&evictionPolicy, other.evictionPolicy)
        said(&updatePolicy, other.updatePolicy)
        said(&conflictResolutionPolicy, other.conflictResolutionPolicy)
        said(&noCache, other.noCache)
    }
}
