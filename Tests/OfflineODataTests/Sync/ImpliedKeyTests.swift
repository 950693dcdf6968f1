import OfflineOData
import Testing

/// A query that expands entities says by it which belong together, also where it does not select the foreign key: the removal of another
/// query, which has selected it, does not take that away.
@Suite struct ImpliedKeyTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Ward"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Beds" Type="Collection(S.Bed)" Partner="Ward"/></EntityType>
        <EntityType Name="Bed"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/><Property Name="WardID" Type="Edm.Int32"/>
        <NavigationProperty Name="Ward" Type="S.Ward" Partner="Beds">
        <ReferentialConstraint Property="WardID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Wards" EntityType="S.Ward">
        <NavigationPropertyBinding Path="Beds" Target="Beds"/></EntitySet>
        <EntitySet Name="Beds" EntityType="S.Bed"><NavigationPropertyBinding Path="Ward" Target="Wards"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(arguments: [
        (
            "Wards?$expand=Beds($select=ID,Name)",
            #"{"value":[{"ID":4,"Beds":[{"ID":2,"Name":"b"}]}],"@odata.deltaLink":"x?d=1"}"#
        ),
        (
            "Beds?$select=ID,Name&$expand=Ward",
            #"{"value":[{"ID":2,"Name":"b","Ward":{"ID":4}}],"@odata.deltaLink":"x?d=1"}"#
        ),
    ])
    func staysWithTheQueryThatExpands(_ query: String, _ answer: String) async throws {
        let service = try RecordedService(metadata: Self.model)
        let other = "Beds?$select=ID,WardID"
        service.set("GET \(query)", RecordedService.json(answer))
        service.set(
            "GET \(other)",
            RecordedService.json(#"{"value":[{"ID":2,"WardID":4}],"@odata.deltaLink":"y?d=1"}"#)
        )
        service.set(
            "GET x?d=1",
            RecordedService.json(#"{"value":[],"@odata.deltaLink":"x?d=1"}"#)
        )
        let provider = try await service.opened([query, other])
        let names = try await provider.definingQueries()
        let removed = try #require(names.first { $0.query == other })
        try await provider.removeDefiningQuery(named: removed.name)
        try await provider.download()
        #expect(try await provider.executeQuery("Wards(4)/Beds").map { $0["Name"] } == ["b"])
    }
}
