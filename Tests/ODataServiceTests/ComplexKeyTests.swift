import ODataHTTP
import Testing

/// Keys inside complex values (OData CSDL XML 4.01 § 6.5).
@Suite struct ComplexKeyTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Key"><Property Name="P" Type="Edm.Int32" Nullable="false"/></ComplexType>
        <EntityType Name="Own"><Key><PropertyRef Name="C/P" Alias="P"/></Key>
        <Property Name="C" Type="S.Key" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Owns" EntityType="S.Own"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(arguments: [#"{"Name":"x"}"#, #"{"C":{},"Name":"x"}"#, #"{"C":{"P":1},"Name":"x"}"#])
    func makesTheValueThatHoldsTheKey(_ body: String) async throws {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        let made = await service.send("POST", "Owns", [:], body)
        #expect(made.status == 201)
        #expect(made.text.contains(#""C":{"P":1},"Name":"x""#), "\(made.text)")
        #expect(await service.get("Owns(P=1)").text.contains(#""C":{"P":1}"#))
    }

    @Test func refusesNullAroundTheKey() async throws {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        #expect(await service.send("POST", "Owns", [:], #"{"C":null}"#).status == 400)
    }
}
