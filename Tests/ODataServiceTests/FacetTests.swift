import ODataHTTP
import Testing

/// Facets of the values that clients send (OData CSDL XML 4.01 § 7.2).
@Suite struct FacetTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Part"><Property Name="Code" Type="Edm.String" MaxLength="2"/></ComplexType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String" MaxLength="3"/><Property Name="Icon" Type="Edm.Binary" MaxLength="2"/>
        <Property Name="Price" Type="Edm.Decimal" Precision="4" Scale="2"/>
        <Property Name="Wide" Type="Edm.Decimal" Precision="40" Scale="2"/>
        <Property Name="At" Type="Edm.DateTimeOffset" Precision="0"/><Property Name="Fine" Type="Edm.DateTimeOffset" Precision="7"/>
        <Property Name="Time" Type="Edm.TimeOfDay" Precision="3"/><Property Name="Long" Type="Edm.Duration" Precision="1"/>
        <Property Name="Part" Type="S.Part"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let cases: [(property: String, value: String, isTaken: Bool)] = [
        ("Name", #""abc""#, true), ("Name", #""abcd""#, false), ("Icon", #""AQI=""#, true),
        ("Icon", #""AQID""#, false), ("Price", "12.34", true), ("Price", "12.340", true),
        ("Price", "123.4", false), ("Price", "1.234", false), ("Price", "1e3", false),
        ("Wide", "1.234", false), ("Wide", "12345678901234567890123456789012345678.12", true),
        ("Wide", "123456789012345678901234567890123456789", false),
        ("At", #""2020-01-01T00:00:00Z""#, true), ("At", #""2020-01-01T00:00:00.000Z""#, true),
        ("At", #""2020-01-01T00:00:00.5Z""#, false),
        ("At", #""2020-01-01T00:00:00.00000001Z""#, false),
        ("Fine", #""2020-01-01T00:00:00.1234567Z""#, true),
        ("Fine", #""2020-01-01T00:00:00.12345678Z""#, false),
        ("Time", #""01:02:03.123""#, true), ("Time", #""01:02:03.1234""#, false),
        ("Long", #""PT1.5S""#, true), ("Long", #""PT1.55S""#, false),
        ("Part", #"{"Code":"ab"}"#, true), ("Part", #"{"Code":"abc"}"#, false),
    ]

    @Test(arguments: cases)
    func checksValuesAgainstTheirFacets(
        property: String,
        value: String,
        isTaken: Bool
    ) async throws {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Things", Array(#"[{"ID":1}]"#.utf8))]
        )
        let member = "\"\(property)\":\(value)"
        for (method, url, body) in [
            ("POST", "Things", "{\"ID\":2,\(member)}"), ("PATCH", "Things(1)", "{\(member)}"),
            ("PUT", "Things(1)/\(property)", property == "Part" ? value : "{\"value\":\(value)}"),
        ] {
            let response = await service.send(method, url, [:], body)
            #expect(
                response.status == (isTaken ? (method == "POST" ? 201 : 204) : 400),
                "\(response.text)"
            )
            if !isTaken { #expect(response.text.contains(property), "\(response.text)") }
        }
    }
}
