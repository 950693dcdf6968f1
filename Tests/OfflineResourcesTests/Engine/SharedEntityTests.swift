import ODataHTTP
import OfflineOData
import TestSupport
import Testing

@testable import OfflineResources

/// Entities that a defining query and a kept read both hold: what one gives up the other keeps, with its values.
@Suite struct SharedEntityTests {
    private static let query = "Items?$filter=ID lt 3"

    private static func page(_ ids: [Int]) -> HTTPResponse {
        let items = ids.map {
            "{\"@odata.etag\":\"\\\"1\\\"\",\"ID\":\($0),\"Name\":\"Item \($0)\",\"Note\":\"n\"}"
        }
        return LiteralService.json(
            "{\"@odata.context\":\"http://service.localhost/odata/$metadata#Items\",\"value\":[\(items.joined(separator: ","))]}"
        )
    }

    private static func answer(_ ids: [Int]) -> LiteralService.Answer {
        { request in
            if request.headers["If-None-Match"] != nil { return HTTPResponse(status: 304) }
            guard request.url.contains("Items(2)") else { return page(ids) }
            return LiteralService.json(
                #"{"@odata.context":"http://service.localhost/odata/$metadata#Items/$entity","@odata.etag":"\"1\"","ID":2,"Name":"Item 2","Note":"n"}"#,
                ["ETag": "\"1\""]
            )
        }
    }

    enum Way: CaseIterable { case queryRemoved, leftTheFilter }

    @Test(arguments: Way.allCases, ["Items(2)", "Items?$filter=ID gt 0", "Items?$select=ID,Name"])
    func keepTheValuesOfTheRead(_ way: Way, _ read: String) async throws {
        let bench = try await PolicyBench(
            queries: [Self.query],
            PolicyEngineOptions(),
            Self.answer([1, 2])
        )
        _ = try await bench.engine.read(read)
        switch way {
        case .queryRemoved: try await bench.provider.removeDefiningQuery(named: Self.query)
        case .leftTheFilter:
            bench.service.set(Self.answer([1]))
            try await bench.provider.download()
        }
        let kept = try await bench.engine.read(
            read,
            policy: ResourcePolicy(fetchPolicy: .fromCache)
        )
        let item = try #require(kept.entities?.first(where: { $0["ID"] == 2 }))
        #expect(item["Name"] == "Item 2")
        // What no read asks for is not kept up to date any more.
        #expect(item["Note"] == (read.contains("$select") ? nil : "n"))
    }

    /// A read that is evicted takes the values along that only it has brought.
    @Test func loseTheValuesOfAReadThatIsEvicted() async throws {
        let query = "Items?$select=ID,Name"
        let bench = try await PolicyBench(
            queries: [query],
            PolicyEngineOptions(),
            Self.answer([1, 2])
        )
        let item = try await bench.engine.read("Items(2)").entities?.first
        #expect(item?["Note"] == "n")
        _ = try await bench.engine.evict("Items(2)")
        let left = try #require(try await bench.provider.executeQuery("Items(2)").first)
        #expect(left["Name"] == "Item 2")
        #expect(left["Note"] == nil)
    }
}
