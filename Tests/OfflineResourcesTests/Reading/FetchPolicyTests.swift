import ODataHTTP
@testable import OfflinePolicies
import OfflineOData
import TestSupport
import Testing

@testable import OfflineResources

/// Every fetch policy × network × copy, with the requests that reached the service and the answer's origin.
@Suite struct FetchPolicyTests {
    enum Network: CaseIterable { case online, offline, byChoice, unreachable }
    enum Copy: CaseIterable { case absent, empty, present, expired }

    struct Case: CustomStringConvertible {
        var policy: FetchPolicy
        var network: Network
        var copy: Copy
        var hasPendingChange: Bool

        var description: String { "\(policy) \(network) \(copy) \(hasPendingChange)" }

        static var all: [Case] {
            FetchPolicy.allCases.flatMap { policy in
                Network.allCases.flatMap { network in
                    Copy.allCases.flatMap { copy in
                        [false, true].map {
                            Case(policy: policy, network: network, copy: copy, hasPendingChange: $0)
                        }
                    }
                }
            }
        }

        private var isOnline: Bool { network == .online }
        private var isTried: Bool { network == .online || network == .unreachable }
        private var isCurrent: Bool { copy == .present || copy == .empty }

        /// What the rules of `FetchPolicy` say, written down a second time and in another way.
        var place: String {
            let stored = copy == .absent ? "nowhere" : "store"
            switch policy {
            case .fromCache, .fromCacheScheduleRefresh: return stored
            case .fromService: return isOnline ? "service" : "nowhere"
            case .fromServiceIfOnline: return isOnline ? "service" : stored
            case .fromServiceOnCacheMiss:
                return [.absent, .empty].contains(copy) && isOnline ? "service" : stored
            case .fromServiceOnCacheMissOrExpiry:
                if copy == .present { return "store" }
                return isOnline ? "service" : copy == .empty ? "store" : "nowhere"
            case .withRefresh:
                return isCurrent ? "store" : isOnline ? "service" : "nowhere"
            }
        }

        /// Requests that the read and its refresh make.
        var requestCount: Int {
            guard isTried else { return 0 }
            switch policy {
            case .fromCache: return 0
            case .fromService, .fromServiceIfOnline, .fromCacheScheduleRefresh, .withRefresh:
                return 1
            case .fromServiceOnCacheMiss: return [.absent, .empty].contains(copy) ? 1 : 0
            case .fromServiceOnCacheMissOrExpiry: return copy == .present ? 0 : 1
            }
        }
    }

    @Test(arguments: Case.all)
    func answersFromTheRightPlace(_ test: Case) async throws {
        let bench = try await PolicyBench { _ in
            LiteralService.items(test.copy == .empty ? [] : [1, 2])
        }
        if test.copy != .absent {
            _ = try await bench.engine.read(
                "Items",
                policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 60)
            )
        }
        if test.hasPendingChange, [.present, .expired].contains(test.copy) {
            var item = try #require(try await bench.provider.executeQuery("Items(2)").first)
            item["Name"] = "changed here"
            try await bench.provider.updateEntity(item)
        }
        if test.copy == .expired { bench.clock.advance(61) }
        set(test.network, bench)
        bench.service.set { _ in LiteralService.items([1, 2, 3]) }
        let before = bench.transport.requests.count
        let answer = try await bench.engine.read(
            "Items",
            policy: ResourcePolicy(fetchPolicy: test.policy)
        )
        await bench.engine.finishRefreshes()
        #expect(answer.origin.place.description == test.place)
        #expect(bench.transport.requests.count - before == test.requestCount)
        #expect((answer.entities == nil) == (test.place == "nowhere"))
        if test.place == "store" { #expect(answer.origin.isExpired == (test.copy == .expired)) }
        // Whatever happened, the change is there.
        if test.hasPendingChange, [.present, .expired].contains(test.copy) {
            let kept = try await bench.provider.executeQuery("Items(2)").first
            #expect(kept?["Name"] == "changed here")
            #expect(try await bench.provider.requestQueue().count == 1)
        }
    }

