import ODataValues
public import OfflineOData
import Synchronization

/// A data store with a cache: four cache policies, merge policies, and callbacks that say what a synchronisation did.
///
/// The cache is off until it is switched on: reads go to the service only, and nothing is kept.
public final class CachedDataStore: Sendable {
    /// Called with every object of a synchronisation and what was done with it.
    public typealias Completion = @Sendable ([SynchronizationReport.Resource]) async -> Void
    /// Chooses the cache policy for a state of the network.
    public typealias NetworkChange = @Sendable (NetworkStatus) -> CachePolicy

    /// The engine below.
    public let engine: PolicyEngine
    private let state: Mutex<State>

    private struct State {
        var isCacheEnabled: Bool
        var policy: CachePolicy?
        var networkChange: NetworkChange?
        var runningSyncs = 0
        var completion: Completion?
        var failures: [ResourceConflict.Change: Completion] = [:]
    }

    /// Creates a data store over an engine.
    public init(engine: PolicyEngine, isCacheEnabled: Bool = false) {
        self.engine = engine
        state = Mutex(State(isCacheEnabled: isCacheEnabled))
    }

    // MARK: Cache policies

    /// Whether anything is kept.
    public var isCacheEnabled: Bool {
        get { state.guarded { $0.isCacheEnabled } }
        set { state.guarded { $0.isCacheEnabled = newValue } }
    }

    /// The policy of reads that have none of their own; network only unless set.
    public var cachePolicy: CachePolicy {
        get {
            let status = engine.networkStatus
            return state.guarded { state in
                guard state.isCacheEnabled else { return .networkOnly }
                return state.networkChange?(status) ?? state.policy ?? .networkOnly
            }
        }
        set { state.guarded { $0.policy = newValue } }
    }

    /// Lets the state of the network choose the policy from now on; nil takes ``cachePolicy`` as it was set.
    public func setCachePolicyOnNetworkChange(_ choose: NetworkChange?) {
        state.guarded { $0.networkChange = choose }
    }

    /// Reads entities; empty where the cache alone is asked and has none.
    ///
    /// - Parameter cachePolicy: The read's own policy; counts only while the cache is on.
    public func read(_ url: String, cachePolicy: CachePolicy? = nil) async throws -> [EntityValue] {
        let policy = isCacheEnabled ? cachePolicy ?? self.cachePolicy : .networkOnly
        let answer = try await engine.read(url, policy: policy.resourcePolicy)
        if answer.entities == nil, policy != .cacheOnly { throw answer.failure ?? Self.unreachable }
        return answer.entities ?? []
    }

    private static var unreachable: OfflineODataError {
        OfflineODataError(
            .communication,
            "there is no network, and the cache has no answer",
            code: .offline
        )
    }

    // MARK: Changes

    /// Creates an entity; online the store has it only after the service has accepted it.
    @discardableResult
    public func insert(_ entity: EntityValue) async throws -> EntityValue {
        let change = try await written { try await $0.create(entity, options: $1) }
        return change.entity ?? entity
    }

    /// Updates an entity; online the store has the change only after the service has accepted it.
    public func update(_ entity: EntityValue) async throws {
        _ = try await written { try await $0.update(entity, options: $1) }
    }

    /// Deletes an entity; online it leaves the store only after the service has accepted that.
    public func delete(_ entity: EntityValue) async throws {
        _ = try await written { try await $0.delete(entity, options: $1) }
    }

    /// Writes through: what the service refuses is taken back, so that the store is as before; the event log keeps the change.
    private func written(
        _ change: (PolicyEngine, ResourceChangeOptions) async throws -> ResourceChange
    ) async throws -> ResourceChange {
        let before = Set(try await engine.provider.errorArchive().map(\.id))
        do {
            return try await change(engine, ResourceChangeOptions(isKeptOffline: isCacheEnabled))
        } catch let error as OfflineODataError where error.httpStatus != nil {
            let refused = try await engine.provider.errorArchive().map(\.id)
            for id in refused where !before.contains(id) {
                try await engine.provider.discardError(id)
            }
            throw error
        }
    }

    // MARK: Synchronising

    /// Whether a synchronisation runs.
    public var isSynchronizing: Bool { state.guarded { $0.runningSyncs > 0 } }

    /// Decides conflicts of inserts, updates and deletes; nil preserves both versions.
    public var mergePolicies: ConflictRules? {
        get { engine.conflictRules }
        set { engine.conflictRules = newValue }
    }

    /// Sets what is called after each synchronisation with all objects.
    public func setSyncCompletion(_ completion: Completion?) {
        state.guarded { $0.completion = completion }
    }

    /// Sets what is called after a synchronisation with the objects whose inserts, updates or deletes failed; they stay dirty.
    public func setSyncFailure(of change: ResourceConflict.Change, _ callback: Completion?) {
        state.guarded { $0.failures[change] = callback }
    }

    /// Sends the changes that wait: inserts, updates, deletes; answers what was done with each object.
    @discardableResult
    public func syncWithServer() async throws -> [SynchronizationReport.Resource] {
        state.guarded { $0.runningSyncs += 1 }
        defer { state.guarded { $0.runningSyncs -= 1 } }
        let resources = try await engine.synchronize().resources
        try await reloadFiles(of: resources)
        let (completion, failures) = state.guarded { ($0.completion, $0.failures) }
        for (change, callback) in failures {
            let failed = resources.filter { $0.action == .failed && $0.change == change }
            if !failed.isEmpty { await callback(failed) }
        }
        await completion?(resources)
        return resources
    }

    /// Returns whether an object has changes that the service has not taken.
    public func isDirty(_ url: String) async throws -> Bool {
        let url = engine.local(url)
        return try await engine.offlineEdits().contains { $0.url == url }
    }

    /// Takes the changes of objects for synchronised: their values stay as they are, nothing is sent.
    ///
    /// - Parameter purges: Whether they are deleted from the cache, too.
    public func markAsSynced(_ urls: [String], purges: Bool = false) async throws {
        for url in urls { try await engine.markAsSynchronized(url, purges: purges) }
    }

    // MARK: Purging

    /// Deletes objects from the cache; those with changes that wait stay.
    public func purge(_ urls: [String]) async throws {
        for url in urls { try await engine.evict(entity: url) }
    }

    /// Deletes all objects of an entity set from the cache.
    public func purge(entitySet: String) async throws {
        try await engine.evict(entitySet: entitySet)
    }

    /// Deletes everything from the cache.
    public func purgeAll() async throws { try await engine.evictAll() }
}

extension SynchronizationReport.Resource {
    /// What was done here.
    fileprivate var change: ResourceConflict.Change {
        switch method {
        case "POST": .insert
        case "DELETE": .delete
        default: .update
        }
    }
}
