import OfflineOData
import Testing

/// A type of the application's that knows a part of what an entity holds changes that part, and takes nothing of the rest away.
@Suite struct KnownInPartTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Point"><Property Name="X" Type="Edm.Int32"/></ComplexType>
        <ComplexType Name="Deep" BaseType="S.Point" OpenType="true"><Property Name="Z" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Cat"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Items" Type="Collection(S.Item)" Partner="Cat"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Place" Type="S.Point"/><Property Name="Places" Type="Collection(S.Point)"/>
        <NavigationProperty Name="Cat" Type="S.Cat" Partner="Items"/></EntityType>
        <EntityType Name="Tool" BaseType="S.Item"><Property Name="Volt" Type="Edm.Int32"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Cats" EntityType="S.Cat">
        <NavigationPropertyBinding Path="Items" Target="Items"/></EntitySet>
        <EntitySet Name="Items" EntityType="S.Item"><NavigationPropertyBinding Path="Cat" Target="Cats"/></EntitySet>
        <Singleton Name="Best" Type="S.Item"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private struct Point: Codable { var X: Int? }

    private struct Item: Codable {
        var ID: Int
        var Name: String?
        var Place: Point?
        var Places: [Point]
    }

    private struct Cat: Codable {
        var ID: Int
        var Name: String?
        var Items: [Item]?
    }

    private struct Tool: Codable, ODataNamedType {
        static let odataType = "S.Tool"
        var ID: Int
        var Volt: Int?
    }

    private static let deep = ##"{"@odata.type":"#S.Deep","X":2,"Z":9,"Own":"k"}"##

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        let first = #"{"ID":1,"Name":"a","Place":\#(Self.deep),"Places":[{"X":1},\#(Self.deep)]}"#
        let items = first + #",{"ID":2,"Name":"b","Place":null,"Places":[]}"#
        service.set(
            "GET Cats?$expand=Items",
            RecordedService.json(
                #"{"value":[{"ID":1,"Name":"x","Items":[\#(items)]},{"ID":2,"Name":"y","Items":[]}]}"#
            )
        )
        return (service, try await service.opened(["Cats?$expand=Items"]))
    }

    private func queue(_ provider: OfflineODataProvider) async throws -> [String] {
        try await provider.requestQueue().map { "\($0.method) \($0.url) \($0.body ?? "")" }
    }

    private func item(_ provider: OfflineODataProvider, _ id: Int) async throws -> EntityValue {
        try #require(try await provider.executeQuery("Items(\(id))").first)
    }

    /// Each change of an item, and what it sends.
    private static let changes: [(change: @Sendable (inout Item) -> Void, body: String)] = [
        ({ $0.Place?.X = 6 }, ##"{"Place":{"@odata.type":"#S.Deep","X":6,"Z":9,"Own":"k"}}"##),
        ({ $0.Places[0].X = 5 }, #"{"Places":[{"X":5},\#(deep)]}"#),
        (
            { $0.Places[1].X = 5 },
            ##"{"Places":[{"X":1},{"@odata.type":"#S.Deep","X":5,"Z":9,"Own":"k"}]}"##
        ),
        ({ $0.Places.remove(at: 0) }, #"{"Places":[\#(deep)]}"#),
        ({ $0.Places.insert(Point(X: 7), at: 0) }, #"{"Places":[{"X":7},{"X":1},\#(deep)]}"#),
        ({ $0.Places.swapAt(0, 1) }, #"{"Places":[\#(deep),{"X":1}]}"#),
    ]

    @Test(arguments: changes.indices)
    func keepsWhatTheTypeDoesNotKnow(_ index: Int) async throws {
        let (service, provider) = try await opened()
        let entity = try await item(provider, 1)
        var value = try entity.decode(Item.self)
        Self.changes[index].change(&value)
        try await provider.update(entity, with: value)
        #expect(try await queue(provider) == ["PATCH Items(1) " + Self.changes[index].body])
        withExtendedLifetime(service) {}
    }

    /// Which item is which cannot be told where some are new and others changed.
    @Test func refusesWhatItCannotTell() async throws {
        let (service, provider) = try await opened()
        let entity = try await item(provider, 1)
        var value = try entity.decode(Item.self)
        value.Places = [Point(X: 10), Point(X: 11), Point(X: 12)]
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.update(entity, with: value)
        }
        #expect(error?.category == .invalidInput)
        #expect(try await queue(provider).isEmpty)
        withExtendedLifetime(service) {}
    }

    @Test func changesTheRelatedEntityThatWasChanged() async throws {
        let (service, provider) = try await opened()
        let entity = try #require(
            try await provider.executeQuery("Cats(1)?$expand=Items($orderby=ID)").first
        )
        var value = try entity.decode(Cat.self)
        value.Items?[1].Name = "new"
        try await provider.update(entity, with: value)
        #expect(try await queue(provider) == [#"PATCH Items(2) {"Name":"new"}"#])
        withExtendedLifetime(service) {}
    }

    /// Whether the relation or the entity is to end cannot be told.
    @Test func refusesToTakeARelatedEntityOut() async throws {
        let (service, provider) = try await opened()
        let entity = try #require(try await provider.executeQuery("Cats(1)?$expand=Items").first)
        var value = try entity.decode(Cat.self)
        value.Items?.removeLast()
        await #expect(throws: OfflineODataError.self) {
            try await provider.update(entity, with: value)
        }
        #expect(try await queue(provider).isEmpty)
        withExtendedLifetime(service) {}
    }

    /// Another related entity than before is a change, whether anything of it has changed or not.
    @Test func relatesAnEntityThatIsAsItWas() async throws {
        let (service, provider) = try await opened()
        let entity = try #require(
            try await provider.executeQuery("Cats(2)?$expand=Items").first
        )
        var value = try entity.decode(Cat.self)
        value.Items?.append(try await item(provider, 2).decode(Item.self))
        try await provider.update(entity, with: value)
        let related = try await provider.executeQuery("Cats(2)/Items")
        #expect(related.map { $0["ID"] } == [2])
        #expect(try await queue(provider).count == 1)
        withExtendedLifetime(service) {}
    }

    /// Of the former one nothing is taken over that the type does not know.
    @Test func namesAnotherEntityAndChangesNothingOfIt() async throws {
        struct Named: Codable { var ID: Int }
        struct Part: Codable {
            var ID: Int
            var Cat: Named?
        }
        let (service, provider) = try await opened()
        let entity = try #require(try await provider.executeQuery("Items(1)?$expand=Cat").first)
        var value = try entity.decode(Part.self)
        value.Cat = Named(ID: 2)
        try await provider.update(entity, with: value)
        #expect(try await queue(provider).count == 1)
        let names = try await provider.executeQuery("Cats?$orderby=ID").map { $0["Name"] }
        #expect(names == ["x", "y"])
        #expect(try await provider.executeQuery("Items(1)/Cat").map { $0["ID"] } == [2])
        withExtendedLifetime(service) {}
    }

    @Test func createsTheTypeThatTheValueStandsFor() async throws {
        let (service, provider) = try await opened()
        try await provider.create(Tool(ID: 7, Volt: nil), in: "Items")
        try await provider.create(Tool(ID: 8, Volt: 13), in: "Items")
        let tools = try await provider.executeQuery("Items/S.Tool?$orderby=ID")
        #expect(tools.map { $0["ID"] } == [7, 8])
        #expect(try await queue(provider).allSatisfy { $0.contains(##""@odata.type":"#S.Tool""##) })
        withExtendedLifetime(service) {}
    }

    @Test func refusesAnotherKeyAndCreationsInSingletons() async throws {
        let (service, provider) = try await opened()
        var entity = try await item(provider, 2)
        entity["ID"] = 9
        await #expect(throws: OfflineODataError.self) { try await provider.updateEntity(entity) }
        await #expect(throws: OfflineODataError.self) {
            try await provider.createEntity(EntityValue(entitySet: "Best", ["ID": 5]))
        }
        let photo = try await item(provider, 2)
        await #expect(throws: OfflineODataError.self) {
            try await provider.uploadMedia(of: photo, content: [1], contentType: "a/b")
        }
        #expect(try await queue(provider).isEmpty)
        withExtendedLifetime(service) {}
    }
}
