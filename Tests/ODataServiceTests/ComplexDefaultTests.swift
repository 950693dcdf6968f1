import ODataHTTP
import Testing

/// Members that complex values kept as JSON leave out (OData 4.01 Part 1 §§ 8.2.8.6, 11.4.2, 11.4.9.3).
@Suite struct ComplexDefaultTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Hue"><Member Name="Red"/><Member Name="Blue"/></EnumType>
        <ComplexType Name="Num"><Property Name="L" Type="Edm.Int64"/>
        <Property Name="DD" Type="Edm.Int32" DefaultValue="4"/><Property Name="DT" Type="Edm.String" DefaultValue="t"/>
        <Property Name="NN" Type="Edm.Int32" Nullable="false" DefaultValue="6"/>
        <Property Name="H" Type="S.Hue" DefaultValue="Blue"/><Property Name="Ls" Type="Collection(Edm.Int64)" Nullable="false"/>
        <Property Name="In" Type="S.Num"/></ComplexType>
        <ComplexType Name="More" BaseType="S.Num"><Property Name="X" Type="Edm.Int32" DefaultValue="8"/></ComplexType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="N" Type="S.Num"/>
        <Property Name="Ns" Type="Collection(S.Num)" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let rest = #""DD":4,"DT":"t","NN":6,"H":"Blue","Ls":[],"In":null"#

    @Test(arguments: [
        ("POST", "Things", #"{"ID":2,"N":{}}"#, "Things(2)", #""N":{"L":null,"# + rest + "}"),
        ("POST", "Things", #"{"ID":2,"N":{"DD":null}}"#, "Things(2)", #""DD":null,"#),
        (
            "POST", "Things", #"{"ID":2,"Ns":[{"L":1}]}"#, "Things(2)",
            #""Ns":[{"L":1,"# + rest + "}]"
        ),
        (
            "POST", "Things", #"{"ID":2,"N":{"In":{"L":1}}}"#, "Things(2)",
            #""In":{"L":1,"# + rest + "}}"
        ),
        (
            "POST", "Things", ##"{"ID":2,"N":{"@odata.type":"#S.More","L":1}}"##, "Things(2)",
            #""L":1,"# + rest + #","X":8}"#
        ),
        ("PUT", "Things(1)", #"{"N":{"L":1}}"#, "Things(1)", #""N":{"L":1,"# + rest + "}"),
        ("PUT", "Things(1)/N", #"{"L":1}"#, "Things(1)", #""N":{"L":1,"# + rest + "}"),
        ("PATCH", "Things(1)", #"{"N":{"L":1}}"#, "Things(1)", #""DD":5,"DT":"u""#),
    ])
    func givesMembersTheirDefaults(
        _ method: String,
        _ url: String,
        _ body: String,
        _ entity: String,
        _ part: String
    ) async throws {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Things", Array(#"[{"ID":1,"N":{"DD":5,"DT":"u","In":{"L":2}}}]"#.utf8))]
        )
        let response = await service.send(method, url, [:], body)
        #expect(response.status < 300, "\(response.text)")
        let found = await service.get(entity)
        #expect(found.text.contains(part), "\(found.text)")
    }
}
