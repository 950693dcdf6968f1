import ODataHTTP
import Testing

/// Dynamic properties on their own (OData JSON 4.01 §§ 4.6.3, 11).
@Suite struct DynamicPropertyReadTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Person" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Since" Type="Edm.Date"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="People" EntityType="S.Person"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let person = ##"""
        {"ID":1,"Since":"2020-01-01","Born@odata.type":"#Date","Born":"1815-12-10","Nick":"Ada",
        "Days@odata.type":"#Collection(Date)","Days":["2024-02-29"]}
        """##

    @Test(arguments: [
        ("Born", "", ##""@odata.type":"#Date","value":"1815-12-10"}"##),
        ("Days", "", ##""@odata.type":"#Collection(Date)","value":["2024-02-29"]}"##),
        ("Born", "full", ##""@odata.type":"#Date","value":"1815-12-10"}"##),
        ("Born", "none", #"{"value":"1815-12-10"}"#),
        // JSON says what these are, or the metadata.
        ("Nick", "", #"/Nick","value":"Ada"}"#), ("Since", "", #"/Since","value":"2020-01-01"}"#),
        ("Born/$value", "", "1815-12-10"),
    ])
    func stateTheirTypes(property: String, metadata: String, end: String) async throws {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        #expect(await service.send("POST", "People", [:], Self.person).status == 201)
        let accept = "application/json" + (metadata.isEmpty ? "" : ";odata.metadata=" + metadata)
        let headers: HTTPHeaders = property.hasSuffix("$value") ? [:] : ["Accept": accept]
        let response = await service.get("People(1)/" + property, headers)
        #expect(response.text.hasSuffix(end), "\(response.text)")
    }
}
