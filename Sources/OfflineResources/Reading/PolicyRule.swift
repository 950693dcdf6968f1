import ODataValues
import OfflinePolicies
import StoreRecords
import ODataSQL
import ODataHTTP
import ODataTables
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
    /// Sends changes that wait.
    private let flush = Mutex<(@Sendable () async -> Void)?>(nil)
    private let resources = RecentValues<KnownResource>(capacity: maximumResources)
    private let attributes = RecentValues<KnownAttributes>(capacity: maximumResources)
    /// Names of copies by the URLs that they were read by, where these have other spellings.
    private let names = RecentValues<CopyName>(capacity: maximumResources)
    /// Resources of which more is kept than their names; each takes some hundred bytes.
    static let maximumResources = 256
    private let hitCounter = Atomic<Int>(0)
    private let missCounter = Atomic<Int>(0)

    init(
        _ options: PolicyEngineOptions,
        network: NetworkSwitch,
        paths: ResourcePaths,
        events: Broadcast<ResourceEvent>
    ) {
        self.events = events
        self.options = options
        self.network = network
        room = StoreRoom(limit: StoreQuota.limit(options.configuration ?? BackendConfiguration()))
        state = PolicyState(given: options.configuration, paths: paths, room: room)
        fetches = FetchQueue(maximumConcurrency: options.maximumConcurrentRefreshes)
    }

    var hits: Int { hitCounter.load(ordering: .relaxed) }
    var misses: Int { missCounter.load(ordering: .relaxed) }

    func setFlush(_ flush: @escaping @Sendable () async -> Void) {
        self.flush.guarded { $0 = flush }
    }

    /// Sends changes that wait, where that is wanted: by the application, or because Sync Express does.
    func flushChanges() async {
        guard options.sendsChangesBeforeReads || state.known?.configuration.express != nil else {
            return
        }
        let flush = flush.guarded { $0 }
        // What is looked up on the way is none of the reader's.
        await PolicyRequest.$current.withValue(nil) { await flush?() }
    }

    func countHit() { hitCounter.add(1, ordering: .relaxed) }
    func countMiss() { missCounter.add(1, ordering: .relaxed) }

    func resolver(_ configuration: BackendConfiguration) -> PolicyResolver {
        var resolver = PolicyResolver(
            configuration: configuration,
            defaults: options.defaults,
            usesStandardCacheHeaders: options.usesStandardCacheHeaders
                || configuration.usesStandardCacheHeaders
        )
        resolver.paths = state.paths
        return resolver
    }

    /// The policies in force for a read, worked out before or now.
    func resource(
        _ name: String,
        url: String,
        stored: StoredCollection?,
        request: ResourcePolicy,
        state: PolicyState.Loaded
    ) -> KnownResource {
        resources.value(name) {
            $0.isOf(stored?.attributes, request: request, state: state)
        } make: {
            // The time matters to the header fields of answers alone, of which there are none yet.
            KnownResource(known(stored?.attributes, of: name), request: request, state: state) {
                resolver(state.configuration).policy(for: url, request: $0, now: options.clock.now)
            }
        }
    }

    /// What the layer keeps with a copy.
    func attributes(of collection: StoredCollection) -> CopyAttributes {
        known(collection.attributes, of: collection.name).value
    }

    private func known(_ text: String?, of name: String) -> KnownAttributes {
        guard text != nil else { return .none }
        return attributes.value(name) {
            $0.isOf(text)
        } make: {
            KnownAttributes(text)
        }
    }

    // MARK: Deciding

    func interest(in read: ReadRequest, _ router: ReadRouter) -> ReadInterest {
        guard let request = request(of: read) else { return .none }
        if case .stream = read.resource { return .asked }
        guard let state = state.known else { return .asked }
        return .look { [self] query, schema in
            guard
                let (subject, entity) = try subject(
                    read,
                    router: router,
                    request: request,
                    state: state,
                    query: query
                )
            else {
                return .store
            }
            guard let known = try subject.look(entity, query: query, in: schema) else {
                // Of a part, the service may have to be asked.
                return try subject.whole(query, in: schema) == nil ? .store : nil
            }
            return subject.localSource(known)
        }
    }

    func source(of read: ReadRequest, _ router: ReadRouter) async throws -> ReadSource {
        guard let request = request(of: read) else { return .store }
        let state = try await state.current(router)
        if case .stream(let url) = read.resource {
            let file = FileFetch(
                rule: self,
                router: router,
                url: self.state.local(PolicyEngine.relative(url)),
                headers: PolicyRead.ownHeaders(read.headers),
                state: state,
                limit: request.fileLimit
            )
            return try await FileRead(fetch: file, request: request).source()
        }
        let found = try await router.look { [self] query, schema in
            try subject(read, router: router, request: request, state: state, query: query).map {
                subject,
                entity in
                let known = try subject.look(entity, query: query, in: schema)
                let whole = try known == nil ? subject.whole(query, in: schema) : nil
                return (subject, known, whole)
            }
        }
        guard let (subject, known, whole) = found else { return .store }
        do {
            if let whole { return try await subject.source(ofPartOf: whole) }
            guard let known else { return .store }
            return try await subject.source(known)
        } catch let error as OfflineODataError {
            request.note { $0.failure = error }
            throw error
        }
    }

    /// A thread that waits is answered as if there were no network: a copy, however it was to be fetched, or nothing.
    func sourceAtHand(of read: ReadRequest, _ router: ReadRouter) throws -> ReadSource {
        guard let request = request(of: read) else { return .store }
        let state = try state.currentBlocking(router)
        return try router.store.readBlocking { query, schema in
            guard
                let (subject, entity) = try subject(
                    read,
                    router: router,
                    request: request,
                    state: state,
                    query: query
                )
            else {
                return .store
            }
            guard let known = try subject.look(entity, query: query, in: schema) else {
                let whole = try subject.whole(query, in: schema)
                return whole?.isPresent == false ? .nothing : .store
            }
            return subject.sourceAtHand(known)
        }
    }

    /// The read as the policies see it, in a read transaction; nil where it has no URL.
    private func subject(
        _ read: ReadRequest,
        router: ReadRouter,
        request: PolicyRequest,
        state: PolicyState.Loaded,
        query: TableQuery
    ) throws -> (PolicyRead, KeyedEntity?)? {
        guard let address = try read.address(query) else { return nil }
        // One resource has one set of policies, whoever reads it, and however its URL is written.
        let url =
            request.isResolved
            ? address.url
            : KeySpelling.canonical(self.state.local(address.url), in: query.layout.model)
        let read = PolicyRead(
            rule: self,
            router: router,
            state: state,
            url: url,
            name: try name(url, headers: PolicyRead.ownHeaders(read.headers), query: query),
            headers: read.headers,
            request: request
        )
        return (read, address.entity)
    }

    /// Name of the stored collection of a read.
    private func name(_ url: String, headers: HTTPHeaders, query: TableQuery) throws -> String {
        guard headers.fields.isEmpty else {
            return try PolicyRead.name(url, headers: headers, query: query)
        }
        guard URLSpelling.isOpen(url) else { return url }
        return names.value(url) { _ in
            true
        } make: {
            CopyName(
                (try? PolicyRead.name(url, headers: [:], query: query)) ?? URLSpelling.common(url)
            )
        }.text
    }

    /// The name of a copy, worked out once for as long as its URL is read.
    private final class CopyName: Sendable {
        let text: String

        init(_ text: String) { self.text = text }
    }

    /// What the reader says to this rule; nil where the read is none of its business.
    private func request(of read: ReadRequest) -> PolicyRequest? {
        if let own = read.context as? PolicyRequest { return own }
        if let current = PolicyRequest.current { return current }
        return options.appliesToAllReads ? PolicyRequest() : nil
    }
}
