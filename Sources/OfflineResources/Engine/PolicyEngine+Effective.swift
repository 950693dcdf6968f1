public import OfflinePolicies
import StoreRecords
import ODataTables
import OfflineOData
import OfflineStore

/// The policies in force for a resource.
extension PolicyEngine {
    /// Returns the effective policies of a URL.
    ///
    /// Those stored with the resource come first; an entity without any has those of the last collection that brought it; otherwise
    /// the configuration decides.
    public func policy(for url: String) async throws -> EffectivePolicy {
        let url = try await resolved(url)
        let state = try await rule.state.current(router)
        let isFile = await isFile(url)
        let configured = configured(url, isFile: isFile, configuration: state.configuration)
        var kept = KeptPolicies(try await router.collection(named: PolicyRead.name(url)))
        if kept.own.policy == nil, let holding = try? await router.held(url).newest {
            kept.holding = CopyAttributes(holding.attributes)
        }
        return kept.effective(over: configured)
    }

    /// What the configuration says of a URL.
    private func configured(
        _ url: String,
        isFile: Bool,
        configuration: BackendConfiguration
    ) -> EffectivePolicy {
        let resolver = rule.resolver(configuration)
        let now = options.clock.now
        return isFile
            ? resolver.filePolicy(for: url, now: now) : resolver.policy(for: url, now: now)
    }

    // MARK: Changes that wait

    /// Whether a change of a resource must not wait in the queue.
    public func mustNotWait(_ url: String) async throws -> Bool {
        Self.mustNotWait(try await policy(for: url))
    }

    private static func mustNotWait(_ policy: EffectivePolicy) -> Bool {
        policy.updatePolicy.value == .updateIfOnline || policy.noCache.value
    }

    /// Whether changes can only wait.
    private var onlyQueues: Bool { options.onlyQueues || !network.isOnline }

    /// Refuses a change made by the provider where it can only wait, and must not.
    func checkWaiting(_ change: LocalChange) throws {
        let state = try rule.state.currentBlocking(router)
        guard onlyQueues, let (url, isFile) = change.resource else { return }
        let configured = configured(url, isFile: isFile, configuration: state.configuration)
        let policy = try router.store.readBlocking { query, schema in
            try KeptPolicies(url, query: query, schema: schema).effective(over: configured)
        }
        guard Self.mustNotWait(policy) else { return }
        throw OfflineODataError.offline(url, isOnline: network.isOnline)
    }

    /// Refuses requests that can only wait, and must not, in the transaction that queues them; nil where none is refused.
    func queueCheck() async throws -> QueueCheck? {
        let state = try await rule.state.current(router)
        guard onlyQueues else { return nil }
        return { [self] urls, query, schema in
            for url in urls.map(local) {
                let isFile = url.hasSuffix("/$value")
                let configured = configured(url, isFile: isFile, configuration: state.configuration)
                let policy = try KeptPolicies(url, query: query, schema: schema).effective(
                    over: configured
                )
                guard Self.mustNotWait(policy) else { continue }
                let refusal = OfflineODataError.offline(url, isOnline: network.isOnline)
                throw EditError(.mustNotWait, refusal.message)
            }
        }
    }
}

extension LocalChange {
    /// The resource that the change is about, and whether it is a file; nil for requests, each of which is checked when it is queued.
    fileprivate var resource: (url: String, isFile: Bool)? {
        switch self {
        case .create(let url), .update(let url), .delete(let url), .link(let url),
            .operation(let url):
            url == "$batch" ? nil : (PolicyEngine.relative(url), false)
        case .stream(let url): (PolicyEngine.relative(url), true)
        case .request: nil
        }
    }
}
