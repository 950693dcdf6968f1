import Foundation
import OfflinePolicies
import ODataHTTP
import OfflineOData
import OfflineResources
import TestSupport
import Testing

/// A store with copies of every kind and changes that wait, and the steps in which policies act on it.
///
///     prepare ──> step 0: start ──> … ──> step n, each of them cut or killed anywhere ──> check
enum PoliciesAtWork {
    /// A copy that is stale at ``later`` and goes at start-up: 5 is changed, 6 deleted here, 7 is as the service has it.
    static let stale = "Items?$filter=ID ge 5"
    /// A copy that is not stale: 1 and 2, with a validator.
    static let current = "Items?$filter=ID lt 5"
    /// A copy with a delta link: 21 to 23, the last of which is changed here.
    static let tracked = "Items?$filter=ID gt 20"
    /// A copy that is stale and stays until it is evicted by hand.
    static let expired = "Items(40)"

    /// When the copies were fetched, in seconds since 1970.
    static let start = 1_000_000_000.0
    /// When the policies act.
    static let later = start + 100

    /// One way in which policies act.
    struct Step: Sendable {
        let name: String
        /// Entities that it creates.
        var creates = 0
        /// Whether it evicts copies that are not stale.
        var evicts: Set<String> = []
        let run: @Sendable (PolicyEngine, ManualReachability, TestClock) async throws -> Void
    }

    static let steps: [Step] = [
        Step(name: "start") { engine, _, _ in try await engine.start() },
        Step(name: "create", creates: 3) { engine, _, _ in
            for id in 100..<103 {
                try await engine.create(
                    EntityValue(entitySet: "Items", ["ID": .integer(Int64(id)), "Name": "new"])
                )
            }
        },
        online("refresh by a delta") { engine, _ in try await engine.refresh(tracked) },
        online("refresh without changes") { engine, _ in try await engine.refresh(current) },
        online("read of an expired copy") { engine, _ in
            _ = try await engine.read(
                expired,
                policy: ResourcePolicy(fetchPolicy: .fromServiceOnCacheMissOrExpiry)
            )
        },
        online("refresh in the background") { engine, _ in
            _ = try await engine.read(
                current,
                policy: ResourcePolicy(fetchPolicy: .fromCacheScheduleRefresh)
            )
            await engine.finishRefreshes()
        },
        online("new collection") { engine, _ in _ = try await engine.read("Cards?$top=1") },
        Step(name: "start after the clock went back") { engine, _, clock in
            clock.advance(-10_100)
            try await engine.start()
            clock.advance(10_100)
        },
        Step(name: "evict stale copies") { engine, _, _ in try await engine.evictExpired() },
        Step(name: "evict a read", evicts: [current]) { engine, _, _ in
            try await engine.evict(current)
        },
        Step(name: "evict an entity") { engine, _, _ in
            try await engine.evict(entity: expired)
        },
        Step(name: "evict a set", evicts: [tracked]) { engine, _, _ in
            try await engine.evict(entitySet: "Items")
        },
        Step(name: "evict all") { engine, _, _ in try await engine.evictAll() },
    ]

    /// A step for which there is a network.
    private static func online(
        _ name: String,
        _ run: @escaping @Sendable (PolicyEngine, TestClock) async throws -> Void
    ) -> Step {
        Step(name: name) { engine, network, clock in
            network.set(isReachable: true)
            defer { network.set(isReachable: false) }
            try await run(engine, clock)
        }
    }

    // MARK: The service

    private static func answer(_ request: HTTPRequest) -> HTTPResponse? {
        guard request.method == "GET" else { return nil }
        let url = request.url.removingPercentEncoding ?? request.url
        if url.contains("Cards") { return cards(url.contains("top") ? [8] : [8, 9]) }
        if url.contains("(40)") { return LiteralService.item(40, name: "forty") }
        if url.contains("deltatoken") { return changes }
        if url.contains("gt 20") { return trackedItems }
        if url.contains("ge 5") { return LiteralService.items([5, 6, 7]) }
        if request.headers["If-None-Match"] == "\"v1\"" { return HTTPResponse(status: 304) }
        return LiteralService.items([1, 2], ["ETag": "\"v1\""])
    }

    private static func cards(_ ids: [Int]) -> HTTPResponse {
        let cards = ids.map { "{\"ID\":\($0)}" }.joined(separator: ",")
        return LiteralService.json(
            "{\"@odata.context\":\"http://service.localhost/odata/$metadata#Cards\",\"value\":[\(cards)]}"
        )
    }

    private static let trackedItems = LiteralService.json(
        """
        {"@odata.context":"http://service.localhost/odata/$metadata#Items","value":[
        {"ID":21,"Name":"Item 21"},{"ID":22,"Name":"Item 22"},{"ID":23,"Name":"Item 23"}],
        "@odata.deltaLink":"http://service.localhost/odata/Items?$deltatoken=1"}
        """
    )

    /// 21 has changed, the other two have gone; one of these is changed here.
    private static let changes = LiteralService.json(
        """
        {"@odata.context":"http://service.localhost/odata/$metadata#Items/$delta","value":[
        {"ID":21,"Name":"changed"},
        {"@odata.context":"http://service.localhost/odata/$metadata#Items/$deletedEntity","id":"Items(22)","reason":"deleted"},
        {"@odata.context":"http://service.localhost/odata/$metadata#Items/$deletedEntity","id":"Items(23)","reason":"deleted"}],
        "@odata.deltaLink":"http://service.localhost/odata/Items?$deltatoken=2"}
        """
    )

