import Foundation
import OfflinePolicies
import ODataHTTP
import OfflineOData
import OfflineResources
import Synchronization
import Testing

/// When copies become stale, and which of them go when the application starts.
@Suite struct ExpiryTests {
    private let cached = ResourcePolicy(fetchPolicy: .fromCache)

    private func read(_ bench: PolicyBench, _ url: String = "Items") async throws -> ResourceAnswer
    {
        try await bench.engine.read(url, policy: cached)
    }

    private func policy(
        _ expiration: ExpirationPolicy,
        after seconds: Int? = nil,
        evicts: Bool = false
    ) -> ResourcePolicy {
        ResourcePolicy(
            expirationPolicy: expiration,
            expireAfter: seconds,
            evictionPolicy: evicts ? .onExpiryAtStartup : .manual
        )
    }

    @Test func expiresOnRestartNotOnOpening() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        let tool = try await PolicyBench(after: bench)
        #expect(try await read(tool).origin.isExpired == false)
        let restarted = try await PolicyBench(after: bench)
        restarted.network.set(isReachable: false)
        try await restarted.engine.start()
        let answer = try await read(restarted)
        #expect(answer.origin.isExpired)
        #expect(answer.ids == [1, 2])
    }

    @Test func neverExpiresWhereThePolicySaysSo() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items", policy: policy(.never))
        bench.clock.advance(1e10)
        let restarted = try await PolicyBench(after: bench)
        try await restarted.engine.start()
        #expect(try await read(restarted).origin.isExpired == false)
    }

    @Test func takesTheLargestNumberOfSecondsAsNever() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items", policy: policy(.after, after: .max))
        bench.clock.advance(1e10)
        #expect(try await read(bench).origin.isExpired == false)
    }

    @Test(arguments: [59.0, 60.0])
    func expiresAfterTheSeconds(_ seconds: Double) async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items", policy: policy(.after, after: 60))
        bench.clock.advance(seconds)
        #expect(try await read(bench).origin.isExpired == (seconds == 60))
    }

    @Test func evictsExpiredCopiesAtStartupAlsoOffline() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items", policy: policy(.after, after: 60, evicts: true))
        bench.clock.advance(100)
        let restarted = try await PolicyBench(after: bench)
        restarted.network.set(isReachable: false)
        #expect(try await restarted.engine.start() == 2)
        #expect(try await read(restarted).entities == nil)
        #expect(try await restarted.provider.executeQuery("Items").isEmpty)
        #expect(try await restarted.engine.storedResources().isEmpty)
    }

    @Test func emptiesTheStoreAtStartupWhereTheConfigurationSaysSo() async throws {
        var options = PolicyEngineOptions()
        options.configuration = BackendConfiguration()
        options.configuration?.purgesOnStartup = true
        let bench = try await PolicyBench(options, VersionedItems().answer)
        let never = ResourcePolicy(expirationPolicy: .never)
        _ = try await bench.engine.read("Items", policy: never)
        bench.network.set(isReachable: false)
        var item = try #require(try await bench.provider.executeQuery("Items(1)").first)
        item["Name"] = "mine"
        try await bench.engine.update(item)
        #expect(try await bench.engine.start() == 1)
        #expect(try await bench.provider.executeQuery("Items").map { $0["Name"] } == ["mine"])
        #expect(try await bench.provider.requestQueue().count == 1)
    }

    @Test func neverEvictsPendingChanges() async throws {
        let bench = try await PolicyBench()
        let evicting = policy(.after, after: 60, evicts: true)
        _ = try await bench.engine.read("Items", policy: evicting)
        var item = try #require(try await bench.provider.executeQuery("Items(2)").first)
        item["Name"] = "mine"
        try await bench.provider.updateEntity(item)
        try await bench.provider.createEntity(EntityValue(entitySet: "Items", ["ID": 9]))
        bench.clock.advance(100)
        let restarted = try await PolicyBench(after: bench)
        #expect(try await restarted.engine.start() == 1)
        #expect(try await restarted.engine.evictAll() == 0)
        #expect(try await restarted.engine.evict(entity: "Items(2)") == false)
        let kept = try await restarted.provider.executeQuery("Items?$orderby=ID")
        #expect(kept.map { $0["ID"]?.integerValue } == [2, 9])
        #expect(kept.first?["Name"] == "mine")
        #expect(try await restarted.provider.requestQueue().count == 2)
    }

    /// A clock that went back leaves the age unknown: the copy counts as stale, and nothing is evicted.
    @Test func evictsNothingOfUnknownAge() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items", policy: policy(.after, after: 60, evicts: true))
        bench.clock.advance(-1_000_000)
        let restarted = try await PolicyBench(after: bench)
        #expect(try await restarted.engine.start() == 0)
        let answer = try await read(restarted)
        #expect(answer.ids == [1, 2])
        #expect(answer.origin.isExpired)
        #expect(try await restarted.engine.evictExpired() == 0)
    }

    /// The policy that the application has set for a resource comes before the one it was read with.
    @Test(arguments: [EvictionPolicy.manual, .onExpiryAtStartup])
    func evictsByThePolicyOfTheResource(_ own: EvictionPolicy) async throws {
        let bench = try await PolicyBench()
        let evicts = own == .manual
        _ = try await bench.engine.read("Items", policy: policy(.after, after: 60, evicts: evicts))
        try await bench.engine.setPolicy(ResourcePolicy(evictionPolicy: own), for: "Items")
        bench.clock.advance(100)
        let restarted = try await PolicyBench(after: bench)
        #expect(try await restarted.engine.start() == (evicts ? 0 : 2))
    }

    @Test func evictsCopiesOfEarlierSessionsAtStartup() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items", policy: policy(.onRestart, evicts: true))
        let restarted = try await PolicyBench(after: bench)
        #expect(try await restarted.engine.start() == 2)
        #expect(try await restarted.engine.start() == 0)
    }

    @Test func evictsCopiesByReadBySetAndAll() async throws {
        let bench = try await PolicyBench { request in
            request.url.contains("top")
                ? LiteralService.items([2, 3]) : LiteralService.items([1, 2])
        }
        _ = try await bench.engine.read("Items")
        _ = try await bench.engine.read("Items?$top=2")
        #expect(try await bench.engine.evict("Items") == 1)
        #expect(try await bench.provider.executeQuery("Items").count == 2)
        _ = try await bench.engine.read("Items")
        #expect(try await bench.engine.evict(entity: "Items(2)"))
        #expect(try await read(bench, "Items").ids == [1])
        #expect(try await read(bench, "Items?$top=2").ids == [3])
        #expect(try await bench.engine.evict(entitySet: "Cards") == 0)
        #expect(try await bench.engine.evict(entitySet: "Item") == 0)
        #expect(try await bench.engine.evict(entitySet: "Items") == 2)
        #expect(try await bench.engine.storedResources().isEmpty)
    }

    /// An entity with changes that wait stays in the answers that brought it.
    @Test func keepsAChangedEntityInItsCollections() async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        _ = try await bench.engine.read("Items")
        var item = try #require(try await bench.provider.executeQuery("Items(2)").first)
        item["Name"] = "mine"
        try await bench.provider.updateEntity(item)
        #expect(try await bench.engine.evict(entity: "Items(2)") == false)
        bench.network.set(isReachable: false)
        #expect(try await bench.engine.read("Items").ids == [1, 2])
        try await bench.provider.undoAllPendingChanges()
        #expect(try await bench.engine.read("Items").ids == [1, 2])
    }

    /// What was uploaded after its copy had gone, or was created here, is held by nothing.
    @Test func evictsWhatItsUploadHasLeft() async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        _ = try await bench.engine.read("Items")
        var item = try #require(try await bench.provider.executeQuery("Items(2)").first)
        item["Name"] = "mine"
        try await bench.provider.updateEntity(item)
        let created = EntityValue(entitySet: "Items", ["ID": 77, "Name": "new"])
        _ = try await bench.provider.createEntity(created)
        #expect(try await bench.engine.evictAll() == 1)
        try await bench.provider.upload()
        let own = ResourcePolicy(fetchPolicy: .fromServiceOnCacheMissOrExpiry)
        let asked = bench.service.asked.count
        _ = try await bench.engine.read("Items(77)", policy: own)
        #expect(bench.service.asked.count == asked + 1)
        try await bench.engine.evict("Items(77)")
        #expect(try await bench.engine.evict(entitySet: "Cards") == 0)
        #expect(try await bench.engine.evict(entitySet: "Items") == 1)
        #expect(try await bench.provider.executeQuery("Items").isEmpty)
    }

    @Test func obeysResponseHeadersBeforeEveryPolicy() async throws {
        let headers = Mutex<HTTPHeaders>([:])
        let bench = try await PolicyBench { _ in
            LiteralService.items([1], headers.guarded { $0 })
        }
        // The bench's clock stands at Sun, 09 Sep 2001 01:46:40 GMT.
        headers.guarded { $0["Oracle-Mobile-Sync-Expires"] = "Sun, 09 Sep 2001 01:47:40 GMT" }
        _ = try await bench.engine.read("Items", policy: policy(.never))
        let stored = try #require(try await bench.engine.storedResource("Items"))
        #expect(stored.policy.expirationPolicy == ResolvedPolicy(.after, from: .header))
        #expect(stored.policy.expireAfter == ResolvedPolicy(60, from: .header))
        bench.clock.advance(60)
        #expect(try await read(bench).origin.isExpired)
        headers.guarded {
            $0 = ["Oracle-Mobile-Sync-Evict": "Sun, 09 Sep 2001 01:48:40 GMT"]
        }
        _ = try await bench.engine.read("Items", policy: policy(.never))
        bench.clock.advance(60)
        let restarted = try await PolicyBench(after: bench)
        #expect(try await restarted.engine.start() == 1)
    }
}
