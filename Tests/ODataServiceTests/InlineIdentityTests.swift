import ODataHTTP
import Testing

/// Inline entities of updates that state an id and a key (OData 4.01 Part 1 § 11.4.3.1).
@Suite struct InlineIdentityTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="All" Type="Collection(S.Thing)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing">
        <NavigationPropertyBinding Path="All" Target="Things"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(arguments: [
        (#"{"@id":"Things(2)","ID":3}"#, 400), (#"{"@id":"Things(2)","ID":9}"#, 400),
        (#"{"@id":"Things(2)","ID":2,"Name":"b"}"#, 200), (#"{"@id":"Things(2)"}"#, 200),
        (#"{"@id":"Things(9)","ID":9}"#, 200), (#"{"@id":"Things(2)","Name":"b"}"#, 200),
    ])
    func refusesAnIDThatIsNotThatOfTheKey(_ inner: String, _ status: Int) async throws {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Things", Array(#"[{"ID":1},{"ID":2},{"ID":3}]"#.utf8))]
        )
        let response = await service.send(
            "PATCH",
            "Things(1)",
            ["OData-Version": "4.01", "Prefer": "return=representation"],
            "{\"All\":[\(inner)]}"
        )
        #expect(response.status == status, "\(response.text)")
    }
}
