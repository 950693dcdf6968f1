import StoreRecords
import OfflinePolicies
import ODataValues
import OfflineOData
import Synchronization

/// Refreshes beside reads: a few at a time, one for each resource.
extension PolicyEngine {
    /// Fetches a stored resource from the service, by the policies stored with it.
    ///
    /// - Throws: ``OfflineODataError`` where the service refuses or cannot be reached; the copy stays as it is then.
    public func refresh(_ url: String) async throws {
        let url = try await resolved(url)
        await rule.flushChanges()
        let outcome = try await outcome(refreshing: (name: PolicyRead.name(url), url: url))
        if case .failed(let error) = outcome { throw error }
    }

    /// Fetches every stale copy from the service, those with a high priority first, a few at a time; one that fails does not stop the
    /// others.
    ///
    /// - Throws: ``OfflineODataError`` where there is no network, or the store cannot be read; `CancellationError`.
    public func refreshExpired() async throws -> RefreshReport {
        let expired = try await ages().filter(\.isExpired)
            .sorted { $0.attributes.pin < $1.attributes.pin }
        return try await refreshAll(
            expired.map { (name: $0.collection.name, url: $0.collection.url) }
        )
    }

    /// Fetches resources from the service, whatever their age; one that fails does not stop the others.
    ///
    /// - Throws: ``OfflineODataError`` where there is no network, or the store cannot be read; `CancellationError`.
    public func refresh(_ urls: [String]) async throws -> RefreshReport {
        var reads: [(name: String, url: String)] = []
        for url in urls {
            let url = try await resolved(url)
            reads.append((PolicyRead.name(url), url))
        }
        return try await refreshAll(reads)
    }

    private func refreshAll(_ reads: [(name: String, url: String)]) async throws -> RefreshReport {
        var report = RefreshReport()
        guard !reads.isEmpty else { return report }
        guard network.isOnline else {
            throw OfflineODataError(
                .communication,
                "there is no network: no read was refreshed",
                code: .offline
            )
        }
        await rule.flushChanges()
        try await withThrowingTaskGroup(of: (String, RefreshOutcome).self) { group in
            var waiting = reads[...]
            for _ in 0..<max(1, options.maximumConcurrentRefreshes) {
                guard let read = waiting.popFirst() else { break }
                group.addTask { [self] in (read.url, try await outcome(refreshing: read)) }
            }
            while let (url, outcome) = try await group.next() {
                switch outcome {
                case .refreshed: report.refreshed.append(url)
                case .removed: report.removed.append(url)
                case .failed(let error):
                    report.failures.append(RefreshReport.Failure(url, error: error))
                }
                guard let read = waiting.popFirst() else { continue }
                group.addTask { [self] in (read.url, try await self.outcome(refreshing: read)) }
            }
        }
        return report
    }

    /// What became of one refresh.
    private enum RefreshOutcome {
        case refreshed
        /// The service has the entity no more.
        case removed
        case failed(OfflineODataError)
    }

    private func outcome(refreshing read: (name: String, url: String)) async throws
        -> RefreshOutcome
    {
        do {
            let stored = try await router.collection(named: read.name)
            // What no read could have leaves nothing behind.
            if stored == nil { try await check(read.url) }
            let fetch = try await fetch(stored, url: read.url)
            let work = rule.forgetting(read.url, named: read.name, router, fetch)
            // What no read has asked for yet cannot be refreshed to nothing.
            switch try await rule.fetches.run(read.name, work: stored == nil ? fetch : work) {
            case .response: return .failed(.notKept(read.url))
            case .nothing: return .removed
            case .store, .collection: return .refreshed
            }
        } catch let error as OfflineODataError {
            return .failed(error)
        }
    }

    /// Returns why refreshes in the background have failed since the last call; their copies stay as they are.
    public func takeRefreshFailures() -> [RefreshReport.Failure] {
        rule.fetches.takeFailures().map { RefreshReport.Failure($0.name, error: $0.error) }
    }

    /// Lets every stale copy be refreshed in the background, those with a high priority first; answers how many there are.
    @discardableResult
    public func scheduleRefreshOfExpired() async throws -> Int {
        guard network.isOnline else { return 0 }
        let expired = try await ages().filter(\.isExpired)
        for age in expired {
            let fetch = try await fetch(age.collection, url: age.collection.url)
            rule.fetches.schedule(
                age.collection.name,
                priority: age.attributes.pin,
                work: rule.forgetting(age.collection.url, named: age.collection.name, router, fetch)
            )
        }
        return expired.count
    }

    /// Waits until no refresh waits or runs.
    public func finishRefreshes() async { await rule.fetches.finish() }

    /// How many readers wait for a fetch of a resource.
    func readerCount(of name: String) -> Int { rule.fetches.readerCount(of: name) }

    /// The most refreshes that ever ran at the same time.
    var peakRefreshCount: Int { rule.fetches.peak }

    /// Ends refreshes and the watch over the network; ``start()`` begins them again.
    public func stop() async {
        let running = tasks.guarded { tasks in
            defer { tasks = [] }
            return tasks
        }
        for task in running { task.cancel() }
        for task in running { await task.value }
        await rule.fetches.stop()
    }

    /// The fetch of a resource by the policies stored with it.
    private func fetch(_ stored: StoredCollection?, url: String) async throws -> FetchQueue.Work {
        let attributes = CopyAttributes(stored?.attributes)
        let policy = attributes.policy?.values(from: .request) ?? ResourcePolicy()
        let request = policy.overridden(by: attributes.own)
        let state = try await rule.state.current(router)
        var isFile = attributes.isFile
        if stored?.isFetched != true, !isFile { isFile = await self.isFile(url) }
        guard isFile else {
            let fetch = CollectionFetch(
                rule: rule,
                router: router,
                name: stored?.name ?? PolicyRead.name(url),
                url: url,
                headers: attributes.headers,
                request: request,
                state: state
            )
            return { try await fetch.run() }
        }
        let fetch = FileFetch(
            rule: rule,
            router: router,
            url: url,
            headers: attributes.headers,
            state: state,
            limit: attributes.fileLimit ?? .max
        )
        return { try await fetch.run(request) }
    }

    // MARK: Periodic refresh

    /// Begins what the configuration's `periodicRefreshPolicy` says.
    func beginRefreshing() async throws {
        let configuration = try await configuration()
        switch configuration.periodicRefreshPolicy {
        case .none: break
        case .expiredItemsOnStartup: try await scheduleRefreshOfExpired()
        case .expiredItemsPeriodically:
            let interval = Duration.seconds(max(1, configuration.periodicRefreshInterval))
            let clock = options.clock
            own(
                Task { [weak self] in
                    while (try? await clock.sleep(for: interval)) != nil, !Task.isCancelled {
                        guard let self else { return }
                        // A store that cannot be read now may be at the next turn.
                        _ = try? await self.scheduleRefreshOfExpired()
                    }
                }
            )
        }
    }

    /// Keeps a task until ``stop()``.
    func own(_ task: Task<Void, Never>) {
        tasks.guarded { $0.append(task) }
    }
}

extension OfflineODataError {
    /// The service has answered, and the store has not kept what it said.
    fileprivate static func notKept(_ url: String) -> OfflineODataError {
        OfflineODataError(
            .preconditionFailed,
            "the answer to \(url) was not kept: the store has no room for it (maxStoreSize, or the limit of a file), or its policies or the service forbid it",
            code: .quotaExceeded
        )
    }
}
