import OfflinePolicies
import ODataHTTP
import OfflineOData
import OfflineResources
import Testing

/// An entity is one resource, however its key is written.
@Suite struct KeySpellingTests {
    @Test(arguments: ["Items(ID=2)", "Items/2", "/Items(2)", "Items%282%29"])
    func hasThePoliciesOfTheEntity(_ url: String) async throws {
        let bench = try await PolicyBench { _ in LiteralService.item(2, name: "a") }
        try await bench.engine.setPolicy(ResourcePolicy(noCache: true), for: url)
        for other in ["Items(2)", "Items(ID=2)", "Items/2", "Items%282%29"] {
            #expect(try await bench.engine.policy(for: other).noCache.value)
            _ = try await bench.engine.read(other)
            #expect(try await bench.provider.executeQuery("Items").isEmpty)
        }
    }

    /// Reads that the application makes by the provider obey them, too.
    @Test func holdsForAllReadsOfTheProvider() async throws {
        var options = PolicyEngineOptions()
        options.appliesToAllReads = true
        let bench = try await PolicyBench(options) { _ in LiteralService.item(2, name: "a") }
        try await bench.engine.setPolicy(ResourcePolicy(noCache: true), for: "Items(2)")
        for url in ["Items(ID=2)", "Items/2", "Items(2)"] {
            #expect(try await bench.provider.executeQuery(url).count == 1)
            #expect(try await bench.engine.storedResource("Items(2)")?.fetched == nil)
        }
        #expect(bench.service.asked == Array(repeating: "GET Items(2)", count: 3))
    }

    @Test func leavesPropertiesAlone() async throws {
        let bench = try await PolicyBench { _ in LiteralService.item(2, name: "a") }
        _ = try await bench.engine.read("Items/2/Parent")
        _ = try await bench.engine.read("Items(ID=2)/Parent")
        #expect(bench.service.asked.contains("GET Items(2)/Parent"))
        #expect(!bench.service.asked.contains { $0.contains("ID=") || $0.contains("/2") })
    }
}
