import ODataValues
import OfflinePolicies
public import OfflineOData
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
    /// What became of the changes that were last sent before a read.
    private let flushed = Mutex<SynchronizationReport?>(nil)
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
        let paths = ResourcePaths(
            root: provider.serviceRoot,
            templates: (provider.router.transport as? RESTTransport)?.templates
        )
        rule = PolicyRule(options, network: NetworkSwitch(source), paths: paths, events: events)
        rules = Mutex(options.conflictRules)
        observer.attach(self)
        rule.setFlush { [weak self] in await self?.sendWaitingChanges() }
        provider.router.use(rule)
        provider.router.observe(observer)
        provider.router.limitRoom(rule.room)
    }

    /// Plugs an engine into a provider whose store keeps policies: a configuration, or reads and resources with policies of their own.
    ///
    /// A provider alone knows nothing of them: it answers from the store, lets every change wait, preserves conflicts and counts no
    /// bytes. The calling thread waits for the disk.
    ///
    /// - Returns: nil where the store keeps none; the provider alone does then.
    /// - Throws: ``OfflineODataError`` where the file cannot be read.
    public static func kept(
        in provider: OfflineODataProvider,
        options: PolicyEngineOptions = PolicyEngineOptions()
    ) throws(OfflineODataError) -> PolicyEngine? {
        guard try PolicyState.isKept(provider.router) else { return nil }
        let engine = PolicyEngine(provider: provider, options: options)
        // The room for changes is known before the first of them; what cannot be read is reported by what policies decide about.
        _ = try? engine.rule.state.currentBlocking(provider.router)
        return engine
    }

    /// Decides conflicts where no resource, path or service has a policy; nil preserves both versions.
    public var conflictRules: ConflictRules? {
        get { rules.guarded { $0 } }
        set { rules.guarded { $0 = newValue } }
    }

    /// Returns what became of the changes that were sent before reads since the last call; nil where none were.
    public func takeFlushReport() -> SynchronizationReport? {
        flushed.guarded { report in
            defer { report = nil }
            return report
        }
    }

    func note(flushed report: SynchronizationReport) { flushed.guarded { $0 = report } }

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
