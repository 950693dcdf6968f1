import OfflinePolicies
import ODataValues
public import ODataHTTP
public import OfflineOData
import OfflineStore

/// Changes about which policies decide: sent at once while online; offline they wait in the queue, or are refused.
extension PolicyEngine {
    /// Creates an entity.
    ///
    /// - Throws: ``OfflineODataError``: `offline` where it must not wait, `quotaExceeded` where the store has no room for it, and what
    ///   the service answers but for conflicts. What was refused stands in the error archive.
    @discardableResult
    public func create(
        _ entity: EntityValue,
        options: ResourceChangeOptions = ResourceChangeOptions()
    ) async throws -> ResourceChange {
        let created = stamped(entity, isCreated: true)
        let direct = DirectChange(kind: .create, url: created.entitySet, entity: created)
        return try await change(
            direct.url,
            byteCount: created.byteCount,
            options: options,
            direct: direct
        ) { provider in
            try await provider.createEntity(created)
        }
    }

    /// Updates an entity; only values that differ from the store's are sent.
    ///
    /// - Throws: ``OfflineODataError`` as ``create(_:options:)`` does.
    @discardableResult
    public func update(
        _ entity: EntityValue,
        options: ResourceChangeOptions = ResourceChangeOptions()
    ) async throws -> ResourceChange {
        let updated = stamped(entity, isCreated: false)
        let link = try await provider.link(of: updated)
        let direct = DirectChange(kind: .update, url: link, entity: updated)
        // Only what differs is queued: the store counts it when it is known.
        return try await change(direct.url, byteCount: 0, options: options, direct: direct) {
            provider in
            try await provider.updateEntity(updated)
            return updated
        }
    }

    /// Deletes an entity.
    ///
    /// - Throws: ``OfflineODataError`` as ``create(_:options:)`` does.
    @discardableResult
    public func delete(
        _ entity: EntityValue,
        options: ResourceChangeOptions = ResourceChangeOptions()
    ) async throws -> ResourceChange {
        let link = try await provider.link(of: entity)
        let direct = DirectChange(kind: .delete, url: link, entity: entity)
        return try await change(direct.url, byteCount: 0, options: options, direct: direct) {
            provider in
            try await provider.deleteEntity(entity)
            return nil
        }
    }

    /// Makes any change of the provider by the policies of a URL: media, links, operations.
    ///
    /// - Parameters:
    ///   - url: The resource whose policies decide.
    ///   - byteCount: Bytes that the change takes in the store.
    ///   - body: Makes the change; answers the entity that it is about.
    @discardableResult
    public func change(
        _ url: String,
        byteCount: Int = 0,
        options: ResourceChangeOptions = ResourceChangeOptions(),
        _ body: @Sendable (OfflineODataProvider) async throws -> EntityValue?
    ) async throws -> ResourceChange {
        try await change(
            resolved(url),
            byteCount: byteCount,
            options: options,
            direct: nil,
            body: body
        )
    }

    /// - Parameter direct: The change as it is sent past the queue where the resource must not be stored.
    private func change(
        _ url: String,
        byteCount: Int,
        options: ResourceChangeOptions,
        direct: DirectChange?,
        body: @Sendable (OfflineODataProvider) async throws -> EntityValue?
    ) async throws -> ResourceChange {
        var policy = try await policy(for: url)
        policy.apply(options.policy, from: .request)
        let isUnstored = direct != nil && policy.noCache.value
        if var direct, isUnstored, try await !isWaiting(url) {
            guard network.isOnline else { throw OfflineODataError.offline(url) }
            direct.overwrites = policy.conflictResolutionPolicy.value == .clientWins
            return try await direct.send(router)
        }
        let isKept =
            !isUnstored
            && (options.isKeptOffline ?? (policy.updatePolicy.value == .queueIfOffline))
        guard network.isOnline || isKept else { throw OfflineODataError.offline(url) }
        if byteCount > 0 {
            try await StoreQuota(router, configuration: configuration()).check(byteCount: byteCount)
        }
        // What must not wait is taken back by itself.
        let made = isKept ? nil : MadeRequests()
        let entity = try await make(noting: made) { try await body(provider) }
        let link = entity?.readLink ?? url
        if let conflicts = options.policy.conflictResolutionPolicy {
            try await addPolicy(ResourcePolicy(conflictResolutionPolicy: conflicts), for: link)
        }
        if link == url { events.send(ResourceEvent(kind: .changed, url: link, entity: entity)) }
        guard network.isOnline else { return ResourceChange(entity: entity, state: .queued) }
        let state =
            if let made { try await send(made, of: link) } else { try await send(link) }
        if state == .queued, let direct { try await stampWaiting(link, kind: direct.kind) }
        if options.reloads, state == .sent, entity != nil { try await refresh(link) }
        let read = entity == nil ? nil : try await router.storedEntity(link)
        return ResourceChange(entity: read, state: state)
    }

    /// Makes a change that has passed the policies.
    ///
    /// - Parameter made: Where its requests are noted; nil where nobody asks.
    func make<R>(noting made: MadeRequests?, _ body: () async throws -> R) async throws -> R {
        try await MadeRequests.$current.withValue(made) {
            try await PolicyObserver.$isPassed.withValue(true) { try await body() }
        }
    }

    /// Whether an entity has changes that wait: a later one goes behind them, past the store or not.
    private func isWaiting(_ url: String) async throws -> Bool {
        try await router.held(url).hasPendingChanges
    }

