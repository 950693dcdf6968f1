import OfflinePolicies
import StoreRecords
import OfflineOData

/// Sessions, expiry and eviction; entities with pending changes stay whatever is evicted.
extension PolicyEngine {
    /// Begins a session: to be called when the application starts, online or not.
    ///
    /// Copies that expire on restart are stale from now on; stale ones whose policy says so are evicted; refreshes begin as
    /// `periodicRefreshPolicy` says.
    ///
    /// - Returns: How many entities were evicted.
    @discardableResult
    public func start() async throws -> Int {
        if let transport = router.transport as? RESTTransport { try transport.keep(in: provider) }
        try await rule.state.beginSession(router)
        let purges = try await configuration().purgesOnStartup
        var count = try await evict { purges || $0.isEvictedWhenExpired && $0.isSurelyExpired }
        if purges { count += try await router.releaseUnheld() }
        try await wipeUnstorable()
        rule.fetches.resume()
        try await beginRefreshing()
        if options.synchronizesWhenOnline { watchNetwork() }
        return count
    }

    /// Deletes the copy of a read; answers how many entities left the store.
    ///
    /// Entities that other stored collections, defining queries or pending changes hold stay.
    @discardableResult
    public func evict(_ url: String) async throws -> Int {
        try await remove(PolicyRead.name(resolved(url)))
    }

    /// Removes a copy; policies and pin that the application has set stay.
    private func remove(_ name: String) async throws -> Int {
        guard let record = try await router.collection(named: name) else { return 0 }
        let before = CopyAttributes(record.attributes)
        let count = try await router.remove(collection: name)
        guard !before.own.isEmpty || before.pin != .normal else { return count }
        try await changeAttributes(named: name, url: record.url) {
            ($0.own, $0.pin) = (before.own, before.pin)
        }
        return count
    }

    /// Deletes the copies that are stale; answers how many entities left the store.
    @discardableResult
    public func evictExpired() async throws -> Int {
        try await evict(where: \.isSurelyExpired)
    }

    /// Deletes every copy that a fetch policy made, and what was uploaded and nothing holds; answers how many entities left the store.
    @discardableResult
    public func evictAll() async throws -> Int {
        try await evict { _ in true } + router.releaseUnheld()
    }

    /// Deletes the copies of an entity set: its collections and single entities; answers how many entities left the store.
    @discardableResult
    public func evict(entitySet: String) async throws -> Int {
        let set = try await resolved(entitySet)
        return try await evict { ResourcePath($0.collection.url).segments.first == set }
            + router.releaseUnheld(of: set)
    }

    /// Deletes one entity from every copy; answers whether it left the store, which it does not where a defining query or a pending
    /// change holds it.
    @discardableResult
    public func evict(entity url: String) async throws -> Bool {
        let url = try await resolved(url)
        let count = try await evict(url)
        return try await router.release(url) || count > 0
    }

    @discardableResult
    private func evict(where isChosen: (CopyAge) -> Bool) async throws -> Int {
        var count = 0
        for age in try await ages() where age.hasCopy && isChosen(age) {
            try Task.checkCancellation()
            count += try await remove(age.collection.name)
        }
        return count
    }
}

extension CopyAge {
    /// Whether the policies stored with the copy let it go at the first start after its expiry.
    var isEvictedWhenExpired: Bool {
        let policy = attributes.own.evictionPolicy ?? attributes.policy?.evictionPolicy.value
        return policy == .onExpiryAtStartup
    }
}