    // MARK: The store

    /// Opens the store of a directory.
    static func engine(
        _ path: String,
        _ network: ManualReachability,
        _ clock: TestClock,
        _ configuration: BackendConfiguration? = nil
    ) async throws -> PolicyEngine {
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: path)
        parameters.retryPolicy = .never
        parameters.transport = HandlerTransport(LiteralService { answer($0) })
        let provider = try OfflineODataProvider(
            serviceRoot: "http://service.localhost/odata/",
            parameters: parameters
        )
        try await provider.addDefiningQuery(
            OfflineODataDefiningQuery(name: "Cards", query: "Cards")
        )
        try await provider.open()
        var options = PolicyEngineOptions()
        options.reachability = network
        options.clock = clock
        options.configuration = configuration
        return PolicyEngine(provider: provider, options: options)
    }

    private static func policy(after seconds: Int, evicts: Bool = true) -> ResourcePolicy {
        ResourcePolicy(
            expirationPolicy: .after,
            expireAfter: seconds,
            evictionPolicy: evicts ? .onExpiryAtStartup : .manual
        )
    }

    /// Makes the copies, and the changes that wait: see ``requests``.
    static func prepare(_ path: String) async throws {
        let network = ManualReachability()
        let engine = try await engine(path, network, TestClock(start))
        _ = try await engine.read(stale, policy: policy(after: 10))
        _ = try await engine.read(current, policy: policy(after: 3_600))
        _ = try await engine.read(tracked, policy: policy(after: 3_600))
        _ = try await engine.read(expired, policy: policy(after: 10, evicts: false))
        network.set(isReachable: false)
        for url in ["Items(5)", "Items(23)"] {
            var item = try #require(try await engine.provider.executeQuery(url).first)
            item["Name"] = "mine"
            try await engine.update(item)
        }
        let deleted = try #require(try await engine.provider.executeQuery("Items(6)").first)
        try await engine.delete(deleted)
        try await engine.create(EntityValue(entitySet: "Items", ["ID": 50, "Name": "mine"]))
    }

    /// What waits before the first step.
    private static let requests = [
        "PATCH Items(5)", "PATCH Items(23)", "DELETE Items(6)", "POST Items",
    ]

    // MARK: Checking

    /// Expects that nothing pending is lost and nothing evicted that may not be, before and after another start.
    ///
    /// - Parameter finished: Steps that were over; the next one may have begun.
    static func check(_ path: String, finished: Int, _ comment: Comment) async throws {
        let network = ManualReachability()
        network.set(isReachable: false)
        let engine = try await engine(path, network, TestClock(later))
        try await checkPending(engine, finished: finished, comment)
        try await checkCopies(engine, finished: finished, comment)
        try await engine.start()
        try await checkPending(engine, finished: finished, comment)
        try await checkCopies(engine, finished: finished, comment)
        // What was cut is finished by the next start.
        #expect(try await ids("Items(7)", engine).isEmpty, comment)
        try await engine.evictAll()
        try await checkPending(engine, finished: finished, comment)
        try await engine.discardOfflineEdits()
        #expect(try await ids("Items", engine).isEmpty, comment)
        #expect(try await engine.provider.requestQueueIsEmpty(), comment)
        #expect(try await engine.provider.checkIntegrity().isEmpty, comment)
    }

    /// Expects every change that waited, and those that the finished steps made.
    static func checkPending(_ engine: PolicyEngine, finished: Int, _ comment: Comment)
        async throws
    {
        let provider = engine.provider
        #expect(try await provider.checkIntegrity().isEmpty, comment)
        let queue = try await provider.requestQueue().map { "\($0.method) \($0.url)" }
        #expect(Array(queue.prefix(requests.count)) == requests, comment)
        let created = queue.count - requests.count
        let promised = steps[..<finished].reduce(0) { $0 + $1.creates }
        let possible = steps[...min(finished, steps.count - 1)].reduce(0) { $0 + $1.creates }
        #expect((promised...possible).contains(created), comment)
        #expect(try await ids("Items?$filter=Name eq 'new'", engine).count == created, comment)
        #expect(
            try await ids("Items?$filter=Name eq 'mine'&$orderby=ID", engine) == [5, 23, 50],
            comment
        )
        #expect(try await ids("Items(6)", engine).isEmpty, comment)
        #expect(try await ids("Cards?$orderby=ID", engine) == [8, 9], comment)
    }

    /// Expects the copies that no step so far was to evict.
    private static func checkCopies(_ engine: PolicyEngine, finished: Int, _ comment: Comment)
        async throws
    {
        let evicted = steps[...min(finished, steps.count - 1)].reduce(into: Set<String>()) {
            $0.formUnion($1.evicts)
        }
        let cached = ResourcePolicy(fetchPolicy: .fromCache)
        if !evicted.contains(current) {
            #expect(try await engine.read(current, policy: cached).ids == [1, 2], comment)
        }
        if !evicted.contains(tracked) {
            let ids = try #require(try await engine.read(tracked, policy: cached).ids, comment)
            #expect([[21, 22, 23], [21, 23]].contains(ids.filter { $0 < 50 }), comment)
        }
    }

    private static func ids(_ query: String, _ engine: PolicyEngine) async throws -> [Int64] {
        try await engine.provider.executeQuery(query).compactMap { $0["ID"]?.integerValue }
    }
}
