import ODataHTTP
import Testing

/// What a replacement keeps, and what of it is a replacement as well (OData 4.01 Part 1 §§ 11.4.3, 11.4.3.1).
@Suite struct ReplacementTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Info"><Property Name="Code" Type="Edm.Int32" Nullable="false" DefaultValue="7"/>
        <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/></ComplexType>
        <ComplexType Name="Spot"><Property Name="Lat" Type="Edm.Int32" Nullable="false"/></ComplexType>
        <EntityType Name="Cust"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Info" Type="S.Info" Nullable="false"/><Property Name="More" Type="S.Info"/>
        <NavigationProperty Name="Orders" Type="Collection(S.Order)" Partner="Cust"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Total" Type="Edm.Int32"/>
        <Property Name="State" Type="Edm.String" DefaultValue="new"/>
        <Property Name="CustID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Cust" Type="S.Cust" Partner="Orders" Nullable="false">
        <ReferentialConstraint Property="CustID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Pin"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Spot" Type="S.Spot" Nullable="false"/>
        </EntityType>
        <EntityContainer Name="C"><EntitySet Name="Custs" EntityType="S.Cust">
        <NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>
        <EntitySet Name="Orders" EntityType="S.Order"><NavigationPropertyBinding Path="Cust" Target="Custs"/></EntitySet>
        <EntitySet Name="Pins" EntityType="S.Pin"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// A customer with two orders.
    private func service() async throws -> TestService {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        for (url, body) in [
            ("Custs", #"{"ID":1}"#), ("Orders", #"{"ID":1,"CustID":1,"Total":3,"State":"old"}"#),
            ("Orders", #"{"ID":2,"CustID":1,"Total":4,"State":"old"}"#),
        ] {
            let response = await service.send("POST", url, [:], body)
            try #require(response.status == 201, "\(response.text)")
        }
        return service
    }

    @Test(arguments: ["Orders(1)", "Custs(1)/Orders(1)"])
    func keepsARelationThatItDoesNotMention(_ url: String) async throws {
        let service = try await service()
        let response = await service.send("PUT", url, [:], #"{"Total":5}"#)
        #expect(response.status == 204, "\(response.text)")
        let text = await service.get("Orders(1)").text
        #expect(text.contains(#""Total":5,"State":"new","CustID":1"#), "\(text)")
    }

    @Test(arguments: [
        ("PUT", #""State":"new""#), ("PATCH", #""State":"old""#),
    ])
    func replacesEntitiesInAReplacement(_ method: String, _ state: String) async throws {
        let service = try await service()
        let body = #"{"Orders":[{"ID":1,"Total":5},{"ID":2,"Total":6}]}"#
        let response = await service.send(method, "Custs(1)", ["OData-Version": "4.01"], body)
        #expect(response.status == 204, "\(response.text)")
        let text = await service.get("Orders").text
        #expect(text.contains(#""ID":1,"Total":5,\#(state),"CustID":1}"#), "\(text)")
        #expect(text.contains(#""ID":2,"Total":6,\#(state),"CustID":1}"#), "\(text)")
    }

    @Test(arguments: [
        ("PUT", #"{"Orders@delta":[{"ID":1,"Total":5}]}"#, 400),
        ("PATCH", #"{"Orders@delta":[{"ID":1,"Total":5}]}"#, 204),
        ("PATCH", #"{"Orders":[{"@removed":{"reason":"deleted"},"ID":1},{"ID":2}]}"#, 400),
        ("PATCH", #"{"Orders@delta":[{"@removed":{"reason":"deleted"},"ID":1}]}"#, 204),
    ])
    func takesRemovalsInDeltasAndDeltasInUpdates(
        _ method: String,
        _ body: String,
        _ status: Int
    ) async throws {
        let service = try await service()
        let response = await service.send(method, "Custs(1)", ["OData-Version": "4.01"], body)
        #expect(response.status == status, "\(response.text)")
        let count = await service.get("Orders/$count").text
        #expect(count == (status == 204 && body.contains("@removed") ? "1" : "2"))
    }

    // MARK: Complex values

    private static let made = #""Info":{"Code":7,"Tags":[]}"#

    @Test(arguments: [
        ("POST", "Custs", #"{"ID":9}"#), ("PUT", "Custs(9)", "{}"), ("PATCH", "Custs(9)", "{}"),
        ("POST", "Custs", #"{"ID":9,"Info":{}}"#),
        ("POST", "Custs", #"{"ID":9,"Info":{"Code":7}}"#),
        ("PUT", "Custs(9)", #"{"Info":{"Code":7}}"#),
    ])
    func makesAComplexValueOfDefaultsAndEmptyCollections(
        _ method: String,
        _ url: String,
        _ body: String
    ) async throws {
        let service = try await service()
        let response = await service.send(method, url, [:], body)
        #expect(response.status == 201, "\(response.text)")
        let text = await service.get("Custs(9)").text
        #expect(text.contains(Self.made), "\(text)")
    }

    @Test(arguments: [
        ("PUT", "Custs(1)/More"), ("PATCH", "Custs(1)/More"), ("PUT", "Custs(1)/Info"),
    ])
    func changesAComplexValueWithoutItsCollection(_ method: String, _ url: String) async throws {
        let service = try await service()
        let response = await service.send(method, url, [:], #"{"Code":2}"#)
        #expect(response.status == 204, "\(response.text)")
        let text = await service.get(url).text
        #expect(text.contains(#""Code":2,"Tags":[]}"#), "\(text)")
    }

    @Test(arguments: [("POST", "Pins", #"{"ID":1}"#), ("PUT", "Pins(1)", "{}")])
    func refusesAnEntityWithoutAComplexValueThatItNeeds(
        _ method: String,
        _ url: String,
        _ body: String
    ) async throws {
        let response = await (try service()).send(method, url, [:], body)
        #expect(response.status == 400)
        #expect(response.text.contains("Spot is missing"), "\(response.text)")
    }

    // MARK: ETags

    /// `If-Match` and an ETag in the body both have to hold.
    @Test(arguments: [
        ("*", #"W/\"bogus\""#, 412), (nil, "*", 204), ("*", "*", 204), (nil, #"W/\"bogus\""#, 412),
        ("W/\"bogus\"", "*", 412), ("W/\"bogus\"", #"W/\"other\""#, 412),
    ])
    func comparesTheETagOfTheBodyBesideTheHeader(
        _ header: String?,
        _ etag: String,
        _ status: Int
    ) async throws {
        let service = try await service()
        var headers: HTTPHeaders = ["OData-Version": "4.01"]
        headers["If-Match"] = header
        let body = "{\"@etag\":\"\(etag)\",\"Total\":8}"
        let response = await service.send("PATCH", "Orders(1)", headers, body)
        #expect(response.status == status, "\(response.text)")
    }
}
