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
        <EntityContainer Name="C"><EntitySet Name="Custs" EntityType="S.Cust">
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
        _ = await service.send("PUT", "Custs(1)/Home", [:], #"{"City":"z"}"#)
        #expect(await service.send("PATCH", "Custs(1)/Home", [:], #"{"Street":"s"}"#).status == 204)
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
}
