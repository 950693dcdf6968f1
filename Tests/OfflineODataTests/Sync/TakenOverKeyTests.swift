import ODataHTTP
import OfflineOData
import Testing

/// A creation waits for the deletion of the entity whose key it takes over, and for that of no other: contained entities are others where
/// what contains them is another one (OData CSDL 4.01 § 8.4).
@Suite struct TakenOverKeyTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Notes" Type="Collection(N.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Parts" Type="Collection(N.Note)" ContainsTarget="true"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="People" EntityType="N.Person"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let people = #"""
        {"value":[{"ID":1,"Notes":[{"ID":1,"Parts":[{"ID":5}]}]},{"ID":2,"Notes":[{"ID":2,"Parts":[]}]}]}
        """#

    private func changed(_ deleted: String, _ collection: String, _ id: Int) async throws
        -> OfflineODataProvider
    {
        let query = "People?$expand=Notes($expand=Parts)"
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET \(query)", RecordedService.json(Self.people))
        let provider = try await service.opened([query])
        let deletion = await provider.respond(to: HTTPRequest(method: "DELETE", url: deleted))
        #expect(deletion.status == 204)
        let creation = HTTPRequest(
            method: "POST",
            url: collection,
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"ID":\#(id)}"#.utf8)
        )
        #expect(await provider.respond(to: creation).status == 201)
        return provider
    }

    @Test(arguments: [
        ("People(1)/Notes(1)", "People(2)/Notes", 1, false),
        ("People(1)", "People(2)/Notes", 1, false),
        ("People(1)", "People(2)/Notes(2)/Parts", 5, false),
        ("People(1)/Notes(1)", "People(1)/Notes", 1, true), ("People(1)", "People", 1, true),
        ("People(1)/Notes(1)/Parts(5)", "People(1)/Notes(1)/Parts", 5, true),
    ])
    func isThatOfItsOwnContainer(_ deleted: String, _ collection: String, _ id: Int, _ waits: Bool)
        async throws
    {
        let provider = try await changed(deleted, collection, id)
        let creation = try #require(try await provider.requestQueue().last)
        #expect(creation.dependsOn == (waits ? [creation.id - 1] : []))
    }

    @Test func keepsTheCreationElsewhereWhereTheDeletionIsTakenBack() async throws {
        let provider = try await changed("People(1)", "People(2)/Notes", 1)
        let deletion = try #require(try await provider.requestQueue().first)
        _ = try await provider.dropRequest(deletion.id)
        #expect(try await provider.requestQueue().map(\.url) == ["People(2)/Notes"])
    }
}
