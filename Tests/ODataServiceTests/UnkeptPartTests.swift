import ODataHTTP
import Testing

/// Parts of bodies that a service does not keep are refused (OData 4.01 Part 1 §§ 11.4.2, 11.4.3).
@Suite struct UnkeptPartTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Addr"><Property Name="City" Type="Edm.String"/>
        <NavigationProperty Name="Near" Type="S.Item"/></ComplexType>
        <ComplexType Name="Office" BaseType="S.Addr"><Property Name="Floor" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Home" Type="S.Addr"/>
        <Property Name="Addrs" Type="Collection(S.Addr)" Nullable="false"/></EntityType>
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="S.Item"/>
        <EntitySet Name="Photos" EntityType="S.Photo"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        let created = await service.send("POST", "Items", [:], #"{"ID":1}"#)
        try #require(created.status == 201, "\(created.text)")
        let photo = await service.send("POST", "Photos", ["Content-Type": "image/png"], "x")
        try #require(photo.status == 201, "\(photo.text)")
        return service
    }

    @Test(arguments: [
        #"{"Home":{"Near@odata.bind":"Items(1)"}}"#, #"{"Home":{"Near":{"@id":"Items(1)"}}}"#,
        #"{"Addrs":[{"City":"A"},{"Near":{"ID":5}}]}"#,
    ])
    func refusesRelationsOfComplexValues(body: String) async throws {
        let service = try await service()
        let response = await service.send("PATCH", "Items(1)", [:], body)
        #expect(response.status == 501, "\(response.text)")
        #expect(response.text.contains("/Near"), "\(response.text)")
        #expect(await service.get("Items(1)/Home").status == 204)
    }

    @Test func refusesStreamsInBodiesOfMediaEntities() async throws {
        let service = try await service()
        let response = await service.send("PATCH", "Photos(1)", [:], #"{"$value":"enp6"}"#)
        #expect(response.status == 501, "\(response.text)")
        #expect(response.text.contains("/$value"), "\(response.text)")
    }

    /// A media entity is made of its stream (OData 4.01 Part 1 § 11.4.4).
    @Test(arguments: ["PUT", "PATCH"])
    func makesNoMediaEntityByUpsert(method: String) async throws {
        let service = try await service()
        let response = await service.send(method, "Photos(99)", [:], #"{"Title":"x"}"#)
        #expect(response.status == 404, "\(response.text)")
        #expect(await service.get("Photos/$count").text.hasSuffix("1"))
    }
}
