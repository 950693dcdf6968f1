import ODataHTTP
import Testing

/// Collections that a replacement cannot change (OData 4.01 Part 1 § 11.4.3).
@Suite struct ImmutableCollectionTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Fixed" Type="Collection(Edm.String)" Nullable="false">
        <Annotation Term="Org.OData.Core.V1.Immutable"/></Property>
        <Property Name="Free" Type="Collection(Edm.String)" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(arguments: [
        ("PUT", "Things(1)", "{}", #""ID":1,"Name":null,"Fixed":["t"],"Free":[]"#),
        ("PUT", "Things(1)", #"{"Fixed":["x"]}"#, #""ID":1,"Name":null,"Fixed":["t"],"Free":[]"#),
        ("PATCH", "Things(1)", #"{"Fixed":["x"]}"#, #""Fixed":["t"],"Free":["u"]"#),
    ])
    func keepsImmutableCollections(
        _ method: String,
        _ url: String,
        _ body: String,
        _ part: String
    ) async throws {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Things", Array(#"[{"ID":1,"Name":"a","Fixed":["t"],"Free":["u"]}]"#.utf8))]
        )
        let response = await service.send(method, url, [:], body)
        #expect([200, 204].contains(response.status), "\(response.text)")
        let entity = await service.get(url)
        #expect(entity.text.contains(part), "\(entity.text)")
    }
}
