import ODataBinding
import OfflinePolicies
import ODataHTTP
import OfflineOData
import OfflineResources
import TestSupport
import Testing

/// Reads by key and by queries made in Swift: policies decide about them as about URLs.
@Suite struct ReadFormTests {
    private func bench(appliesToAllReads: Bool = false) async throws -> PolicyBench {
        var options = PolicyEngineOptions()
        options.appliesToAllReads = appliesToAllReads
        return try await PolicyBench(options) { request in
            request.url.contains("(1)")
                ? LiteralService.item(1, name: "one") : LiteralService.items([1, 2])
        }
    }

    private let query = ODataQuery("Items").filter(.property("Name") == "Item 1").top(5)

    @Test func readsByKeyAskTheService() async throws {
        let bench = try await bench(appliesToAllReads: true)
        let entity = try await bench.provider.entity(in: "Items", key: 1)
        #expect(entity?["Name"] == "one")
        #expect(bench.service.asked == ["GET Items(1)"])
        bench.network.set(isReachable: false)
        #expect(try await bench.provider.entity(in: "Items", key: 1)?["Name"] == "one")
        #expect(try await bench.provider.entity(in: "Items", key: 7) == nil)
        #expect(bench.service.asked.count == 1)
    }

    @Test func queriesMadeInSwiftShareTheCopyOfTheirURL() async throws {
        let bench = try await bench(appliesToAllReads: true)
        #expect(try await bench.provider.executeQuery(query).count == 2)
        #expect(bench.service.asked == ["GET Items?$filter=Name%20eq%20'Item%201'&$top=5"])
        bench.network.set(isReachable: false)
        #expect(try await bench.provider.executeQuery(query).count == 2)
        #expect(try await bench.engine.read(query).origin.place == .store)
        #expect(try await bench.engine.storedResource(query.url()) != nil)
    }

    @Test func blockingReadsAreAnsweredAsIfThereWereNoNetwork() async throws {
        let bench = try await bench(appliesToAllReads: true)
        bench.service.set { _ in LiteralService.items([2, 1]) }
        let provider = bench.provider
        let (url, other) = ("Items?$top=5", "Items?$top=6")
        let never = try await onThread { try provider.executeQuery(url) }
        #expect(never.isEmpty)
        #expect(bench.service.asked.isEmpty)
        _ = try await bench.engine.read(url)
        let ids = try await onThread { try provider.executeQuery(url).map { $0["ID"] } }
        #expect(ids == [2, 1])
        #expect(try await onThread { try provider.executeQuery(other) }.isEmpty)
        #expect(try await onThread { try provider.entity(in: "Items", key: 1) }?["ID"] == 1)
        let statuses = try await onThread {
            [url, other].map { provider.respond(to: HTTPRequest(method: "GET", url: $0)).status }
        }
        #expect(statuses == [200, 404])
        #expect(bench.service.asked.count == 1)
    }

    @Test func blockingReadsOfOthersAreTheStores() async throws {
        let bench = try await bench()
        _ = try await bench.engine.read("Items?$top=5")
        let provider = bench.provider
        let count = try await onThread { try provider.executeQuery("Items?$top=6").count }
        #expect(count == 2)
    }

    @Test func takesThePolicyOfTheReader() async throws {
        let bench = try await bench()
        let cacheOnly = ResourcePolicy(fetchPolicy: .fromCache)
        #expect(try await bench.engine.read(query, policy: cacheOnly).entities == nil)
        #expect(
            try await bench.engine.read(entitySet: "Items", key: 1, policy: cacheOnly).entity == nil
        )
        #expect(bench.service.asked.isEmpty)
        #expect(try await bench.engine.read(entitySet: "Items", key: 1).entity?["Name"] == "one")
        #expect(try await bench.engine.read(query).ids == [1, 2])
        #expect(bench.service.asked.count == 2)
        // Without a policy of the reader the provider's own reads are the store's.
        #expect(try await bench.provider.entity(in: "Items", key: 2)?["Name"] == "Item 2")
        #expect(bench.service.asked.count == 2)
    }
}
