import OfflineOData
import Testing

/// What comes down of derived types: through a query with a cast, and in nested deltas.
@Suite struct DerivedQueryTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/></EntityType>
        <EntityType Name="Rush" BaseType="D.Order"><Property Name="Deadline" Type="Edm.Date"/>
        <NavigationProperty Name="Stops" Type="Collection(D.Stop)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Stop"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="D.Order"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// The context says the type; the entities need not (OData JSON 4.01 § 4.6.3).
    private static let castPage = """
        {"@odata.context":"$metadata#Orders/D.Rush","value":[{"ID":2,"Title":"b","Deadline":"2024-05-06"}]}
        """

    @Test func takesTheTypeOfTheCastFromTheQuery() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Orders/D.Rush", RecordedService.json(Self.castPage))
        let provider = try await service.opened(["Orders/D.Rush"])
        let rush = try #require(try await provider.executeQuery("Orders/D.Rush").first)
        #expect(rush["Deadline"] == "2024-05-06")
        try await provider.download()
        #expect(try await provider.executeQuery("Orders/D.Rush").count == 1)
    }

    @Test func doesNotDegradeBesideAQueryOfTheWholeSet() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Orders/D.Rush", RecordedService.json(Self.castPage))
        let page =
            ##"{"value":[{"ID":1,"Title":"a"},{"@odata.type":"#D.Rush","ID":2,"Title":"b","Deadline":"2024-05-06"}]}"##
        service.set("GET Orders", RecordedService.json(page))
        let provider = try await service.opened(["Orders", "Orders/D.Rush"])
        for _ in 0..<2 {
            let result = try await provider.download()
            #expect(result.updatedCount == 0 && result.insertedCount == 0)
            let found = try await provider.executeQuery("Orders/D.Rush?$filter=Deadline ne null")
            #expect(found.count == 1)
        }
        #expect(try await provider.executeQuery("Orders").count == 2)
    }

    @Test func removesAContainedEntityOfADerivedTypeByItsKey() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let query = "Orders?$expand=D.Rush/Stops"
        let page = ##"""
            {"value":[{"@odata.type":"#D.Rush","ID":2,"Title":"b","Stops":[{"ID":1,"Text":"s"},{"ID":2,"Text":"t"}]}],
            "@odata.deltaLink":"Orders?delta=1"}
            """##
        service.set("GET " + query, RecordedService.json(page))
        let provider = try await service.opened([query])
        let delta = ##"""
            {"@context":"$metadata#Orders/$delta","value":[{"@type":"#D.Rush","ID":2,
            "Stops@delta":[{"@removed":{"reason":"deleted"},"ID":1}]}],"@deltaLink":"Orders?delta=2"}
            """##
        service.set("GET Orders?delta=1", RecordedService.json(delta))
        try await provider.download()
        let left = try await provider.executeQuery("Orders(2)/D.Rush/Stops")
        #expect(left.map { $0["ID"] } == [2])
    }

    /// A store of an entity of the base type and one of the derived type.
    private static func mixed() async throws -> OfflineODataProvider {
        let service = try RecordedService(metadata: Self.metadata)
        let page = ##"""
            {"value":[{"ID":1,"Title":"a"},{"@odata.type":"#D.Rush","ID":2,"Title":"b","Deadline":null,"Stops":[{"ID":1}]}]}
            """##
        service.set("GET Orders?$expand=D.Rush/Stops", RecordedService.json(page))
        return try await service.opened(["Orders?$expand=D.Rush/Stops"])
    }

    /// OData 4.01 Part 2 § 5.1.3: the type before the property is one that its owners have.
    @Test(arguments: ["", "&$select=ID", "&$orderby=ID desc", "&$filter=ID lt 3&$count=true"])
    func expandsARelationOfADerivedTypeOnItsEntitiesAlone(_ options: String) async throws {
        let provider = try await Self.mixed()
        let query = "Orders?$expand=D.Rush/Stops" + options
        let found = try await provider.executeQuery(query)
        #expect(found.first { $0["ID"] == 1 }?["Stops"] == nil)
        #expect(found.first { $0["ID"] == 2 }?["Stops"] != nil)
        let answer = await provider.respond(to: HTTPRequest(method: "GET", url: query))
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.ranges(of: #""Stops":["#).count == 1)
    }

    @Test(arguments: [
        ("Orders?$select=ID,D.Rush/Deadline", "#Orders(ID,D.Rush/Deadline)"),
        ("Orders(2)?$select=D.Rush/Deadline", "#Orders(D.Rush/Deadline)/$entity"),
        ("Orders/D.Rush?$select=ID,Deadline", "#Orders/D.Rush(ID,Deadline)"),
        ("Orders?$select=ID&$expand=D.Rush/Stops($select=ID)", "#Orders(ID,D.Rush/Stops(ID))"),
    ])
    func namesTheTypeOfASelectedPropertyInTheContext(_ query: String, _ context: String)
        async throws
    {
        let provider = try await Self.mixed()
        let answer = await provider.respond(to: HTTPRequest(method: "GET", url: query))
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains("$metadata\(context)\""), "\(text)")
    }
}
