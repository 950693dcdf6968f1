import ODataValues
import OfflinePolicies
import StoreRecords
public import OfflineOData
import OfflineStore
import Synchronization

/// Uses entity sets offline by strategies, for a set or for a single request; the request wins.
///
/// Copies are held for the session unless persistent storage is chosen: the next ``PolicyEngine/start()`` deletes the others.
public final class OfflineHandler: Sendable {
    /// How a set is used.
    public struct Usage: Sendable, Hashable {
        /// Where reads are answered from.
        public var strategy = UsageStrategy.networkElseCache
        /// Whether copies outlive the session.
        public var usesPersistentStorage = false

        /// Creates a usage.
        public init(
            strategy: UsageStrategy = .networkElseCache,
            usesPersistentStorage: Bool = false
        ) {
            self.strategy = strategy
            self.usesPersistentStorage = usesPersistentStorage
        }
    }

    /// Bytes of a file that is kept offline, unless set: 15 MB.
    public static let defaultFileLimit = 15 << 20

    /// The engine below.
    public let engine: PolicyEngine
    private let state = Mutex<State>(State())

    private struct State {
        var usages: [String: Usage] = [:]
        var common = Usage()
        var fileLimit = OfflineHandler.defaultFileLimit
    }

    /// Creates a handler over an engine.
    public init(engine: PolicyEngine) { self.engine = engine }

    // MARK: Usage

    /// Sets how an entity set is used; of all sets where none is named.
    public func setOfflineUsage(_ usage: Usage, for entitySet: String? = nil) {
        state.guarded { state in
            guard let entitySet else {
                state.common = usage
                return
            }
            state.usages[entitySet] = usage
        }
    }

    /// Returns how an entity set is used.
    public func usage(of entitySet: String) -> Usage {
        state.guarded { $0.usages[entitySet] ?? $0.common }
    }

    /// Bytes of a file beyond which it is not kept offline.
    public var fileLimit: Int {
        get { state.guarded { $0.fileLimit } }
        set { state.guarded { $0.fileLimit = newValue } }
    }

    private func usage(_ url: String, own: Usage?) -> Usage {
        own ?? usage(of: ResourcePath(url).segments.first ?? "")
    }

    // MARK: Reading

