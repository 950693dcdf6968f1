public import OfflinePolicies
public import OfflineOData

/// An object of a service as a person edits it: values in memory until ``save(isKeptOffline:)``.
public struct ResourceObject: Sendable {
    let engine: PolicyEngine
    /// The values as they are here, edits that are not saved included.
    public private(set) var entity: EntityValue
    /// URL relative to the service root; nil before it is created.
    public private(set) var url: String?
    /// Where it comes from; nil for a new one.
    public private(set) var origin: OfflineODataOrigin?
    private var policy = ResourcePolicy()

    init(engine: PolicyEngine, entity: EntityValue, url: String?, origin: OfflineODataOrigin?) {
        (self.engine, self.entity, self.url, self.origin) = (engine, entity, url, origin)
    }

    // MARK: Values

    /// The object as JSON as it is here.
    public var jsonObject: String { Self.json(entity) }

    /// Returns the object as JSON as the service has it, as far as the store knows; nil for one that the service does not have.
    public func jsonObjectPersistentState() async throws -> String? {
        guard let url else { return nil }
        let versions = try await engine.provider.conflict(for: url)
        if let known = versions.server ?? versions.base { return Self.json(known) }
        // Without a change there is one version only.
        return try await hasOfflineUpdates()
            ? nil : try await engine.provider.executeQuery(url).first.map(Self.json)
    }

    private static func json(_ entity: EntityValue) -> String {
        ODataValue.object(entity.members.filter { !$0.name.hasPrefix("@") }).json
    }

    /// Sets a property in memory; it is stored and sent with ``save(isKeptOffline:)``.
    ///
    /// - Throws: ``OfflineODataError`` where the name is empty.
    public mutating func addOrUpdateJSONProperty(_ name: String, _ value: ODataValue) throws {
        guard !name.isEmpty, !name.hasPrefix("@") else {
            throw OfflineODataError(
                .invalidInput,
                "a property needs a name that does not begin with @"
            )
        }
        entity[name] = value
    }

    // MARK: State

    /// Whether the answer came from the store.
    public var isFromStore: Bool { origin?.place == .store }

    /// Returns whether changes of it wait or were refused.
    public func hasOfflineUpdates() async throws -> Bool { try await edit() != nil }
    /// Returns whether the service has another version than the one that was changed here.
    public func hasConflict() async throws -> Bool { try await edit()?.hasConflict ?? false }
    /// Returns whether the service refused a change.
    public func hasOfflineCommitError() async throws -> Bool {
        try await edit()?.hasCommitError ?? false
    }

    private func edit() async throws -> OfflineEdit? {
        guard let url else { return nil }
        return try await engine.offlineEdits().first { $0.url == url }
    }

    // MARK: Policies

    /// Returns the policies in force: those stored with the object; those of its path for a new one.
    public func currentPolicy() async throws -> EffectivePolicy {
        var current = try await engine.policy(for: url ?? entity.entitySet)
        current.apply(policy, from: .request)
        return current
    }

    /// Sets policies; they take effect with the next save or deletion, and stay with the object then.
    public mutating func setPolicy(_ policy: ResourcePolicy) { self.policy = policy }

    /// Pins the object.
    public func pin(_ priority: PinPriority) async throws {
        guard let url else { return }
        try await engine.pin(url, priority: priority)
    }

    // MARK: Changes

    /// Creates the object, or stores and sends what was changed; online at once.
    ///
    /// A conflict is no error: the object is then in conflict.
    ///
    /// - Parameter isKeptOffline: Whether it waits where there is no network (`saveIfOffline`); nil leaves that to the update policy.
    @discardableResult
    public mutating func save(isKeptOffline: Bool? = nil) async throws -> ResourceChange.State {
        let options = ResourceChangeOptions(policy: policy, isKeptOffline: isKeptOffline)
        let change =
            try await url == nil
            ? engine.create(entity, options: options) : engine.update(entity, options: options)
        if let saved = change.entity {
            entity = saved
            url = try await engine.provider.link(of: saved)
        }
        if let url, !policy.isEmpty { try await engine.addPolicy(policy, for: url) }
        return change.state
    }

    /// Deletes the object; online at once.
    ///
    /// - Parameter isKeptOffline: Whether the deletion waits where there is no network (`deleteIfOffline`).
    @discardableResult
    public func delete(isKeptOffline: Bool? = nil) async throws -> ResourceChange.State {
        let options = ResourceChangeOptions(policy: policy, isKeptOffline: isKeptOffline)
        return try await engine.delete(entity, options: options).state
    }

    /// Deletes the object from the store, not from the service; answers whether the store has it no more.
    ///
    /// An object with changes that wait stays, and one that a defining query holds.
    @discardableResult
    public func evict() async throws -> Bool {
        guard let url else { return false }
        return try await engine.evict(entity: url)
    }

    /// Reads the object again.
    ///
    /// - Parameters:
    ///   - discardOfflineUpdates: Whether changes that wait are taken back.
    ///   - reloadFromService: Whether the service is asked; else the store's copy is taken.
    public mutating func reload(
        discardOfflineUpdates: Bool = false,
        reloadFromService: Bool = true
    ) async throws {
        guard let url else { return }
        if discardOfflineUpdates, try await hasOfflineUpdates() {
            try await engine.discardOfflineEdits(of: url)
        }
        let fetch: FetchPolicy = reloadFromService ? .fromServiceIfOnline : .fromCache
        let answer = try await engine.read(url, policy: ResourcePolicy(fetchPolicy: fetch))
        guard let now = answer.entity else { return }
        (entity, origin) = (now, answer.origin)
    }
}
