import ODataProtocol
import OfflineOData
import OfflineStore
import Synchronization

/// Decides by policies where the answers to reads come from; plugged into the router of a provider.
final class PolicyRule: ReadRule {
    let options: PolicyEngineOptions
    let network: NetworkSwitch
    let state: PolicyState
    let fetches: FetchQueue
    let events: Broadcast<ResourceEvent>
    /// What copies and changes may take.
    let room: StoreRoom
    /// Sends changes that wait before the service is asked; nil where that is not wanted.
    private let flush = Mutex<(@Sendable () async -> Void)?>(nil)
    private let counters = Mutex((hits: 0, misses: 0))

    init(
        _ options: PolicyEngineOptions,
        _ network: NetworkSwitch,
        _ events: Broadcast<ResourceEvent>
    ) {
        self.events = events
        self.options = options
        self.network = network
        room = StoreRoom(limit: StoreQuota.limit(options.configuration ?? BackendConfiguration()))
        state = PolicyState(given: options.configuration, room)
        fetches = FetchQueue(maximumConcurrency: options.maximumConcurrentRefreshes)
    }

    var hits: Int { counters.guarded { $0.hits } }
    var misses: Int { counters.guarded { $0.misses } }

    func setFlush(_ flush: @escaping @Sendable () async -> Void) {
        self.flush.guarded { $0 = flush }
    }

    /// Sends changes that wait, where that is wanted.
    func flushChanges() async { await flush.guarded { $0 }?() }

    func countHit() { counters.guarded { $0.hits += 1 } }
    func countMiss() { counters.guarded { $0.misses += 1 } }

    func resolver(_ configuration: BackendConfiguration) -> PolicyResolver {
        PolicyResolver(
            configuration: configuration,
            defaults: options.defaults,
            usesStandardCacheHeaders: options.usesStandardCacheHeaders
        )
    }

    func source(of read: ReadRequest, _ router: ReadRouter) async throws -> ReadSource {
        guard let request = request(of: read), let url = try await router.url(of: read) else {
            return .store
        }
        let subject = PolicyRead(
            rule: self,
            router: router,
            url: url,
            headers: read.headers,
            request: request
        )
        return try await subject.source()
    }

    /// What the reader says to this rule; nil where the read is none of its business.
    private func request(of read: ReadRequest) -> PolicyRequest? {
        if let own = read.context as? PolicyRequest { return own }
        if let current = PolicyRequest.current { return current }
        return options.appliesToAllReads ? PolicyRequest() : nil
    }
}
