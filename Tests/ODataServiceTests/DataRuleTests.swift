import ODataHTTP
import Testing

@testable import ODataAnswers

/// What the stand-alone service demands of data, whether a client sends it or a file holds it.
@Suite struct DataRuleTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String" Nullable="false" DefaultValue="Bern"/></ComplexType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="4"/>
        <Property Name="Kind" Type="Edm.String" Nullable="false" DefaultValue="plain"/>
        <Property Name="Price" Type="Edm.Decimal" Precision="4" Scale="2"/>
        <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
        <Property Name="Place" Type="T.Place" Nullable="false"/>
        <Property Name="Rank" Type="Edm.Int32"><Annotation Term="Org.OData.Core.V1.Computed"/></Property></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="T.Item"/>
        <EntitySet Name="Fixed" EntityType="T.Item">
        <Annotation Term="Org.OData.Capabilities.V1.InsertRestrictions"><Record><PropertyValue Property="Insertable" Bool="false"/></Record></Annotation>
        <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions"><Record><PropertyValue Property="Updatable" Bool="false"/></Record></Annotation>
        <Annotation Term="Org.OData.Capabilities.V1.DeleteRestrictions"><Record><PropertyValue Property="Deletable" Bool="false"/></Record></Annotation>
        </EntitySet><Singleton Name="Main" Type="T.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let good = #"{"ID":1,"Name":"a","Tags":[]}"#

    private func service(_ items: String = good) async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [
                ("Items", Array("[\(items)]".utf8)), ("Fixed", Array("[\(Self.good)]".utf8)),
                ("Main", Array(Self.good.utf8)),
            ]
        )
    }

    @Test(arguments: [
        (#"{"ID":1}"#, "Name is missing"), (#"{"Name":null,"ID":1}"#, "Name cannot be null"),
        (#"{"ID":1,"Name":"longer"}"#, "longer than 4"),
        (#"{"ID":1,"Name":"a","Price":100}"#, "more than 2 digits before the point"),
        (#"{"ID":1,"Name":"a","Tags":null}"#, "Tags cannot be null"),
        (#"{"ID":1,"Name":"a","Tags":[null]}"#, "Tags"),
        (#"{"ID":1,"Name":"a","Place":null}"#, "Place cannot be null"),
        (#"{"ID":1,"Name":"a"},{"ID":1,"Name":"b"}"#, "already"),
        (#"{"ID":"x","Name":"a"}"#, "ID"),
        (#"{"ID":null,"Name":"a"}"#, "ID cannot be null"),
        (#"{"ID":1,"Name":"a","Nope":1}"#, "T.Item has no property 'Nope'"),
    ])
    func refusesDataThatBreaksTheModel(_ items: String, _ message: String) async throws {
        let error = await #expect(throws: (any Error).self) { _ = try await service(items) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(message))
    }

    @Test func givesComputedPropertiesValues() async throws {
        let service = try await service()
        for id in [2, 3] {
            _ = await service.send("POST", "Items", [:], "{\"ID\":\(id),\"Name\":\"b\",\"Rank\":9}")
        }
        #expect(await service.get("Items(2)/Rank/$value").text == "1")
        #expect(await service.get("Items(3)/Rank/$value").text == "2")
    }

    @Test func givesImportedDataItsDefaults() async throws {
        let text = await (try service()).get("Items(1)?$select=Kind,Place").text
        #expect(text.contains(#""Kind":"plain","Place":{"City":"Bern"}"#))
    }

    @Test(
        arguments: [
            ("PUT", "Items(1)", #"{"Tags":[]}"#, 400), ("PUT", "Items(1)", #"{"Name":"b"}"#, 204),
            ("PATCH", "Items(1)", #"{"Rank":9}"#, 204),
            ("POST", "Fixed", #"{"ID":2,"Name":"b"}"#, 405),
            ("PATCH", "Fixed(1)", #"{"Name":"b"}"#, 405), ("DELETE", "Fixed(1)", nil, 405),
            ("DELETE", "Main", nil, 405), ("DELETE", "Items(1)", nil, 204),
            ("PUT", "Items(1)/Place", #"{"@odata.context":"x","City":"Chur"}"#, 204),
            ("PUT", "Items(1)/Name", #"{"Name":"b"}"#, 400),
            ("PUT", "Items(1)/Name", #"{"@odata.context":"x","value":"b"}"#, 204),
        ] as [(String, String, String?, Int)]
    )
    func holdsToTheMetadata(_ method: String, _ url: String, _ body: String?, _ status: Int)
        async throws
    {
        let answer = await (try service()).send(method, url, [:], body)
        #expect(answer.status == status || answer.status == 200 && status == 204, "\(answer.text)")
    }

    @Test func ignoresComputedValues() async throws {
        let service = try await service()
        _ = await service.send("PATCH", "Items(1)", [:], #"{"Rank":9,"Name":"b"}"#)
        #expect(await service.get("Items(1)/Rank").status == 204)
    }

    @Test(arguments: [
        "Items(1)", "http%3A%2F%2Fservice.test%2FItems(1)", "http://service.test/Items(1)",
    ])
    func findsAnEntityByItsID(_ id: String) async throws {
        let answer = await (try service()).get("$entity?$id=" + id)
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""ID":1"#))
    }

    @Test func tellsTheLengthOfAHead() async throws {
        let service = try await service()
        let body = await service.get("Items(1)").body
        let head = await service.send("HEAD", "Items(1)")

        #expect(head.body.isEmpty)
        #expect(head.headers["Content-Length"] == String(body.count))
    }
}