    /// The same for one entity, which was fetched by itself or with a collection.
    ///
    /// A change that waits makes no copy newer: what is true of the collection is true of its entity.
    @Test(arguments: Case.all.filter { $0.copy != .empty }, [true, false])
    func answersOneEntityFromTheRightPlace(_ test: Case, _ isOfCollection: Bool) async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        if test.copy != .absent {
            _ = try await bench.engine.read(
                isOfCollection ? "Items" : "Items(2)",
                policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 60)
            )
        }
        let isChanged = test.hasPendingChange && test.copy != .absent
        if isChanged {
            var item = try #require(try await bench.provider.executeQuery("Items(2)").first)
            item["Name"] = "changed here"
            try await bench.provider.updateEntity(item)
        }
        if test.copy == .expired { bench.clock.advance(61) }
        set(test.network, bench)
        items.change(2) { $0.note = "changed there" }
        let before = bench.transport.requests.count
        let answer = try await bench.engine.read(
            "Items(2)",
            policy: ResourcePolicy(fetchPolicy: test.policy)
        )
        await bench.engine.finishRefreshes()
        #expect(answer.origin.place.description == test.place)
        #expect(bench.transport.requests.count - before == test.requestCount)
        #expect((answer.entities == nil) == (test.place == "nowhere"))
        guard isChanged else { return }
        // Whatever happened, the change is there, and is what readers see.
        if let entity = answer.entity { #expect(entity["Name"] == "changed here") }
        let kept = try await bench.provider.executeQuery("Items(2)").first
        #expect(kept?["Name"] == "changed here")
        #expect(try await bench.provider.requestQueue().count == 1)
    }

    @Test func whatWasCreatedHereDoesNotExpire() async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), VersionedItems().answer)
        _ = try await bench.engine.read(
            "Items",
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 60)
        )
        bench.network.set(isReachable: false)
        try await bench.engine.create(EntityValue(entitySet: "Items", ["ID": 9, "Name": "mine"]))
        bench.clock.advance(61)
        let answer = try await bench.engine.read(
            "Items(9)",
            policy: ResourcePolicy(fetchPolicy: .withRefresh)
        )
        #expect(answer.entity?["Name"] == "mine")
    }

    private func set(_ network: Network, _ bench: PolicyBench) {
        switch network {
        case .online: break
        case .offline: bench.network.set(isReachable: false)
        case .byChoice: bench.engine.network.set(isOffByChoice: true)
        case .unreachable: bench.transport.setFault { _ in .lostBefore }
        }
    }

    /// The built-in sets are the store's own, whatever a policy says.
    @Test(arguments: FetchPolicy.allCases, [true, false])
    func answersBuiltInSetsFromTheStore(_ policy: FetchPolicy, _ isOnline: Bool) async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        _ = try await bench.engine.read("Items(2)")
        var item = try #require(try await bench.provider.executeQuery("Items(2)").first)
        item["Name"] = "changed here"
        try await bench.provider.updateEntity(item)
        bench.network.set(isReachable: isOnline)
        let before = bench.transport.requests.count
        let response = await bench.engine.respond(
            to: HTTPRequest(method: "GET", url: "RequestQueue/$count"),
            policy: ResourcePolicy(fetchPolicy: policy)
        )
        let set = await bench.engine.respond(
            to: HTTPRequest(method: "GET", url: "RequestQueue"),
            policy: ResourcePolicy(fetchPolicy: policy)
        )
        #expect(String(decoding: response.response.body, as: UTF8.self) == "1")
        #expect(set.response.status == 200)
        #expect(set.answer.origin.place == .store)
        #expect(bench.transport.requests.count == before)
    }

    /// Rows of an aggregation are no entities: they come from the service, or are worked out of a set that is here.
    @Test(arguments: [true, false])
    func answersAggregations(_ isOnline: Bool) async throws {
        let bench = try await PolicyBench(queries: ["Items"]) { request in
            request.url.contains("apply=")
                ? LiteralService.json(
                    #"{"@odata.context":"http://service.localhost/odata/$metadata#Items(C)","value":[{"C":7}]}"#
                ) : LiteralService.items([1, 2])
        }
        bench.network.set(isReachable: isOnline)
        let answer = try await bench.engine.read("Items?$apply=aggregate($count as C)")
        #expect(answer.entities?.compactMap { $0["C"]?.integerValue } == [isOnline ? 7 : 2])
        #expect(answer.origin.place == (isOnline ? .service : .store))
        #expect(try await bench.engine.storedResources().isEmpty)
    }
}