    /// Whether a change of a resource is to be sent past the store: it must not be stored, and no earlier change of it waits.
    public func passesStore(_ url: String) async throws -> Bool {
        guard try await policy(for: url).noCache.value else { return false }
        return try await !isWaiting(resolved(url))
    }

    /// Sends a request of a resource with `noCache` past the store, and returns the service's answer.
    ///
    /// - Throws: ``OfflineODataError`` where the body breaks a rule of the metadata, where there is no network, or the service is not
    ///   reached.
    public func sendPastStore(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard network.isOnline else { throw OfflineODataError.offline(request.url) }
        var sent = request
        sent.url = try await resolved(request.url)
        if request.method != "POST", request.headers["If-Match"] == nil {
            sent.headers["If-Match"] = try await knownVersion(sent.url) ?? "*"
        }
        return try await router.send(sent)
    }

    /// The version that a change past the store is made on, where one is known and counts.
    private func knownVersion(_ url: String) async throws -> String? {
        let conflicts = try await policy(for: url).conflictResolutionPolicy.value
        guard conflicts != .clientWins, try await router.held(url).isPresent else { return nil }
        return try await router.storedEntity(url)?.etag
    }

    // MARK: Sending

    /// Uploads what waits, and says what became of the changes of one entity, which may wait.
    private func send(_ link: String) async throws -> ResourceChange.State {
        var result = OfflineODataUploadResult()
        do {
            result = try await gate.run { [provider] in try await provider.upload() }
        } catch let error as OfflineODataError where error.category == .inUse {
            return .queued
        } catch let error as OfflineODataError where error.leavesNothingDone {
            guard error.isUnauthorized else { return .queued }
            throw error
        }
        return try await state(of: link, refused: Set(result.refusedRequestIDs))
    }

    private func state(of link: String, refused: Set<Int64>) async throws -> ResourceChange.State {
        let failed = try await requests(on: link, among: provider.errorArchive())
        guard try !Self.isConflict(failed, refused: refused) else { return .conflict }
        let waiting = try await requests(on: link, among: provider.requestQueue())
        return waiting.isEmpty ? .sent : .queued
    }

    /// Whether the service refused requests for another version of their entity.
    ///
    /// - Throws: ``OfflineODataError`` where it refused one for another reason just now.
    static func isConflict(_ failed: [OfflineODataRequest], refused: Set<Int64>)
        throws(OfflineODataError) -> Bool
    {
        let failures = failed.compactMap { request in request.failure.map { (request.id, $0) } }
        for (id, failure) in failures
        where refused.contains(id) && !conflicting.contains(failure.httpStatus) {
            throw OfflineODataError(
                .server,
                "the service answered \(failure.httpStatus): \(failure.message)",
                httpStatus: failure.httpStatus
            )
        }
        return failures.contains { conflicting.contains($0.1.httpStatus) }
    }

    /// Answers that report another version (RFC 9110 §§ 15.5.10, 15.5.13; RFC 6585 § 3).
    static let conflicting: Set<Int> = [409, 412, 428]

    func requests(on link: String, among requests: [OfflineODataRequest]) async throws
        -> [OfflineODataRequest]
    {
        let links = try await provider.affectedEntities(of: requests)
        return requests.filter { (links[$0.id] ?? $0.url) == link }
    }

    private var now: Date { options.clock.now }

    // MARK: Times of the device

    /// An entity with the device's times, where the change waits for a synchronisation.
    private func stamped(_ entity: EntityValue, isCreated: Bool) -> EntityValue {
        guard !network.isOnline, let timestamps = options.localTimestamps else { return entity }
        var stamped = entity
        timestamps.apply(to: &stamped, isCreated: isCreated, at: now)
        return stamped
    }

    /// Adds the device's times to a change that waits although there seemed to be a network.
    private func stampWaiting(_ link: String, kind: DirectChange.Kind) async throws {
        guard kind != .delete, let timestamps = options.localTimestamps,
            let waiting = try await requests(on: link, among: provider.requestQueue()).last,
            waiting.status == .pending,
            case .object(var members)? = waiting.body.flatMap(ODataValue.init(json:))
        else { return }
        for (name, value) in timestamps.values(isCreated: kind == .create, at: now)
        where !members.contains(where: { $0.name == name }) { members.append((name, value)) }
        try await provider.editRequest(waiting.id, body: ODataValue.object(members).json)
    }
}

extension EntityValue {
    /// Bytes of its values as JSON.
    fileprivate var byteCount: Int { ODataValue.object(members).json.utf8.count }
}

extension OfflineODataError.Code {
    /// There is no network, and the update policy does not let the change wait.
    public static let offline: OfflineODataError.Code = "offline"
}

extension OfflineODataError {
    /// - Parameter isOnline: Whether the service could be asked, were the change not only to be queued.
    static func offline(_ url: String, isOnline: Bool = false) -> OfflineODataError {
        let reason =
            isOnline
            ? "the policies of \(url) do not let the change wait in the queue (UPDATE_IF_ONLINE or noCache): make it by a call or a command of its own, which sends it at once"
            : "there is no network, and the policies of \(url) do not let the change wait (UPDATE_IF_ONLINE or noCache): try again online"
        return OfflineODataError(.preconditionFailed, reason, code: .offline)
    }
}
