import OfflineOData
import Testing

/// Each capability in the shortest form in which an application would write it.
@Suite struct ShortFormTests {
    @Test func takesVariablesAsValues() {
        let (name, count, isOpen, weight) = ("Lamp", 7, true, 1.5)
        let entity = EntityValue(
            entitySet: "Items",
            [
                "Name": ODataValue(name), "Count": ODataValue(count), "Open": ODataValue(isOpen),
                "Weight": ODataValue(weight), "Part": ODataValue(name.dropFirst()),
                "Tags": ODataValue([ODataValue(name)]), "Size": ODataValue(["W": 1, "H": 2]),
            ]
        )
        #expect(entity["Name"] == "Lamp")
        #expect(entity["Count"] == 7)
        #expect(entity["Open"] == true)
        #expect(entity["Weight"] == 1.5)
        #expect(entity["Part"] == "amp")
        #expect(entity["Tags"] == ["Lamp"])
        #expect(entity["Size"] == ["H": 2, "W": 1])
        #expect(ODataValue(UInt64.max) == .number("18446744073709551615"))
        #expect(ODataValue(Float(0.1)) == 0.1)
    }

    @Test func asksWithQueriesOfSwift() async throws {
        struct Item: Decodable, Equatable { var ID: Int }
        let shop = try await ShopStore()
        let (name, limit) = ("Chair", Decimal(20))
        let query = ODataQuery("Items")
            .filter(.property("Name") == .value(name) || .property("Price") < .value(limit))
            .orderBy("ID", descending: true)
        #expect(try await shop.provider.executeQuery(query).map { $0["ID"] } == [2, 1])
        #expect(
            try await shop.provider.executeQuery(query.select(["ID"]), as: Item.self)
                == [Item(ID: 2), Item(ID: 1)]
        )
        #expect(try await shop.provider.count(query.top(1)) == 2)
        #expect(try await shop.provider.count("Items?$filter=ID gt 1") == 1)
        let answer = try await shop.provider.read(query)
        #expect(answer.entities?.count == 2)
        #expect(answer.origin.date != nil)
        let explanation = try await shop.provider.explainQuery(query)
        #expect(explanation.statements.first?.sql.contains("ORDER BY") == true)
        #expect(query == query.filter(.property("ID") > 0) || query != ODataQuery("Items"))
        #expect(Set([query, query]).count == 1)
    }

    @Test func aggregatesWithQueriesOfSwift() async throws {
        let shop = try await ShopStore()
        let totals = ODataQuery("Items").apply(
            .filter(.property("ID") > 0),
            .aggregate(.sum("Price", as: "Total"), .count(as: "Number"))
        )
        let row = try #require(try await shop.provider.executeQuery(totals).first)
        #expect(row["Total"]?.decimalValue == Decimal(string: "112.40"))
        #expect(row["Number"] == 2)
        let groups = ODataQuery("Items")
            .apply(.groupBy(["Name"], .aggregate(.max("Price", as: "Most"))))
            .orderBy("Most", descending: true)
        #expect(
            try await shop.provider.executeQuery(groups).map { $0["Name"] } == ["Chair", "Lamp"]
        )
    }

    @Test func addsADefiningQueryOfSwift() async throws {
        let shop = try await ShopStore()
        let cheap = ODataQuery("Items").filter(.property("Name") == "Lamp")
        try await shop.provider.addDefiningQuery(.init(name: "Cheap", query: cheap))
        #expect(try await shop.provider.definingQueries().last?.query == cheap.url())
    }

    @Test func writesValuesOfEveryKindIntoQueries() {
        let uuid = UUID()
        let date = Date(timeIntervalSince1970: 0)
        let url = ODataQuery("A").filter(
            .property("G") == .value(uuid) && .property("D") < .value(date)
                && .property("N") == .value(UInt64.max) && .property("B") == .value(true)
                && .property("T") == .value(Duration.seconds(1)) && .property("X") > .value(2.0)
                && .property("I") != .value(3)
        ).url()
        #expect(url.contains("G%20eq%20\(uuid.uuidString.lowercased())"))
        #expect(url.contains("D%20lt%201970-01-01T00:00:00Z"))
        #expect(url.contains("N%20eq%2018446744073709551615"))
        #expect(url.contains("B%20eq%20true"))
        #expect(url.contains("T%20eq%20duration'PT1S'"))
        #expect(url.contains("X%20gt%202.0e0"))
        #expect(url.hasSuffix("(I%20ne%203)"))
    }

    /// Options are read when the call begins, and belong to the caller all the time.
    @Test func usesOptionsMoreThanOnce() async throws {
        let shop = try await ShopStore()
        let options = OfflineODataRequestOptions()
        options.customTag = "mine"
        for id in [7, 8] {
            try await shop.provider.createEntity(
                EntityValue(entitySet: "Items", ["ID": ODataValue(id)]),
                options: options
            )
        }
        for id in [10, 20] {
            var changes = OfflineODataChangeSet()
            changes.createEntity(["ID": ODataValue(id)], in: "Items")
            changes.createEntity(["ID": ODataValue(id + 1)], in: "Items")
            try await shop.provider.processBatch(changes, options: options)
        }
        let queue = try await shop.provider.requestQueue()
        #expect(queue.allSatisfy { $0.customTag == "mine" })
        // A set is a transaction of its own, and says nothing to the next one.
        #expect(Set(queue.compactMap(\.transactionID)).count == 2)
        #expect(options.transactionID == nil)
    }

    @Test func changesSeveralEntitiesInEveryWay() async throws {
        let shop = try await ShopStore()
        let items = try await shop.provider.executeQuery("Items?$orderby=ID")
        var changes = OfflineODataChangeSet()
        changes.upsertEntity(EntityValue(entitySet: "Items", ["ID": 1, "Name": "Light"]))
        changes.upsertEntity(EntityValue(entitySet: "Items", ["ID": 9, "Name": "New"]))
        changes.updateLink(from: items[1], property: "Parent", to: items[0])
        let written = try await shop.provider.processBatch(changes)
        #expect(written.map { $0["Name"] } == ["Light", "New"])
        #expect(try await shop.provider.executeQuery("Items(2)/Parent").map { $0["ID"] } == [1])
        #expect(try await shop.provider.count("Items") == 3)
    }

    @Test func looksAtSingleRequestsAndTimes() async throws {
        let shop = try await ShopStore()
        let before = Date()
        try await shop.provider.createEntity(EntityValue(entitySet: "Items", ["ID": 9]))
        let id = try #require(try await shop.provider.requestQueue().first?.id)
        #expect(try await shop.provider.request(id)?.method == "POST")
        #expect(try await shop.provider.request(99) == nil)
        try await shop.provider.editRequest(id, values: ["ID": 9, "Name": "Nine"])
        #expect(try await shop.provider.executeQuery("Items(9)").first?["Name"] == "Nine")
        let query = try #require(try await shop.provider.status().queries.first)
        #expect(query.lastDownloadDate.map { $0 < before } == true)
        let event = try #require(try await shop.provider.eventLog().first)
        #expect(event.date.map { $0 < Date() } == true)
        try await shop.provider.upload()
        #expect(try await shop.provider.requestQueueIsEmpty())
    }

    @Test func resolvesTheConflictOfAnEntity() async throws {
        let shop = try await ShopStore()
        var lamp = try #require(try await shop.provider.executeQuery("Items(1)").first)
        lamp["Name"] = "mine"
        try await shop.provider.updateEntity(lamp)
        shop.service.answer { request in
            guard request.method == "GET", request.url.hasSuffix("Items") else { return nil }
            return ScriptedService.json(
                """
                {"@odata.context":"http://shop.test/$metadata#Items","value":[
                {"@odata.etag":"W/\\"2\\"","ID":1,"Name":"theirs","Price":12.50}]}
                """
            )
        }
        try await shop.provider.download()
        #expect(try await shop.provider.conflict(for: lamp).server?["Name"] == "theirs")
        try await shop.provider.resolveConflict(for: lamp, with: .merge(["Name": "ours"]))
        #expect(try await shop.provider.executeQuery("Items(1)").first?["Name"] == "ours")
        #expect(try await shop.provider.requestQueue().first?.etag == "W/\"2\"")
    }

    @Test func makesAProviderOfAURL() async throws {
        let parameters = OfflineODataParameters()
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "offline-odata-" + UUID().uuidString
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        parameters.storePath = directory
        let root = try #require(URL(string: ScriptedService.root))
        let provider = try await OfflineODataProvider.make(
            serviceRoot: root,
            parameters: parameters
        )
        #expect(provider.serviceRoot == ScriptedService.root)
        try await provider.close()
    }

    @Test @MainActor func listFollowsAQueryOfSwift() async throws {
        let shop = try await ShopStore()
        let list = OfflineODataList(ODataQuery("Items").orderBy("ID"), of: shop.provider)
        while !list.isLoaded { await Task.yield() }
        #expect(list.entities.map { $0["ID"] } == [1, 2])
    }
}
