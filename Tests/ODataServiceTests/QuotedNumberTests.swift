import ODataHTTP
import Testing

/// Int64 and Decimal inside values that are kept as JSON (OData JSON 4.01 §§ 3.2, 7.1).
@Suite struct QuotedNumberTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <TypeDefinition Name="Money" UnderlyingType="Edm.Decimal" Scale="variable"/>
        <ComplexType Name="Num"><Property Name="L" Type="Edm.Int64"/><Property Name="M" Type="S.Money"/>
        <Property Name="T" Type="Edm.String"/><Property Name="Ls" Type="Collection(Edm.Int64)" Nullable="false"/>
        <Property Name="In" Type="S.Num"/></ComplexType>
        <ComplexType Name="Flat"><Property Name="Ls" Type="Collection(Edm.Int64)" Nullable="false"/></ComplexType>
        <ComplexType Name="Bag" OpenType="true"><Property Name="A" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="N" Type="S.Num"/>
        <Property Name="Ns" Type="Collection(S.Num)" Nullable="false"/><Property Name="F" Type="S.Flat"/>
        <Property Name="Bag" Type="S.Bag"/><Property Name="Ts" Type="Collection(Edm.String)" Nullable="false"/>
        <Property Name="Ls" Type="Collection(Edm.Int64)" Nullable="false"/>
        <Property Name="Ds" Type="Collection(Edm.Decimal)" Nullable="false" Scale="variable"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let quoted = ##"""
        {"ID":1,"N":{"L":"3","M":"1.50","T":"7","Ls":["9"],"In":{"L":"4","Ls":[]}},"Ns":[{"L":"5","Ls":[]}],
        "F":{"Ls":["6"]},"Bag":{"A":1,"X@odata.type":"#Int64","X":"8"},"Ts":["3"],"Ls":["3","9007199254740993"],"Ds":["2.50"]}
        """##

    private func service() async throws -> TestService {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        let type = "application/json;IEEE754Compatible=true"
        let made = await service.send("POST", "Things", ["Content-Type": type], Self.quoted)
        #expect(made.status == 201, "\(made.text)")
        return service
    }

    @Test(arguments: [
        "Ls/any(l:l eq 3)", "N/L eq 3", "3 in Ls", "N/In/L eq 4", "Ns/any(n:n/L eq 5)",
        "F/Ls/any(l:l eq 6)", "N/Ls/any(l:l eq 9)", "not (N/L gt 5)", "N/T eq '7'", "N/M eq 1.5",
        "Ds/any(d:d eq 2.5)",
    ])
    func findsNumbersThatCameAsStrings(_ filter: String) async throws {
        let url = "Things?$select=ID&$filter=" + filter.percentEncoded
        let response = await (try service()).get(url)
        #expect(response.text.contains(#""ID":1"#), "\(response.text)")
    }

    @Test func choosesItemsByNumber() async throws {
        let response = await (try service()).get("Things(1)/Ls?$filter=$it%20eq%203")
        #expect(response.text.hasSuffix(#""value":[3]}"#), "\(response.text)")
    }

    @Test(arguments: [
        (
            "Things(1)", "",
            [
                #""N":{"L":3,"M":1.50,"T":"7","Ls":[9],"In":{"L":4"#, #""Ns":[{"L":5"#,
                #""F":{"Ls":[6]}"#, #""X":8"#, #""Ts":["3"]"#, #""Ls":[3,9007199254740993]"#,
                #""Ds":[2.50]"#,
            ]
        ),
        (
            "Things(1)", ";IEEE754Compatible=true",
            [
                #""N":{"L":"3","M":"1.50","T":"7","Ls":["9"],"In":{"L":"4""#, #""Ns":[{"L":"5""#,
                #""F":{"Ls":["6"]}"#, #""X":"8""#, #""Ts":["3"]"#,
                #""Ls":["3","9007199254740993"]"#, #""Ds":["2.50"]"#,
            ]
        ),
        ("Things(1)/Ls", ";IEEE754Compatible=true", [#"["3","9007199254740993"]"#]),
        ("Things(1)/N/L", ";IEEE754Compatible=true", [#""value":"3""#]),
        ("Things(1)/Ls?$count=true", "", [#""@odata.count":2"#]),
        ("Things(1)/Ls?$count=true", ";IEEE754Compatible=true", [#""@odata.count":"2""#]),
        ("Things/$ref?$count=true", ";IEEE754Compatible=true", [#""@odata.count":"1""#]),
        ("Things(1)/N", ";metadata=full;IEEE754Compatible=true", [#""L":"3""#, #""In":{"#]),
    ])
    func writesThemAsTheClientAsks(_ url: String, _ form: String, _ parts: [String]) async throws {
        let response = await (try service()).get(url, ["Accept": "application/json" + form])
        for part in parts { #expect(response.text.contains(part), "\(part): \(response.text)") }
    }
}
