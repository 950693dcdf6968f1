import ODataHTTP
import Testing

@testable import ODataAnswers

/// Replacing an entity keeps its key: that of the URL counts, whatever default values the model declares
/// (OData 4.01 Part 1 § 11.4.3).
@Suite struct ReplacedKeyTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Thing"><Key><PropertyRef Name="Area"/><PropertyRef Name="ID"/></Key>
        <Property Name="Area" Type="Edm.String" Nullable="false" DefaultValue="main"/>
        <Property Name="ID" Type="Edm.Int32" Nullable="false" DefaultValue="0"/>
        <Property Name="Name" Type="Edm.String" DefaultValue="none"/>
        <Property Name="Code" Type="Edm.String" DefaultValue="c">
        <Annotation Term="Org.OData.Core.V1.Immutable"/></Property></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="M.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(arguments: [
        #"{"Name":"new"}"#, #"{"ID":7,"Area":"x","Name":"new"}"#, #"{"ID":9,"Name":"new"}"#,
    ])
    func keepsTheKeyOfTheURL(_ body: String) async throws {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [
                ("Things", Array(#"[{"Area":"x","ID":7,"Name":"old","Code":"k"}]"#.utf8))
            ]
        )
        let answer = await service.send("PUT", "Things(Area='x',ID=7)", [:], body)
        #expect(answer.isSuccess, "\(answer.text)")
        let all = await service.get("Things?$orderby=ID").text
        #expect(all.hasSuffix(#""Area":"x","ID":7,"Name":"new","Code":"k"}]}"#), "\(all)")
    }
}
