import ODataValues
import OfflineOData
import OfflineStore
import Synchronization

/// Working offline, by choice or not, and what waits meanwhile.
extension PolicyEngine {
    /// Works offline while there is a network, or online again.
    ///
    /// Back online, all changes made offline are synchronised at once. Without a network the choice has no effect until there is one.
    public func setOfflineMode(_ isOffline: Bool) async throws {
        network.set(isOffByChoice: isOffline)
        if !isOffline, network.isOnline { try await synchronize() }
    }

    /// Returns the resources with changes that the service has not taken, in the order in which they were first changed.
    public func offlineEdits() async throws -> [OfflineEdit] {
        let conflicts = Set(try await router.conflicts().map(\.url))
        let requests = try await provider.requestQueue() + provider.errorArchive()
        let links = try await links(of: requests)
        var order: [String] = []
        var grouped: [String: [OfflineODataRequest]] = [:]
        for request in requests.sorted(by: { $0.id < $1.id }) {
            let url = links[request.id] ?? request.url
            if grouped[url] == nil { order.append(url) }
            grouped[url, default: []].append(request)
        }
        return order.map { url in
            let own = grouped[url] ?? []
            return OfflineEdit(
                url: url,
                entitySet: own.first?.entitySet,
                requests: own,
                hasConflict: conflicts.contains(url)
            )
        }
    }

    /// Takes back every change that the service has not taken; the service's versions come back.
    public func discardOfflineEdits() async throws {
        try await provider.undoAllPendingChanges()
    }

    /// Takes back the changes of one resource; the service's version comes back.
    ///
    /// - Parameter reloads: Whether it is also fetched from the service.
    public func discardOfflineEdits(of url: String, reloads: Bool = false) async throws {
        let url = try await resolved(url)
        try await provider.undoPendingChanges(url)
        if reloads { try await refresh(url) }
    }

    /// Drops the changes of a resource from the queue without taking back their effect: the local values stay.
    ///
    /// - Parameter purges: Whether its copy is deleted from the store, too.
    public func markAsSynchronized(_ url: String, purges: Bool = false) async throws {
        let url = try await resolved(url)
        try await router.markAsSynchronized(url)
        if purges { try await evict(entity: url) }
    }

    // MARK: Synchronising

    /// Sends what waits, decides conflicts, and says what became of each resource.
    ///
    /// - Parameter categories: Sends the changes of these upload categories alone; nil sends all.
    /// - Throws: ``OfflineODataError`` where the connection failed; calling again goes on.
    @discardableResult
    public func synchronize(categories: [String]? = nil) async throws -> SynchronizationReport {
        let before = try await provider.requestQueue()
        let archived = try await provider.errorArchive().map(\.id)
        let links = try await links(of: before)
        let upload = try await gate.run { [provider] in
            try await provider.upload(categories: categories)
        }
        let failed = Dictionary(
            try await provider.errorArchive().map { ($0.id, $0) },
            uniquingKeysWith: { $1 }
        )
        let queue = try await provider.requestQueue()
        let waiting = Set(queue.map(\.id))
        let lost = try await takenBack()
        var report = SynchronizationReport(upload: upload)
        for request in before {
            let url = links[request.id] ?? request.url
            let action: SynchronizationReport.Action =
                failed[request.id] != nil
                ? .failed
                : waiting.contains(request.id)
                    ? .waiting : lost.contains(request.id) ? .updatedInCache : Self.action(request)
            report.resources.append(
                SynchronizationReport.Resource(
                    url: url,
                    entitySet: request.entitySet,
                    action: action,
                    method: request.method,
                    failure: failed[request.id]?.failure
                )
            )
        }
        report.settle(
            before.map(\.id),
            archived: archived,
            queue: queue,
            failed: Set(failed.keys),
            lost: lost
        )
        await readBack(report)
        await publish(report)
        return report
    }

    /// Reads what was created at a plain REST service: no defining query ever brings it.
    private func readBack(_ report: SynchronizationReport) async {
        guard router.transport is RESTTransport else { return }
        for resource in report.resources where resource.action == .insertedOnServer {
            guard let entity = try? await router.storedEntity(resource.url),
                let link = try? await provider.link(of: entity),
                let held = try? await router.held(link), !held.isDurable
            else { continue }
            // What cannot be read now is read when the application asks for it.
            try? await refresh(link)
        }
    }

    /// Sends what waits before a read; a read does not fail for it.
    func sendWaitingChanges() async {
        guard !PolicyObserver.isSettling, (try? await provider.requestQueueIsEmpty()) == false
        else {
            return
        }
        if let report = try? await synchronize() { note(flushed: report) }
    }

    private static func action(_ request: OfflineODataRequest) -> SynchronizationReport.Action {
        switch request.method {
        case "POST": .insertedOnServer
        case "DELETE": .deletedOnServer
        default: .updatedOnServer
        }
    }

    /// Requests that the last settlement of conflicts has taken back.
    private func takenBack() async throws -> Set<Int64> {
        settled.guarded { ids in
            defer { ids = [] }
            return ids
        }
    }

    /// The read links of the entities that requests are about.
    func links(of requests: [OfflineODataRequest]) async throws -> [OfflineODataRequest.ID: String]
    {
        try await provider.affectedEntities(of: requests)
    }

    // MARK: Events

    /// Returns what happens to resources from now on; any number of observers can follow.
    public func resourceEvents() -> AsyncStream<ResourceEvent> { events.stream() }

    /// Reports what a download has updated or removed.
    func report(_ changes: [RowChange]) async {
        for change in changes {
            let entity = change.isRemoved ? nil : try? await router.storedEntity(change.url)
            events.send(ResourceEvent(kind: .changed, url: change.url, entity: entity))
        }
    }

    private func publish(_ report: SynchronizationReport) async {
        let taken: [SynchronizationReport.Action] = [
            .insertedOnServer, .updatedOnServer, .deletedOnServer,
        ]
        var published: Set<String> = []
        for resource in report.resources
        where taken.contains(resource.action) && published.insert(resource.url).inserted {
            let entity = try? await router.storedEntity(resource.url)
            events.send(ResourceEvent(kind: .synchronized, url: resource.url, entity: entity))
        }
    }

    // MARK: Coming back

    /// Synchronises whenever the network comes back, until ``stop()``.
    func watchNetwork() {
        let changes = network.source.changes()
        own(
            Task { [weak self] in
                for await isReachable in changes where isReachable {
                    guard let self else { return }
                    // What cannot be sent now is tried again when the network comes back the next time.
                    if self.network.isOnline { _ = try? await self.synchronize() }
                }
            }
        )
    }
}
