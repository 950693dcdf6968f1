import ODataHTTP
import OfflineOData
import Testing

/// Requests about an entity that another request creates inline.
@Suite struct InlineCreationTests {
    /// An order with an item created inline, whose name was changed before the upload.
    private func changed() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders?$expand=Items", RecordedService.json(#"{"value":[]}"#))
        service.set("GET Items", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders?$expand=Items", "Items"])
        try await provider.createEntity(
            EntityValue(
                entitySet: "Orders",
                ["Title": "deep", "Items": .collection([.object([("Name", "bolt")])])]
            )
        )
        var item = try #require(try await provider.executeQuery("Items").first)
        item["Name"] = "nut"
        try await provider.updateEntity(item)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.clearLog()
        return (service, provider)
    }

    private func names(_ provider: OfflineODataProvider) async throws -> [String?] {
        try await provider.executeQuery("Items").map { $0["Name"]?.stringValue }
    }

    @Test func waitsForTheRequestThatCreatesItsEntity() async throws {
        let (service, provider) = try await changed()
        #expect(try await provider.requestQueue().map(\.dependsOn) == [[], [1]])
        service.set(
            "POST Orders",
            RecordedService.json(
                #"{"ID":2,"Title":"deep","Items":[{"ID":20,"Name":"bolt"}]}"#,
                status: 201
            )
        )
        service.set("PATCH Items(20)", HTTPResponse(status: 204))
        service.set("GET Items(20)", RecordedService.json(#"{"ID":20,"Name":"bolt"}"#))
        _ = try? await provider.upload()
        #expect(service.log.allSatisfy { !$0.url.contains("$local") })
        #expect(
            service.log.allSatisfy { !String(decoding: $0.body, as: UTF8.self).contains("$local") }
        )
    }

    @Test func comesBackAloneToTheValuesOfItsCreation() async throws {
        let (_, provider) = try await changed()
        #expect(try await provider.dropRequest(2) == [2])
        #expect(try await names(provider) == ["bolt"])
        #expect(try await provider.requestQueue().map(\.method) == ["POST"])
    }

    @Test func goesWithTheRequestThatCreatesItsEntity() async throws {
        let (_, provider) = try await changed()
        #expect(try await provider.dropRequest(1) == [1, 2])
        #expect(try await names(provider).isEmpty)
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func isParkedWithTheRequestThatCreatesItsEntity() async throws {
        let (service, provider) = try await changed()
        service.set("POST Orders", HTTPResponse(status: 400))
        let result = try await provider.upload()
        #expect([result.failedCount, result.parkedCount] == [1, 1])
        #expect(service.requests == ["POST $batch", "POST Orders"])
    }

    private static let contained = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Notes" Type="Collection(Shop.Note)" ContainsTarget="true"/>
        <NavigationProperty Name="Items" Type="Collection(Shop.Item)"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        </EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="Shop.Order">
        <NavigationPropertyBinding Path="Items" Target="Items"/></EntitySet>
        <EntitySet Name="Items" EntityType="Shop.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// A store with `Orders(1)/Notes(1)` of the service, and `Orders(2)` with a note and an item that are created inline.
    private func deep(_ posted: String) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.contained)
        service.set(
            "GET Orders?$expand=Notes",
            RecordedService.json(#"{"value":[{"ID":1,"Notes":[{"No":1}]}]}"#)
        )
        service.set("GET Items", RecordedService.json(#"{"value":[]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Orders?$expand=Notes", "Items"])
        let creation = HTTPRequest(
            method: "POST",
            url: "Orders",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"ID":2,"Notes":[{"No":1}],"Items":[{"ID":5,"Name":"bolt"}]}"#.utf8)
        )
        #expect(await provider.respond(to: creation).status == 201)
        service.set("POST Orders", RecordedService.json(posted, status: 201))
        return (service, provider)
    }

    private func delete(_ url: String, _ provider: OfflineODataProvider) async throws {
        let request = HTTPRequest(method: "DELETE", url: url, headers: [:], body: [])
        #expect(await provider.respond(to: request).status == 204)
    }

    /// What the answer shows is found though it is deleted here by then; what has its key below another parent stays.
    @Test func deletesAtTheServiceWhatItCreatedInline() async throws {
        let (service, provider) = try await deep(
            #"{"ID":2,"Notes":[{"No":1}],"Items":[{"ID":5,"Name":"bolt"}]}"#
        )
        try await delete("Orders(2)/Notes(1)", provider)
        try await delete("Items(5)", provider)
        service.set("DELETE Orders(2)/Notes(1)", HTTPResponse(status: 204))
        service.set("DELETE Items(5)", HTTPResponse(status: 204))
        service.clearLog()
        try await provider.upload()
        #expect(service.requests.filter { $0.hasPrefix("DELETE") }.count == 2)
        #expect(try await provider.executeQuery("Orders(1)/Notes").count == 1)
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// What neither the answer nor an expand shows is read by itself, in the same upload.
    @Test func looksForWhatNoAnswerShows() async throws {
        let (service, provider) = try await deep(#"{"ID":2}"#)
        try await delete("Items(5)", provider)
        service.set("GET Orders(2)?$expand=Notes,Items", RecordedService.json(#"{"ID":2}"#))
        service.set("GET Items(5)", RecordedService.json(#"{"ID":5,"Name":"bolt"}"#))
        service.set("DELETE Items(5)", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(service.requests.filter { $0.hasPrefix("DELETE") } == ["DELETE Items(5)"])
        #expect(try await provider.requestQueueIsEmpty())
    }
}
