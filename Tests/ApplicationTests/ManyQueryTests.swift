import OfflineOData
import Testing

/// More defining queries than there are bits in a row: the first 62 have one each, the others share one and have rows of their own.
@Suite struct ManyQueryTests {
    private static let queryCount = 70

    /// A shop with a query for each of two items, over and over, beside the one that brings both.
    private func store() async throws -> ShopStore {
        let shop = try await ShopStore()
        shop.service.answer { request in
            guard request.method == "GET", let filter = request.url.split(separator: "?").last,
                request.url.contains("filter=")
            else { return nil }
            let id = filter.contains("ID%20eq%201") || filter.contains("ID eq 1") ? 1 : 2
            return ScriptedService.json(
                """
                {"@odata.context":"http://shop.test/$metadata#Items","value":[
                {"@odata.etag":"W/\\"1\\"","ID":\(id),"Name":"Item \(id)","Price":1.00}]}
                """
            )
        }
        for number in 1..<Self.queryCount {
            let id = number.isMultiple(of: 2) ? 2 : 1
            let query = ODataQuery("Items")
                .filter(.property("ID") == .value(id) && .property("Price") < .value(number + 100))
            try await shop.provider.addDefiningQuery(.init(name: "Q\(number)", query: query))
        }
        try await shop.provider.download()
        return shop
    }

    @Test func keepsEntitiesUntilTheLastQueryOfThemIsRemoved() async throws {
        let shop = try await store()
        let provider = shop.provider
        #expect(try await provider.status().queries.count == Self.queryCount)
        // A change of an entity that only queries without a bit hold in the end.
        var lamp = try #require(try await provider.executeQuery("Items(1)").first)
        lamp["Name"] = "mine"
        try await provider.updateEntity(lamp)
        try await provider.removeDefiningQuery(named: "Items")
        for number in 1..<(Self.queryCount - 2) {
            try await provider.removeDefiningQuery(named: "Q\(number)")
        }
        #expect(try await provider.executeQuery("Items?$orderby=ID").map { $0["ID"] } == [1, 2])
        // 68 brings the second item, 69 the first.
        try await provider.removeDefiningQuery(named: "Q68")
        #expect(try await provider.executeQuery("Items").map { $0["Name"] } == ["mine"])
        try await provider.removeDefiningQuery(named: "Q69")
        #expect(try await provider.executeQuery("Items").map { $0["Name"] } == ["mine"])
        #expect(try await provider.checkIntegrity().isEmpty)
        try await provider.undoPendingChanges(of: lamp)
        #expect(try await provider.executeQuery("Items").isEmpty)
    }

    @Test func takesTheBitsOfRemovedQueriesAgain() async throws {
        let shop = try await store()
        let provider = shop.provider
        for number in stride(from: 1, to: Self.queryCount, by: 2) {
            try await provider.removeDefiningQuery(named: "Q\(number)")
        }
        try await provider.addDefiningQuery(.init(name: "New", query: "Items?$filter=ID eq 1"))
        try await provider.removeDefiningQuery(named: "Items")
        #expect(try await provider.executeQuery("Items").map { $0["ID"] } == [2])
        try await provider.download()
        #expect(try await provider.executeQuery("Items?$orderby=ID").map { $0["ID"] } == [1, 2])
        try await provider.removeDefiningQuery(named: "New")
        #expect(try await provider.executeQuery("Items").map { $0["ID"] } == [2])
    }
}
