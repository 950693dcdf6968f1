public import OfflineOData
import ODataProtocol
import Synchronization

/// Applies fetch, expiration, eviction, update and conflict policies to the reads and changes of a provider.
///
/// It plugs into the provider: copies are stored collections of the same store, changes are entries of the same queue. Call
/// ``start()`` when the application starts: copies that expire on restart are stale from then on, and expired ones may be evicted.
///
///     let engine = PolicyEngine(provider: provider, options: options)
///     try await engine.start()
///     let answer = try await engine.read("WorkOrders?$top=20", policy: ResourcePolicy(fetchPolicy: .withRefresh))
public final class PolicyEngine: Sendable {
    /// The provider whose store is used.
    public let provider: OfflineODataProvider
    let rule: PolicyRule
    /// Work that goes on until ``stop()``.
    let tasks = Mutex<[Task<Void, Never>]>([])
    let gate = UploadGate()
    let events: Broadcast<ResourceEvent>
    /// Requests that settlements of conflicts have taken back since the last report.
    let settled = Mutex<Set<Int64>>([])
    /// The application's types for objects, by entity set.
    let objectTypes = Mutex<[String: ResourceObjectType]>([:])
    private let rules: Mutex<ConflictRules?>
    private let observer = PolicyObserver()

    var router: ReadRouter { provider.router }
    var options: PolicyEngineOptions { rule.options }
    var network: NetworkSwitch { rule.network }

    /// Creates an engine and plugs it into a provider; one for each provider.
    public init(
        provider: OfflineODataProvider,
        options: PolicyEngineOptions = PolicyEngineOptions()
    ) {
        self.provider = provider
        let source =
            options.reachability ?? SystemReachability(serviceRoot: provider.serviceRoot)
        events = Broadcast(keepsAll: true)
        rule = PolicyRule(options, NetworkSwitch(source), events)
        rules = Mutex(options.conflictRules)
        observer.attach(self)
        if options.sendsChangesBeforeReads {
            rule.setFlush { [weak self] in await self?.sendWaitingChanges() }
        }
        provider.router.use(rule)
        provider.router.observe(observer)
        provider.router.limitRoom(rule.room)
    }

    /// Decides conflicts where no resource, path or service has a policy; nil preserves both versions.
    public var conflictRules: ConflictRules? {
        get { rules.guarded { $0 } }
        set { rules.guarded { $0 = newValue } }
    }

    /// The type that is registered for the objects of a path; nil where there is none.
    func objectType(of path: String) -> ResourceObjectType? {
        let set = ResourcePath(path).segments.first ?? ""
        return objectTypes.guarded { $0[set] }
    }

    /// Reads answered from the store.
    public var cacheHitCount: Int { rule.hits }
    /// Reads that went to the service, or that neither of them could answer.
    public var cacheMissCount: Int { rule.misses }

    /// Whether the service is worked with.
    public var networkStatus: NetworkStatus { network.status }

}
