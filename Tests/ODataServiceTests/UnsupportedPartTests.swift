import ODataHTTP
import Testing

/// What a service does not do is refused, not passed over (OData 4.01 Part 1 § 9.3.1).
@Suite struct UnsupportedPartTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <TypeDefinition Name="Weight" UnderlyingType="Edm.Decimal" Precision="10" Scale="2"/>
        <ComplexType Name="Addr"><Property Name="City" Type="Edm.String"/>
        <NavigationProperty Name="Near" Type="S.Item"/></ComplexType>
        <ComplexType Name="Office" BaseType="S.Addr"><Property Name="Floor" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Price" Type="Edm.Decimal" Precision="10" Scale="2"/><Property Name="W" Type="S.Weight"/>
        <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/><Property Name="Home" Type="S.Addr"/>
        <Property Name="Addrs" Type="Collection(S.Addr)" Nullable="false"/><Property Name="Pic" Type="Edm.Stream"/>
        <NavigationProperty Name="Parts" Type="Collection(S.Part)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Part"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="S.Item"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        let item = """
            {"ID":1,"Name":"a","Price":1.50,"W":2,"Tags":["x"],"Parts":[{"No":1},{"No":2}],
            "Addrs":[{"City":"A"},{"@odata.type":"#S.Office","City":"B","Floor":1}]}
            """
        let created = await service.send("POST", "Items", [:], item)
        try #require(created.status == 201, "\(created.text)")
        return service
    }

    @Test(arguments: [
        ("Items(1)?$select=Tags($compute=1 as One)", 501, "$compute inside $select"),
        ("Items(1)?$select=Tags($filter=$it eq 'x')", 400, "can be compared with null only"),
        ("Items(1)?$expand=Pic", 501, "stream Pic cannot be expanded"),
        ("Items?$apply=aggregate(Price with sum as Sum)&$select=ID", 400, "ID does not exist"),
        ("Items?$apply=groupby((Name))&$select=Price", 400, "Price does not exist"),
    ])
    func refusesOptions(url: String, status: Int, message: String) async throws {
        let parts = url.split(separator: "?", maxSplits: 1).map(String.init)
        let options = parts[1].replacing(" ", with: "%20").replacing("'", with: "%27")
        let response = await (try service()).get(parts[0] + "?" + options)
        #expect(response.status == status, "\(response.text)")
        #expect(response.text.contains(message), "\(response.text)")
    }

    @Test(arguments: [
        ("Items?$apply=groupby((Name))&$select=Name", #"[{"Name":"a"}]"#),
        ("Items?$apply=aggregate(Price%20with%20sum%20as%20Sum)&$select=Sum", #""Sum":1.5"#),
    ])
    func selectsWhatGroupingLeaves(url: String, text: String) async throws {
        let response = await (try service()).get(url)
        #expect(response.text.contains(text), "\(response.text)")
    }

    @Test(arguments: [
        ("isof(Price,Edm.Decimal)", 1), ("isof(W,Edm.Decimal)", 1), ("isof(W,S.Weight)", 1),
        ("isof(Price,S.Weight)", 0), ("isof(Price,Edm.Double)", 0), ("isof(Name,Edm.String)", 1),
    ])
    func tellsTypesOfDecimals(filter: String, count: Int) async throws {
        let response = await (try service()).get("Items/$count?$filter=\(filter)")
        #expect(response.text.hasSuffix("\(count)"), "\(response.text)")
    }

    @Test(arguments: ["isof($it,S.Office)", "isof(S.Office)"])
    func tellsTypesOfComplexItems(filter: String) async throws {
        let response = await (try service()).get("Items(1)/Addrs?$filter=\(filter)&$count=true")
        #expect(response.text.contains(#""@odata.count":1"#), "\(response.text)")
    }

    @Test func writesCountsOfExpandedCollectionsAsStringsWhereAsked() async throws {
        let response = await (try service()).get(
            "Items?$expand=Parts($count=true)",
            ["Accept": "application/json;IEEE754Compatible=true"]
        )
        #expect(response.text.contains(#""Parts@odata.count":"2""#), "\(response.text)")
    }

    @Test func selectsMembersOfAComplexValue() async throws {
        let service = try await service()
        let home = ##"{"@odata.type":"#S.Office","City":"B","Floor":1}"##
        #expect(await service.send("PUT", "Items(1)/Home", [:], home).status == 204)
        let response = await service.get("Items(1)/Home?$select=City")
        #expect(response.text.contains("$metadata#Items(1)/Home(City)"), "\(response.text)")
        #expect(response.text.contains(#""City":"B""#))
        #expect(!response.text.contains("Floor"))
        #expect(await service.get("Items(1)/Home?$expand=Near").status == 501)
    }
}
