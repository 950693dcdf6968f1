import ODataHTTP
import OfflineOData
import Testing

/// Relations to entities that a navigation property cannot lead to.
@Suite struct LinkTypeTests {
    private static let metadata = ShopModel.v4(
        "<NavigationProperty Name=\"Order\" Type=\"Shop.Order\"/>"
    ).replacing(
        "<EntitySet Name=\"Items\" EntityType=\"Shop.Item\"/>",
        with: """
            <EntitySet Name="Items" EntityType="Shop.Item">
            <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
            """
    )

    private func opened() async throws -> OfflineODataProvider {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        return try await service.opened(["Orders", "Items"])
    }

    @Test(
        arguments: [
            ("PUT", "Items(1)/Order/$ref", #"{"@odata.id":"Items(2)"}"#),
            ("POST", "Orders(1)/Items/$ref", #"{"@odata.id":"Orders(2)"}"#),
            ("PATCH", "Items(1)", #"{"Order@odata.bind":"Items(2)"}"#),
            ("POST", "Items", #"{"ID":9,"Order@odata.bind":"Items(2)"}"#),
            // The store need not have it.
            ("PUT", "Items(1)/Order/$ref", #"{"@odata.id":"Items(77)"}"#),
        ]
    )
    func refusesEntitiesOfAnotherType(_ method: String, _ url: String, _ body: String) async throws
    {
        let provider = try await opened()
        let request = HTTPRequest(
            method: method,
            url: url,
            headers: ["Content-Type": "application/json"],
            body: Array(body.utf8)
        )
        let answer = await provider.respond(to: request)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 400)
        #expect(text.contains("leads to entities of Shop."), "\(text)")
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func updatesLinksOfSingleValuedPropertiesAlone() async throws {
        let provider = try await opened()
        let orders = try await provider.executeQuery("Orders")
        let items = try await provider.executeQuery("Items")
        await #expect(throws: OfflineODataError.self) {
            try await provider.updateLink(from: orders[0], property: "Items", to: items[0])
        }
        await #expect(throws: OfflineODataError.self) {
            try await provider.updateLink(from: items[0], property: "Order", to: items[1])
        }
        #expect(try await provider.requestQueueIsEmpty())
        try await provider.updateLink(from: items[0], property: "Order", to: orders[1])
        #expect(try await provider.executeQuery("Items(1)/Order").first?.readLink == "Orders(2)")
    }

    /// What is created in a change set is named by its draft in what comes after.
    @Test func relatesTheDraftsOfAChangeSet() async throws {
        let provider = try await opened()
        let order = EntityValue(entitySet: "Orders", ["Title": "new"])
        let item = EntityValue(entitySet: "Items", ["Name": "new"])
        let more = EntityValue(entitySet: "Items", ["Name": "more"])
        var changes = OfflineODataChangeSet()
        changes.createEntity(order)
        changes.createEntity(item)
        changes.createLink(from: item, property: "Order", to: order)
        changes.createRelatedEntity(more, in: order, property: "Items")
        let created = try await provider.processBatch(changes)
        #expect(created.count == 3)
        let link = try #require(created[1].readLink)
        #expect(try await provider.executeQuery(link + "/Order").first?["Title"] == "new")
        let items = try await provider.executeQuery(try #require(created[0].readLink) + "/Items")
        #expect(items.map { $0["Name"] } == ["more"])
    }
}
