import ODataProtocol
import OfflineOData
import OfflineStore
import Synchronization

/// Refreshes beside reads: a few at a time, one for each resource.
extension PolicyEngine {
    /// Fetches a stored resource from the service, by the policies stored with it.
    ///
    /// - Throws: ``OfflineODataError`` where the service refuses or cannot be reached; the copy stays as it is then.
    public func refresh(_ url: String) async throws {
        let url = Self.relative(url)
        let stored = try await router.collection(named: PolicyRead.name(url))
        let fetch = try await fetch(stored, url)
        _ = try await rule.fetches.run(stored?.name ?? PolicyRead.name(url), fetch)
    }

    /// Lets every stale copy be refreshed in the background, those with a high priority first; answers how many there are.
    @discardableResult
    public func scheduleRefreshOfExpired() async throws -> Int {
        guard network.isOnline else { return 0 }
        let expired = try await ages().filter(\.isExpired)
        for age in expired {
            let fetch = try await fetch(age.collection, age.collection.url)
            rule.fetches.schedule(age.collection.name, priority: age.attributes.pin) {
                _ = try await fetch()
            }
        }
        return expired.count
    }

    /// Waits until no refresh waits or runs.
    public func finishRefreshes() async { await rule.fetches.finish() }

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
    private func fetch(_ stored: StoredCollection?, _ url: String) async throws -> FetchQueue.Work {
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
