import ODataHTTP
import OfflineOData
import Testing

/// Entities that come several times in one answer, with other links each time.
@Suite struct RepeatedEntityTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Boss" Type="N.Person"/>
        <NavigationProperty Name="Groups" Type="Collection(N.Group)"/>
        <NavigationProperty Name="Notes" Type="Collection(N.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Group"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="People" EntityType="N.Person">
        <NavigationPropertyBinding Path="Boss" Target="People"/>
        <NavigationPropertyBinding Path="Groups" Target="Groups"/></EntitySet>
        <EntitySet Name="Groups" EntityType="N.Group"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let query = "People?$expand=Boss,Groups,Notes"
    private static let older =
        #"{"ID":1,"Boss":{"ID":9},"Groups":[{"ID":7},{"ID":8}],"Notes":[{"ID":1},{"ID":2}]}"#
    private static let boss = #"{"ID":9,"Boss":null,"Groups":[],"Notes":[]}"#
    private static let newer = #"{"ID":1,"Boss":null,"Groups":[{"ID":7}],"Notes":[{"ID":2}]}"#

    private static func ids(_ provider: OfflineODataProvider, _ url: String) async throws -> [Int64]
    {
        try await provider.executeQuery(url).compactMap { $0["ID"]?.integerValue }.sorted()
    }

    private static func expectNewer(_ provider: OfflineODataProvider) async throws {
        #expect(try await ids(provider, "People") == [1, 9])
        #expect(try await ids(provider, "People?$filter=Boss ne null") == [])
        #expect(try await ids(provider, "Groups") == [7])
        #expect(try await ids(provider, "People(1)/Groups") == [7])
        #expect(try await ids(provider, "People(1)/Notes") == [2])
    }

    private static func page(_ entities: String, then link: String) -> HTTPResponse {
        RecordedService.json("{\"value\":[\(entities)],\(link)}")
    }

    /// Rows moved between two pages while they were read.
    @Test func takesTheLinksOfTheLaterPage() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let next = #""@odata.nextLink":"People?p=2""#
        service.set("GET \(Self.query)", Self.page("\(Self.boss),\(Self.older)", then: next))
        service.set("GET People?p=2", RecordedService.json("{\"value\":[\(Self.newer)]}"))

        try await Self.expectNewer(try await service.opened([Self.query]))
    }

    private static let reference =
        #"{"ID":1,"Boss":null,"Groups":[{"ID":7},{"@odata.id":"Groups(8)"}],"Notes":[]}"#
    private static let changed = #"{"@removed":{"reason":"changed"},"@id":"People(1)"}"#

    @Test(arguments: [
        [older], [newer, older], [changed, older], [older, changed], [reference],
        [older, "{\"ID\":1}"],
    ])
    func takesTheLinksOfTheLastEntryOfADelta(_ entries: [String]) async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let delta = #""@odata.deltaLink":"People?d=1""#
        service.set("GET \(Self.query)", Self.page("\(Self.boss),\(Self.older)", then: delta))
        let list = (entries + [Self.newer]).joined(separator: ",")
        service.set("GET People?d=1", Self.page(list, then: delta))
        let provider = try await service.opened([Self.query])

        try await provider.download()

        try await Self.expectNewer(provider)
    }

    /// A reference stands in place of an entity that comes elsewhere.
    @Test(arguments: [true, false])
    func takesNoReferenceOfAnEarlierVersion(isDelta: Bool) async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let boss = #"{"ID":9,"Boss":null,"Groups":[{"ID":8}],"Notes":[]}"#
        let delta = #""@odata.deltaLink":"People?d=1""#
        let changed = "\(Self.reference),\(Self.newer)"
        service.set(
            "GET \(Self.query)",
            Self.page(boss + (isDelta ? "" : ",\(changed)"), then: delta)
        )
        service.set("GET People?d=1", Self.page(isDelta ? changed : "", then: delta))
        let provider = try await service.opened([Self.query])

        try await provider.download()

        #expect(try await Self.ids(provider, "Groups") == [7, 8])
        #expect(try await Self.ids(provider, "People(1)/Groups") == [7])
    }

    /// What a delta brings of an entity besides is true, whether the link to it lasts or not.
    @Test func keepsWhatAnEarlierEntryBringsOfOtherEntities() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let delta = #""@odata.deltaLink":"People?d=1""#
        let other = #"{"ID":2,"Boss":null,"Groups":[{"ID":8,"Name":"old"}],"Notes":[]}"#
        let named =
            #"{"ID":1,"Boss":null,"Groups":[{"ID":8,"Name":"new"},{"ID":6}],"Notes":[{"ID":1}]}"#
        service.set("GET \(Self.query)", Self.page("\(Self.older),\(other)", then: delta))
        service.set("GET People?d=1", Self.page("\(named),\(Self.newer)", then: delta))
        let provider = try await service.opened([Self.query])

        try await provider.download()

        #expect(try await Self.ids(provider, "People(1)/Groups") == [7])
        #expect(try await Self.ids(provider, "Groups") == [7, 8])
        #expect(try await Self.ids(provider, "Groups?$filter=Name eq 'new'") == [8])
    }

    /// A list that an expand asks for in part says nothing of what came of the same entity elsewhere.
    @Test func keepsLinksThatCameAtAnotherPlace() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let query = "People?$expand=Groups,Boss($expand=Groups($top=1))"
        let boss = #"{"ID":1,"Groups":[{"ID":7}]}"#
        let people =
            #"{"ID":1,"Boss":null,"Groups":[{"ID":7},{"ID":8}]},{"ID":2,"Groups":[],"Boss":\#(boss)}"#
        service.set("GET \(query)", RecordedService.json("{\"value\":[\(people)]}"))

        let provider = try await service.opened([query])

        #expect(try await Self.ids(provider, "People(1)/Groups") == [7, 8])
    }
}