    /// Reads entities: one answer, and two with `CACHE_THEN_NETWORK`, the second of which comes from the service.
    ///
    /// - Parameter usage: How this request is used; that of its set where nil.
    public func read(_ url: String, usage own: Usage? = nil) -> AsyncThrowingStream<
        ResourceAnswer, any Error
    > {
        let usage = usage(url, own: own)
        let policies = usage.strategy.policies(isPersistent: usage.usesPersistentStorage)
        let engine = engine
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    for (place, policy) in policies.enumerated() {
                        let answer = try await engine.read(url, policy: policy)
                        // Without a network there is nothing to say a second time.
                        if place > 0, answer.origin.place != .service { break }
                        continuation.yield(answer)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Reads entities; the last answer where there are two, none where neither store nor service has one.
    ///
    /// A collection that was removed from the store has no members offline, even if its entities stay for another one.
    public func load(_ url: String, usage: Usage? = nil) async throws -> [EntityValue] {
        var last: [EntityValue] = []
        for try await answer in read(url, usage: usage) { last = answer.entities ?? last }
        return last
    }

    /// Reads a file, the content of a media entity or a stream property, as its entity set is used; nil where there is none.
    ///
    /// A download beyond ``fileLimit`` is answered, but not kept.
    ///
    /// - Parameter url: `Photos(1)/$value`, `People(2)/Picture`.
    public func loadFile(_ url: String, usage own: Usage? = nil) async throws -> OfflineODataStream?
    {
        let usage = usage(url, own: own)
        var last: OfflineODataStream?
        for policy in usage.strategy.policies(isPersistent: usage.usesPersistentStorage) {
            let answer = try await engine.readFile(url, policy: policy, fileLimit: fileLimit)
            last = answer.content ?? last
        }
        return last
    }

    /// Returns the entities of persistent copies that a local query finds; what is held for the session only is left out.
    ///
    /// - Parameter query: The set with `$filter`, `$orderby`, `$top`, as the store's whole language has them.
    public func entitiesFromPersistentStorage(_ query: String) async throws -> [EntityValue] {
        let persistent = Set(
            try await engine.storedResources()
                .filter { $0.policy.expirationPolicy.value == .never }.map(\.id)
        )
        var found: [EntityValue] = []
        for entity in try await engine.router.storedEntities(engine.local(query)) {
            let link = try await engine.provider.link(of: entity)
            let held = try await engine.router.held(link)
            var isKept = held.isDurable || held.hasPendingChanges
            if !isKept { isKept = try await isHeld(held.row, by: persistent) }
            if isKept { found.append(entity) }
        }
        return found
    }

    private func isHeld(_ row: Int64?, by names: Set<String>) async throws -> Bool {
        guard let row else { return false }
        return try await engine.router.collections { collections in
            try collections.holding(row: row).contains { $0.isFetched && names.contains($0.name) }
        }
    }

    // MARK: Changes

    /// Saves an entity: creates it where the store does not have it, else updates it; online at once.
    ///
    /// - Parameter loadsAfterSave: Whether it is read back into the store after the service has taken it.
    @discardableResult
    public func save(
        _ entity: EntityValue,
        usage own: Usage? = nil,
        loadsAfterSave: Bool = true
    ) async throws -> ResourceChange {
        let usage = usage(entity.entitySet, own: own)
        // NETWORK_ONLY keeps no changes, either.
        var options = ResourceChangeOptions(isKeptOffline: usage.strategy != .networkOnly)
        options.reloads = loadsAfterSave && usage.strategy != .networkOnly
        return try await isStored(entity)
            ? engine.update(entity, options: options) : engine.create(entity, options: options)
    }

    private func isStored(_ entity: EntityValue) async throws -> Bool {
        // Without a key yet there is no link.
        guard let link = try? await engine.provider.link(of: entity) else { return false }
        return try await engine.router.held(link).isPresent
    }

    /// Stores a file in a media set; online at once.
    ///
    /// - Throws: ``OfflineODataError`` (`limitExceeded`) for a file beyond the limit where there is no network.
    @discardableResult
    public func saveFile(
        _ content: [UInt8],
        contentType: String,
        in entitySet: String
    ) async throws -> ResourceChange {
        guard engine.networkStatus == .online || content.count <= fileLimit else {
            throw OfflineODataError(
                .preconditionFailed,
                "the file has more than \(fileLimit) bytes, which is the limit of files that are kept offline: store it online",
                code: .limitExceeded
            )
        }
        let isKept = usage(of: entitySet).strategy != .networkOnly
        return try await engine.change(
            entitySet,
            byteCount: content.count,
            options: ResourceChangeOptions(isKeptOffline: isKept)
        ) { provider in
            try await provider.createMedia(
                EntityValue(entitySet: entitySet),
                content: content,
                contentType: contentType
            )
        }
    }

    // MARK: Deleting from storage

    /// Deletes an entity from the store, not from the service; answers whether it is gone.
    @discardableResult
    public func deleteFromStorage(_ url: String) async throws -> Bool {
        try await engine.evict(entity: url)
    }

    /// Deletes the collection of a query from the store, not from the service; entities that another one holds stay.
    @discardableResult
    public func deleteAllFromStorage(_ query: String) async throws -> Int {
        try await engine.evict(query)
    }

    /// Deletes everything of an entity set from the store, not from the service.
    @discardableResult
    public func removeAllFromStorage(_ entitySet: String) async throws -> Int {
        try await engine.evict(entitySet: entitySet)
    }
}
