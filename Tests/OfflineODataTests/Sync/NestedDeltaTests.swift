import OfflineOData
import Testing

/// Changes of what an entity is related to, inside the entity's own changes (OData JSON 4.01 §§ 15.2 to 15.4).
@Suite struct NestedDeltaTests {
    /// What the tests look at: orders and, of each, what it leads to.
    private func related(_ provider: OfflineODataProvider, _ property: String) async throws
        -> String
    {
        let orders = try await provider.executeQuery("Orders?$expand=\(property)&$orderby=ID")
        return orders.map { order in
            let items = order[property]?.items ?? []
            let names = items.compactMap { item in
                (item["ID"] ?? item["Number"])?.integerValue.map(String.init)
                    ?? item["Code"]?.stringValue
            }
            return "\(order["ID"]?.integerValue ?? 0): " + names.sorted().joined(separator: " ")
        }
        .joined(separator: ", ")
    }

    private func keys(_ provider: OfflineODataProvider, _ url: String) async throws -> [Int64] {
        try await provider.executeQuery(url).compactMap { $0["ID"]?.integerValue }.sorted()
    }

    // MARK: Links

    private func shop(_ changes: String, _ queries: [String] = []) async throws
        -> (RecordedService, OfflineODataProvider)
    {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                #"""
                {"value":[{"ID":1,"Title":"a","Items":[{"ID":10,"Name":"x"},{"ID":11,"Name":"y"}]},
                {"ID":2,"Title":"b","Items":[{"ID":11,"Name":"y"},{"ID":12,"Name":"z"}]}],
                "@odata.deltaLink":"Orders?d=1"}
                """#
            )
        )
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":11},{"ID":90}]}"#))
        service.set(
            "GET Orders?d=1",
            RecordedService.json(#"{"value":[\#(changes)],"@odata.deltaLink":"Orders?d=2"}"#)
        )
        service.set(
            "GET Orders?d=2",
            RecordedService.json(#"{"value":[],"@odata.deltaLink":"Orders?d=2"}"#)
        )
        return (service, try await service.opened(["Orders?$expand=Items"] + queries))
    }

    /// A nested change, what the orders lead to afterwards, and the items that are left.
    struct Case: Sendable, CustomTestStringConvertible {
        var changes: String
        var links: String
        var items: [Int64]
        var testDescription: String { changes }

        init(_ changes: String, _ links: String, _ items: [Int64]) {
            (self.changes, self.links, self.items) = (changes, links, items)
        }
    }

    @Test(arguments: [
        // A new entity is inserted and linked; what is not mentioned stays.
        Case(#"{"ID":1,"Items@delta":[{"ID":13}]}"#, "1: 10 11 13, 2: 11 12", [10, 11, 12, 13]),
        // One that is known elsewhere is linked.
        Case(#"{"ID":1,"Items@delta":[{"ID":12}]}"#, "1: 10 11 12, 2: 11 12", [10, 11, 12]),
        Case(
            #"{"ID":1,"Items@delta":[{"@id":"Items(12)"}]}"#,
            "1: 10 11 12, 2: 11 12",
            [10, 11, 12]
        ),
        Case(
            #"{"@id":"Orders(1)","Items@odata.delta":[{"@odata.id":"http://service.test/odata/Items(12)"}]}"#,
            "1: 10 11 12, 2: 11 12",
            [10, 11, 12]
        ),
        // Unlinked: gone where nothing else leads there.
        Case(
            #"{"ID":1,"Items@delta":[{"@removed":{"reason":"changed"},"@id":"Items(10)"}]}"#,
            "1: 11, 2: 11 12",
            [11, 12]
        ),
        Case(
            #"{"ID":1,"Items@delta":[{"@removed":{"reason":"changed"},"@id":"Items(11)"}]}"#,
            "1: 10, 2: 11 12",
            [10, 11, 12]
        ),
        Case(
            #"{"ID":1,"Items@delta":[{"@removed":{},"ID":11}]}"#,
            "1: 10, 2: 11 12",
            [10, 11, 12]
        ),
        // Deleted: gone wherever it was.
        Case(
            #"{"ID":1,"Items@delta":[{"@removed":{"reason":"deleted"},"@id":"Items(11)"}]}"#,
            "1: 10, 2: 12",
            [10, 12]
        ),
        Case(
            #"{"ID":1,"Items@delta":[{"@removed":{"reason":"deleted"},"ID":11}]}"#,
            "1: 10, 2: 12",
            [10, 12]
        ),
        // In order: what comes last counts.
        Case(
            #"{"ID":1,"Items@delta":[{"@removed":{"reason":"changed"},"ID":10},{"@id":"Items(10)"}]}"#,
            "1: 10 11, 2: 11 12",
            [10, 11, 12]
        ),
        Case(
            #"{"ID":1,"Items@delta":[{"@removed":{"reason":"changed"},"ID":10},{"ID":10}]}"#,
            "1: 10 11, 2: 11 12",
            [10, 11, 12]
        ),
        Case(
            #"{"ID":1,"Items@delta":[{"@id":"Items(12)"},{"@removed":{"reason":"changed"},"ID":12}]}"#,
            "1: 10 11, 2: 11 12",
            [10, 11, 12]
        ),
        // Moved from one order to the other.
        Case(
            #"{"ID":1,"Items@delta":[{"@removed":{"reason":"changed"},"ID":10}]},{"ID":2,"Items@delta":[{"@id":"Items(10)"}]}"#,
            "1: 11, 2: 10 11 12",
            [10, 11, 12]
        ),
        // A whole collection, with references in it.
        Case(
            #"{"ID":1,"Items":[{"@id":"Items(12)"},{"ID":13}]}"#,
            "1: 12 13, 2: 11 12",
            [11, 12, 13]
        ),
        // A new order that leads to what is there.
        Case(
            #"{"ID":3,"Items@delta":[{"@id":"Items(10)"}]}"#,
            "1: 10 11, 2: 11 12, 3: 10",
            [10, 11, 12]
        ),
    ])
    func followsNestedChanges(_ item: Case) async throws {
        let (_, provider) = try await shop(item.changes)
        let result = try await provider.download()
        #expect(try await related(provider, "Items") == item.links)
        #expect(try await keys(provider, "Items") == item.items)
        #expect(result.queries[0].remarks.isEmpty)
    }

    @Test func updatesTheEntitiesInside() async throws {
        let (_, provider) = try await shop(#"{"ID":1,"Items@delta":[{"ID":10,"Name":"new"}]}"#)
        try await provider.download()
        let item = try #require(try await provider.executeQuery("Items(10)").first)
        #expect(item["Name"]?.stringValue == "new")
        #expect(try await provider.executeQuery("Orders(1)").first?["Title"]?.stringValue == "a")
    }

    @Test(arguments: [
        #"{"@removed":{"reason":"changed"},"@id":"Items"}"#,
        #"{"@removed":{"reason":"deleted"},"@id":"urn:x:1"}"#, #"{"@id":"urn:x:1"}"#,
    ])
    func reportsAnIDInsideThatNamesNoEntity(_ item: String) async throws {
        let (_, provider) = try await shop("{\"ID\":1,\"Items@delta\":[\(item)]}")
        let remarks = try await provider.download().queries[0].remarks
        #expect(remarks.count == 1)
        #expect(remarks.first?.contains(item.contains("urn") ? "\"urn:x:1\"" : "\"Items\"") == true)
        #expect(try await related(provider, "Items") == "1: 10 11, 2: 11 12")
    }

    /// The entity may come with a query that is merged later.
    @Test func linksWhatAnotherQueryBringsInTheSameDownload() async throws {
        let (service, provider) = try await shop(
            #"{"ID":1,"Items@delta":[{"@id":"Items(91)"}]}"#,
            ["Items"]
        )
        service.set(
            "GET Items",
            RecordedService.json(#"{"value":[{"ID":11},{"ID":90},{"ID":91}]}"#)
        )
        let result = try await provider.download()
        #expect(try await related(provider, "Items") == "1: 10 11 91, 2: 11 12")
        #expect(result.queries.flatMap(\.remarks).isEmpty)
    }

    /// What the service did not send is asked for with the next download, and not missing for ever.
    @Test func readsInFullWhereAnEntityIsMissing() async throws {
        let (service, provider) = try await shop(#"{"ID":1,"Items@delta":[{"@id":"Items(99)"}]}"#)
        let remarks = try await provider.download().queries[0].remarks
        #expect(remarks.first?.contains("\"Items(99)\"") == true)
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                #"{"value":[{"ID":1,"Items":[{"ID":99}]}],"@odata.deltaLink":"Orders?d=2"}"#
            )
        )
        service.clearLog()
        try await provider.download()
        #expect(service.requests.contains("GET Orders?$expand=Items"))
        #expect(try await related(provider, "Items") == "1: 99")
        service.clearLog()
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Orders?d=2"])
    }

    /// The rest of a nested delta behind a next link.
    @Test func followsTheNextLinkOfANestedDelta() async throws {
        let (service, provider) = try await shop(
            #"{"ID":1,"Items@delta":[{"ID":13}],"Items@nextLink":"more"}"#
        )
        service.set(
            "GET more",
            RecordedService.json(
                #"{"value":[{"@removed":{"reason":"changed"},"ID":10},{"@id":"Items(12)"},{"ID":14,"Name":"q"}]}"#
            )
        )
        try await provider.download()
        #expect(try await related(provider, "Items") == "1: 11 12 13 14, 2: 11 12")
        #expect(try await keys(provider, "Items") == [11, 12, 13, 14])
    }

    // MARK: Local changes

    @Test func aWaitingLinkKnowsWhatTheServiceHas() async throws {
        let (service, provider) = try await shop(
            #"{"ID":1,"Items@delta":[{"@removed":{"reason":"changed"},"@id":"Items(10)"}]}"#
        )
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        let item = try #require(try await provider.executeQuery("Items(10)").first)
        // Removed here and at the service: nothing is left of it when the request is dropped.
        try await provider.deleteLink(from: order, property: "Items", to: item)
        try await provider.download()
        let request = try #require(try await provider.requestQueue().first)
        try await provider.dropRequest(request.id)
        #expect(try await related(provider, "Items") == "1: 11, 2: 11 12")
        _ = service
    }

    // MARK: Foreign keys and containment

    private func depot(_ changes: String, _ query: String) async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: DepotModel.v4)
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                #"""
                {"value":[{"ID":1,"Items":[{"ID":10,"OrderID":1},{"ID":11,"OrderID":1}]},
                {"ID":2,"Items":[{"ID":12,"OrderID":2}]}],"@odata.deltaLink":"O?d=1"}
                """#
            )
        )
        service.set(
            "GET Orders?$expand=Lines",
            RecordedService.json(
                #"""
                {"value":[{"ID":1,"Lines":[{"Number":1,"Text":"a"},{"Number":2,"Text":"b"}]},
                {"ID":2,"Lines":[{"Number":1,"Text":"c"}]}],"@odata.deltaLink":"O?d=1"}
                """#
            )
        )
        service.set(
            "GET Orders?$expand=Tags",
            RecordedService.json(
                #"""
                {"value":[{"ID":1,"Tags":[{"Area":"x","Code":"A"},{"Area":"x","Code":"B"}]},
                {"ID":2,"Tags":[]}],"@odata.deltaLink":"O?d=1"}
                """#
            )
        )
        service.set(
            "GET Items?$expand=Order",
            RecordedService.json(
                #"""
                {"value":[{"ID":10,"OrderID":1,"Order":{"ID":1}},{"ID":11,"OrderID":1,"Order":{"ID":1}},
                {"ID":12,"OrderID":2,"Order":{"ID":2}}],"@odata.deltaLink":"O?d=1"}
                """#
            )
        )
        service.set(
            "GET O?d=1",
            RecordedService.json(#"{"value":[\#(changes)],"@odata.deltaLink":"O?d=2"}"#)
        )
        return (service, try await service.opened([query]))
    }

    @Test(arguments: [
        (#"{"ID":1,"Items@delta":[{"@removed":{"reason":"changed"},"ID":10}]}"#, "1: 11, 2: 12"),
        (#"{"ID":1,"Items@delta":[{"@removed":{"reason":"deleted"},"ID":10}]}"#, "1: 11, 2: 12"),
        (#"{"ID":2,"Items@delta":[{"@id":"Items(10)"}]}"#, "1: 11, 2: 10 12"),
        (
            #"{"ID":1,"Items@delta":[{"@removed":{"reason":"changed"},"ID":10}]},{"ID":2,"Items@delta":[{"ID":10,"OrderID":2}]}"#,
            "1: 11, 2: 10 12"
        ),
        (
            #"{"ID":2,"Items@delta":[{"ID":10,"OrderID":2}]},{"ID":1,"Items@delta":[{"@removed":{"reason":"changed"},"ID":10}]}"#,
            "1: 11, 2: 10 12"
        ),
        // The foreign key is left out where it is not selected; the place says it.
        (#"{"ID":2,"Items@delta":[{"ID":13}]}"#, "1: 10 11, 2: 12 13"),
        // Links as entries of their own.
        (
            ##"{"@context":"#Orders/$link","source":"Orders(2)","relationship":"Items","target":"Items(10)"}"##,
            "1: 11, 2: 10 12"
        ),
        (
            ##"{"@context":"#Orders/$deletedLink","source":"Orders(1)","relationship":"Items","target":"Items(10)"}"##,
            "1: 11, 2: 12"
        ),
    ])
    func changesForeignKeys(_ changes: String, _ links: String) async throws {
        let (_, provider) = try await depot(changes, "Orders?$expand=Items")
        let result = try await provider.download()
        #expect(try await related(provider, "Items") == links)
        #expect(result.queries[0].remarks.isEmpty)
    }

    /// What is changed here stays; what the service has is what it says.
    @Test func changesTheForeignKeyBelowALocalChange() async throws {
        let (_, provider) = try await depot(
            #"{"ID":2,"Items@delta":[{"@id":"Items(10)"}]}"#,
            "Orders?$expand=Items"
        )
        var item = try #require(try await provider.executeQuery("Items(10)").first)
        item["Name"] = "mine"
        try await provider.updateEntity(item)
        try await provider.download()
        let now = try #require(try await provider.executeQuery("Items(10)").first)
        #expect(now["Name"]?.stringValue == "mine")
        #expect(now["OrderID"]?.integerValue == 2)
        let request = try #require(try await provider.requestQueue().first)
        try await provider.dropRequest(request.id)
        let left = try #require(try await provider.executeQuery("Items(10)").first)
        #expect(left["OrderID"]?.integerValue == 2)
        #expect(left["Name"]?.stringValue != "mine")
    }

    @Test(
        arguments: [
            (#"{"ID":10,"Order":null}"#, nil, [1, 2]),
            (#"{"ID":12,"Order":null}"#, 1, [1]),
            (#"{"ID":10,"Order":{"ID":2}}"#, 2, [1, 2]),
            (#"{"ID":10,"Order":{"@id":"Orders(2)"}}"#, 2, [1, 2]),
            (#"{"ID":10,"Order":{"ID":3,"Title":"new"}}"#, 3, [1, 2, 3]),
            (#"{"ID":10,"OrderID":2,"Order":{"ID":2}}"#, 2, [1, 2]),
            (#"{"ID":10,"Name":"same"}"#, 1, [1, 2]),
        ] as [(String, Int64?, [Int64])]
    )
    func followsASingleValuedProperty(_ changes: String, _ order: Int64?, _ orders: [Int64])
        async throws
    {
        let (_, provider) = try await depot(changes, "Items?$expand=Order")
        try await provider.download()
        let item = try #require(try await provider.executeQuery("Items(10)?$expand=Order").first)
        #expect(item["Order"]?["ID"]?.integerValue == order)
        #expect(try await keys(provider, "Orders") == orders)
    }

    @Test(arguments: [
        (#"{"ID":1,"Lines@delta":[{"Number":3,"Text":"n"}]}"#, "1: 1 2 3, 2: 1"),
        (#"{"ID":1,"Lines@delta":[{"Number":2,"Text":"n"}]}"#, "1: 1 2, 2: 1"),
        (#"{"ID":1,"Lines@delta":[{"@removed":{"reason":"deleted"},"Number":1}]}"#, "1: 2, 2: 1"),
        (#"{"ID":1,"Lines@delta":[{"@removed":{"reason":"changed"},"Number":1}]}"#, "1: 2, 2: 1"),
        (
            #"{"ID":2,"Lines@delta":[{"@removed":{"reason":"deleted"},"@id":"Orders(2)/Lines(1)"}]}"#,
            "1: 1 2, 2: "
        ),
        (
            #"{"ID":1,"Lines@delta":[{"@removed":{"reason":"deleted"},"Number":1},{"Number":1,"Text":"n"}]}"#,
            "1: 1 2, 2: 1"
        ),
        (#"{"ID":1,"Lines":[{"Number":2}]}"#, "1: 2, 2: 1"),
        (#"{"ID":1,"Lines":[]}"#, "1: , 2: 1"),
        (#"{"ID":1,"Title":"t"}"#, "1: 1 2, 2: 1"),
    ])
    func changesContainedEntities(_ changes: String, _ lines: String) async throws {
        let (_, provider) = try await depot(changes, "Orders?$expand=Lines")
        let result = try await provider.download()
        #expect(try await related(provider, "Lines") == lines)
        #expect(result.queries[0].remarks.isEmpty)
    }

    @Test(arguments: [
        (
            #"{"ID":1,"Tags@delta":[{"@removed":{"reason":"changed"},"Area":"x","Code":"A"}]}"#,
            "1: B, 2: "
        ),
        (#"{"ID":2,"Tags@delta":[{"@id":"Tags(Area='x',Code='A')"}]}"#, "1: A B, 2: A"),
        (#"{"ID":2,"Tags@delta":[{"Area":"y","Code":"C"}]}"#, "1: A B, 2: C"),
    ])
    func readsKeysOfSeveralParts(_ changes: String, _ tags: String) async throws {
        let (_, provider) = try await depot(changes, "Orders?$expand=Tags")
        try await provider.download()
        #expect(try await related(provider, "Tags") == tags)
    }

    // MARK: Flattened

    /// Version 4.0 brings a contained entity beside what contains it, with a context of its own: everything is read anew then.
    @Test(arguments: ["http://service.test/odata/$metadata", ""])
    func readsInFullWhereAContainedEntityComesByItself(_ start: String) async throws {
        let service = try RecordedService(metadata: Self.containing)
        service.set(
            "GET Orders?$expand=Lines",
            RecordedService.json(
                #"{"value":[{"ID":10,"Lines":[{"Number":1}]}],"@odata.deltaLink":"Orders?d=1"}"#
            )
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(
                #"""
                {"@odata.context":"http://service.test/odata/$metadata#Orders/$delta","value":[
                {"@odata.context":"\#(start)#Orders(10)/Lines/$entity","@odata.id":"Orders(10)/Lines(4)","Number":4}],
                "@odata.deltaLink":"Orders?d=2"}
                """#
            )
        )
        let provider = try await service.opened(["Orders?$expand=Lines"])
        service.set(
            "GET Orders?$expand=Lines",
            RecordedService.json(#"{"value":[{"ID":10,"Lines":[{"Number":1},{"Number":4}]}]}"#)
        )
        try await provider.download()
        #expect(try await keys(provider, "Orders") == [10])
        #expect(try await provider.executeQuery("Orders(10)/Lines").count == 2)
    }

    private static let containing = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Lines" Type="Collection(Shop.Line)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Line"><Key><PropertyRef Name="Number"/></Key>
        <Property Name="Number" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="Shop.Order"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    // MARK: Inherited

    /// A property that the type of a set has from its base type.
    private static let inherited = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Paper"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Tags" Type="Collection(Shop.Tag)"/>
        <NavigationProperty Name="Lines" Type="Collection(Shop.Line)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Order" BaseType="Shop.Paper"><Property Name="Title" Type="Edm.String"/></EntityType>
        <EntityType Name="Tag"><Key><PropertyRef Name="Code"/></Key>
        <Property Name="Code" Type="Edm.String" Nullable="false"/></EntityType>
        <EntityType Name="Line"><Key><PropertyRef Name="Number"/></Key>
        <Property Name="Number" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="Shop.Order">
        <NavigationPropertyBinding Path="Tags" Target="Tags"/></EntitySet>
        <EntitySet Name="Tags" EntityType="Shop.Tag"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(arguments: [
        (#"{"ID":1,"Tags@delta":[{"Code":"C"}]}"#, "1: A B C", "1: 1 2"),
        (
            #"{"ID":1,"Tags@delta":[{"@removed":{"reason":"changed"},"@id":"Tags('A')"}]}"#,
            "1: B", "1: 1 2"
        ),
        (#"{"ID":1,"Tags":[{"Code":"B"}]}"#, "1: B", "1: 1 2"),
        (
            #"{"ID":1,"Lines@delta":[{"@removed":{"reason":"deleted"},"@id":"(1)"},{"Number":3}]}"#,
            "1: A B", "1: 2 3"
        ),
    ])
    func followsInheritedProperties(_ change: String, _ tags: String, _ lines: String)
        async throws
    {
        let service = try RecordedService(metadata: Self.inherited)
        let query = "Orders?$expand=Tags,Lines"
        service.set(
            "GET \(query)",
            RecordedService.json(
                #"{"value":[{"ID":1,"Tags":[{"Code":"A"},{"Code":"B"}],"Lines":[{"Number":1},{"Number":2}]}],"@odata.deltaLink":"Orders?d=1"}"#
            )
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(
                "{\"value\":[\(change)],\"@odata.deltaLink\":\"Orders?d=2\"}"
            )
        )
        let provider = try await service.opened([query])
        service.clearLog()
        let result = try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Orders?d=1"])
        #expect(result.queries[0].remarks.isEmpty)
        #expect(try await related(provider, "Tags") == tags)
        #expect(try await related(provider, "Lines") == lines)
    }
}
