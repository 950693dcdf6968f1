public import OfflinePolicies
import OfflineOData

/// How a ``PolicyEngine`` works.
public struct PolicyEngineOptions: Sendable {
    /// Policies by path and of the service; nil for those that the store keeps (see ``PolicyEngine/keep(configuration:)``).
    public var configuration: BackendConfiguration?
    /// What is in force where nothing else is said: ``EffectivePolicy/library`` or ``EffectivePolicy/storage``.
    public var defaults = EffectivePolicy.library
    /// Whether `Cache-Control` and `Expires` count where the headers of the synchronization library are absent.
    public var usesStandardCacheHeaders = false
    /// Whether policies decide about every read of the provider, live queries and requests in OData form included; else only about
    /// reads through the engine.
    ///
    /// Reads for which the calling thread waits never ask the service: they are answered as if there were no network.
    public var appliesToAllReads = false
    /// The time by which copies expire.
    public var clock: any PolicyClock = SystemPolicyClock()
    /// The network; the device's own where nil.
    public var reachability: (any ReachabilitySource)?
    /// Refreshes that run in the background at the same time.
    public var maximumConcurrentRefreshes = 2
    /// Decides conflicts where no resource, path or service has a policy; nil preserves both versions.
    public var conflictRules: ConflictRules?
    /// Whether inserts are sent before updates, and these before deletes, as far as nothing depends on another order.
    public var ordersChangesByKind = false
    /// Properties in which the device's times go along with changes made through the engine; nil for none.
    public var localTimestamps: LocalTimestamps?
    /// Whether changes that wait are sent before a read asks the service, as Sync Express does.
    public var sendsChangesBeforeReads = false
    /// Whether changes made offline are uploaded as soon as the network is reachable again.
    public var synchronizesWhenOnline = false

    /// Whether changes made by the provider are only queued, as by a tool that ends before they are sent: what must not wait
    /// is refused then, whatever the network.
    public var onlyQueues = false

    /// Creates options with the defaults.
    public init() {}
}
