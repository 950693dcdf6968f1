import ODataHTTP
import Testing

/// References lead to entities, not to what they have (OData 4.01 Part 2 § 4.1).
@Suite struct ReferenceTargetTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
        <NavigationProperty Name="Next" Type="S.Thing"/>
        <NavigationProperty Name="All" Type="Collection(S.Thing)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing">
        <NavigationPropertyBinding Path="Next" Target="Things"/>
        <NavigationPropertyBinding Path="All" Target="Things"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(
        arguments: [
            ("POST", "Things", #"{"ID":2,"Next@odata.bind":"Things(1)/@@"}"#),
            ("PATCH", "Things(1)", #"{"Next":{"@id":"Things(1)/@@"}}"#),
            ("PUT", "Things(1)/Next/$ref", #"{"@odata.id":"Things(1)/@@"}"#),
            ("POST", "Things(1)/All/$ref", #"{"@odata.id":"Things(1)/@@"}"#),
        ],
        ["Name", "Tags", "Tags/$count", "Name/$value", "Next/$ref"]
    )
    func refusesReferencesToOtherThanEntities(
        _ request: (method: String, url: String, body: String),
        _ end: String
    ) async throws {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Things", Array(#"[{"ID":1,"Next@odata.bind":"Things(1)"}]"#.utf8))]
        )
        let body = request.body.replacing("@@", with: end)
        let response = await service.send(request.method, request.url, [:], body)
        #expect(response.status == 400, "\(response.text)")
    }
}
