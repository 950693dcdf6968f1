import ODataHTTP
import Testing

/// What a service refuses although each value is right by itself.
@Suite struct EntityRuleTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Spot"><Property Name="Lat" Type="Edm.Int32" Nullable="false"/></ComplexType>
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String" Nullable="false"/>
        <Property Name="Street" Type="Edm.String"/><Property Name="Spot" Type="S.Spot"/>
        <Property Name="Land" Type="Edm.String" Nullable="false" DefaultValue="CH"/></ComplexType>
        <EntityType Name="Cust"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Home" Type="S.Place"/>
        <NavigationProperty Name="Orders" Type="Collection(S.Order)" Partner="Cust"><OnDelete Action="None"/>
        </NavigationProperty><NavigationProperty Name="Friend" Type="S.Cust"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="CustID" Type="Edm.Int32"/>
        <NavigationProperty Name="Cust" Type="S.Cust" Partner="Orders">
        <ReferentialConstraint Property="CustID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Shop" BaseType="S.Cust"><Property Name="Size" Type="Edm.Int32"/></EntityType>
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Code" Type="Edm.String"/>
        <Annotation Term="Org.OData.Core.V1.AlternateKeys"><Collection><Record><PropertyValue Property="Key"><Collection>
        <Record><PropertyValue Property="Name" PropertyPath="Code"/><PropertyValue Property="Alias" String="Code"/></Record>
        </Collection></PropertyValue></Record></Collection></Annotation></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="CustID"/><PropertyRef Name="Lang"/></Key>
        <Property Name="CustID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Lang" Type="Edm.String" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <NavigationProperty Name="Cust" Type="S.Cust"><ReferentialConstraint Property="CustID"
          ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <TypeDefinition Name="Short" UnderlyingType="Edm.String" MaxLength="3"/>
        <TypeDefinition Name="Weight" UnderlyingType="Edm.Decimal" Precision="4" Scale="1"/>
        <ComplexType Name="Info"><Property Name="Code" Type="Edm.String" Nullable="false"/></ComplexType>
        <EntityType Name="Thing"><Key><PropertyRef Name="Info/Code" Alias="Code"/></Key>
        <Property Name="Info" Type="S.Info" Nullable="false"/><Property Name="Spot" Type="S.Spot" Nullable="false"/>
        <Property Name="N" Type="Edm.Int32"/><Property Name="Short" Type="S.Short"/>
        <Property Name="Long" Type="S.Short" MaxLength="5"/><Property Name="Weight" Type="S.Weight"/>
        <Property Name="Tags" Type="Collection(Edm.String)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Notes" EntityType="S.Note">
        <NavigationPropertyBinding Path="Cust" Target="Custs"/></EntitySet>
        <EntitySet Name="Things" EntityType="S.Thing"/><EntitySet Name="Parts" EntityType="S.Part"/><EntitySet Name="Custs" EntityType="S.Cust">
        <NavigationPropertyBinding Path="Orders" Target="Orders"/><NavigationPropertyBinding Path="Friend" Target="Custs"/>
        </EntitySet><EntitySet Name="Orders" EntityType="S.Order">
        <NavigationPropertyBinding Path="Cust" Target="Custs"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Customer 1 has an order, 2 has none; neither has a home.
    private func service() async throws -> TestService {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        for (url, body) in [
            ("Custs", #"{"ID":1}"#), ("Custs", #"{"ID":2}"#), ("Orders", #"{"ID":1,"CustID":1}"#),
        ] {
            let response = await service.send("POST", url, [:], body)
            try #require(response.status == 201, "\(response.text)")
        }
        return service
    }

    /// An answer goes as deep as its request (OData 4.01 Part 1 § 11.4.2.2).
    @Test func answersWhatWasCreatedInline() async throws {
        let service = try await service()
        let body = #"{"ID":9,"Friend":{"ID":8,"Orders":[]},"Orders":[{"ID":5},{"ID":6}]}"#
        let created = await service.send("POST", "Custs", [:], body)
        #expect(created.status == 201)
        #expect(
            created.text.contains("#Custs(Orders(),Friend(Orders()))/$entity"),
            "\(created.text)"
        )
        #expect(created.text.contains(#""CustID":9}"#) && created.text.contains(#""Orders":[]"#))
        let plain = await service.send("POST", "Custs", [:], #"{"ID":7}"#)
        #expect(!plain.text.contains("Orders"))
        let minimal = await service.send(
            "POST",
            "Custs",
            ["Prefer": "return=minimal"],
            #"{"ID":10,"Orders":[{"ID":11}]}"#
        )
        #expect(minimal.status == 204)
    }

    /// `OnDelete` with `None` (OData CSDL XML 4.01 § 8.6).
    @Test func keepsAnEntityThatHasRelatedOnes() async throws {
        let service = try await service()
        let refused = await service.send("DELETE", "Custs(1)")
        #expect(refused.status == 409)
        #expect(refused.text.contains("related ones by Orders"))
        #expect(await service.send("DELETE", "Custs(2)").status == 204)
        #expect(await service.send("DELETE", "Orders(1)").status == 204)
        #expect(await service.send("DELETE", "Custs(1)").status == 204)
    }

    /// A complex value that is made by an update has all that one in a new entity has to have.
    @Test(arguments: [
        ("Custs(1)", #"{"Home":{"Street":"x"}}"#, "Home/City is missing"),
        ("Custs(1)/Home", #"{"Street":"x"}"#, "Home/City is missing"),
        ("Custs(1)", #"{"Home":{"City":"y","Spot":{}}}"#, "Home/Spot/Lat is missing"),
        ("Custs(1)", #"{"Home":{"City":"y"}}"#, nil), ("Custs(1)/Home", #"{"City":"y"}"#, nil),
    ])
    func makesNoComplexValueWithoutWhatItMustHave(
        _ url: String,
        _ body: String,
        _ message: String?
    ) async throws {
        let service = try await service()
        let response = await service.send("PATCH", url, [:], body)
        #expect(response.status == (message == nil ? 204 : 400), "\(response.text)")
        if let message { #expect(response.text.contains(message), "\(response.text)") }
        let home = await service.get("Custs(1)/Home")
        #expect(home.status == (message == nil ? 200 : 204))
        // One that is there is changed in part.
        let whole = #"{"City":"z"}"#
        #expect(await service.send("PUT", "Custs(1)/Home", [:], whole).status == 204)
        #expect(await service.send("PATCH", "Custs(1)/Home", [:], #"{"Street":"s"}"#).status == 204)
        #expect(await service.get("Custs(1)/Home/Land/$value").text == "CH")
    }

    /// The ETag is that of the entity whose links they are (OData 4.01 Part 1 § 8.2.4).
    @Test(arguments: [
        ("PUT", "Custs(1)/Friend/$ref", #"{"@id":"Custs(2)"}"#),
        ("DELETE", "Custs(1)/Orders/$ref?$id=Orders(1)", ""),
        ("DELETE", "Custs(1)/Orders(1)/$ref", ""),
        ("POST", "Custs(1)/Orders/$ref", #"{"@id":"Orders(1)"}"#),
    ])
    func comparesTheETagOfChangedLinks(_ method: String, _ url: String, _ body: String)
        async throws
    {
        let service = try await service()
        let stale = await service.send(method, url, ["If-Match": "W/\"stale\""], body)
        #expect(stale.status == 412)
        #expect(await service.get("Custs(1)/Friend").status == 204)
        #expect(await service.get("Custs(1)/Orders/$count").text.hasSuffix("1"))
        let etag = try #require(await service.get("Custs(1)").headers["ETag"])
        #expect(await service.send(method, url, ["If-Match": etag], body).status == 204)
    }

    /// The key of an entity stays, however a relation is set (OData 4.01 Part 1 § 11.4.3).
    @Test(arguments: [
        ("PUT", "Notes(CustID=1,Lang='de')/Cust/$ref", #"{"@id":"Custs(2)"}"#, 400),
        ("PATCH", "Notes(CustID=1,Lang='de')", #"{"Cust@odata.bind":"Custs(2)"}"#, 400),
        ("PUT", "Notes(CustID=1,Lang='de')/Cust/$ref", #"{"@id":"Custs(1)"}"#, 204),
        ("PATCH", "Notes(CustID=1,Lang='de')", #"{"Text":"t","Cust@odata.bind":"Custs(1)"}"#, 204),
    ])
    func keepsTheKey(_ method: String, _ url: String, _ body: String, _ status: Int) async throws {
        let service = try await service()
        let note = #"{"CustID":1,"Lang":"de"}"#
        try #require(await service.send("POST", "Notes", [:], note).status == 201)
        let response = await service.send(method, url, [:], body)
        #expect(response.status == status, "\(response.text)")
        #expect(await service.get("Notes(CustID=1,Lang='de')").status == 200)
    }

    /// OData 4.01 Part 1 § 11.4.2.1.
    @Test(arguments: [
        (#"{"ID":7,"Cust@odata.bind":"Custs(2)"}"#, 400), (#"{"ID":7,"Cust":{"ID":88}}"#, 400),
        (#"{"ID":7,"Cust@odata.bind":"Custs(1)"}"#, 201), (#"{"ID":7}"#, 201),
    ])
    func refusesABindingThatContradictsTheURL(_ body: String, _ status: Int) async throws {
        let service = try await service()
        let response = await service.send("POST", "Custs(1)/Orders", [:], body)
        #expect(response.status == status, "\(response.text)")
        #expect(await service.get("Custs(88)").status == 404)
        let owner = await service.get("Orders(7)/CustID/$value")
        #expect(owner.status == (status == 201 ? 200 : 404))
        if status == 201 { #expect(owner.text == "1") }
    }

    /// What another type has would be lost (OData 4.01 Part 1 § 11.4.3).
    @Test(arguments: [("PATCH", "S.Shop", 400), ("PUT", "S.Shop", 400), ("PATCH", "S.Cust", 204)])
    func refusesToUpdateAsAnotherType(_ method: String, _ type: String, _ status: Int)
        async throws
    {
        let service = try await service()
        let body = "{\"@odata.type\":\"#\(type)\",\"ID\":1}"
        let response = await service.send(method, "Custs(1)", [:], body)
        #expect(response.status == status, "\(response.text)")
    }

    /// A replacement keeps the complex value that holds the key, and needs any other that cannot be null.
    @Test func replacesWhatHoldsTheKey() async throws {
        let service = try await service()
        let thing = #"{"Info":{"Code":"a"},"Spot":{"Lat":1}}"#
        try #require(await service.send("POST", "Things", [:], thing).status == 201)
        let refused = await service.send("PUT", "Things('a')", [:], #"{"N":1}"#)
        #expect(refused.status == 400)
        #expect(refused.text.contains("Spot is missing"))
        let whole = #"{"N":1,"Spot":{"Lat":2}}"#
        #expect(await service.send("PUT", "Things('a')", [:], whole).status == 204)
        #expect(await service.get("Things('a')").text.contains(#""Info":{"Code":"a"}"#))
        let new = await service.send("PUT", "Things('b')", ["If-None-Match": "*"], whole)
        #expect(new.status == 201, "\(new.text)")
        #expect(await service.get("Things('b')").text.contains(#""Info":{"Code":"b"}"#))
    }

    /// An ETag in the body of version 4.01 counts as one in `If-Match` (OData 4.01 Part 1 § 11.4.3).
    @Test(arguments: [
        ("4.01", "@etag", 412), ("4.01", "@odata.etag", 412), ("4.0", "@odata.etag", 204),
    ])
    func comparesTheETagInTheBody(_ version: String, _ name: String, _ status: Int) async throws {
        let service = try await service()
        let etag = try #require(await service.get("Orders(1)").headers["ETag"])
        let headers: HTTPHeaders = ["OData-Version": version]
        let stale = "{\"\(name)\":\"W/\\\"stale\\\"\",\"CustID\":2}"
        #expect(await service.send("PATCH", "Orders(1)", headers, stale).status == status)
        let escaped = etag.replacing("\"", with: "\\\"")
        guard status == 412 else { return }
        let fresh = "{\"\(name)\":\"\(escaped)\",\"CustID\":2}"
        #expect(await service.send("PATCH", "Orders(1)", headers, fresh).status == 204)
    }

    /// What a type definition fixes holds for the properties of the type (OData CSDL XML 4.01 § 11).
    @Test(arguments: [
        (#"{"Short":"abcd"}"#, 400), (#"{"Short":"abc"}"#, 204), (#"{"Long":"abcde"}"#, 204),
        (#"{"Long":"abcdef"}"#, 400), (#"{"Weight":1234.5}"#, 400), (#"{"Weight":123.4}"#, 204),
    ])
    func obeysTheFacetsOfTypeDefinitions(_ body: String, _ status: Int) async throws {
        let service = try await service()
        let thing = #"{"Info":{"Code":"a"},"Spot":{"Lat":1}}"#
        try #require(await service.send("POST", "Things", [:], thing).status == 201)
        let response = await service.send("PATCH", "Things('a')", [:], body)
        #expect(response.status == status, "\(response.text)")
    }

    /// OData 4.01 Part 1 § 11.4.9.4.
    @Test func emptiesADeletedCollection() async throws {
        let service = try await service()
        let thing = #"{"Info":{"Code":"a"},"Spot":{"Lat":1},"Tags":["x","y"]}"#
        try #require(await service.send("POST", "Things", [:], thing).status == 201)
        #expect(await service.send("DELETE", "Things('a')/Tags").status == 204)
        #expect(await service.get("Things('a')/Tags").text.contains(#""value":[]"#))
    }

    /// Two entities are no answer to a request for one.
    @Test func answersNothingForAnAlternateKeyOfTwo() async throws {
        let parts = #"[{"ID":1,"Code":"a"},{"ID":2,"Code":"a"}]"#
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Parts", Array(parts.utf8))]
        )
        #expect(await service.get("Parts(Code='a')").status == 409)
        _ = await service.send("DELETE", "Parts(2)")
        #expect(await service.get("Parts(Code='a')").status == 200)
    }
}
