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
        rule = PolicyRule(options, NetworkSwitch(source))
        provider.router.use(rule)
    }

    /// Reads answered from the store.
    public var cacheHitCount: Int { rule.hits }
    /// Reads that went to the service, or that neither of them could answer.
    public var cacheMissCount: Int { rule.misses }

    /// Whether the service is worked with.
    public var networkStatus: NetworkStatus { network.status }

}
