import ODataHTTP
import OfflineOData
import Testing

/// States of an entity's relatives: functions of filters, annotations and Swift properties.
@Suite struct RelativeStateTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <NavigationProperty Name="Items" Type="Collection(S.Item)" Partner="Order"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
          <Property Name="OrderID" Type="Edm.Int32"/>
          <NavigationProperty Name="Order" Type="S.Order" Partner="Items">
            <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="C">
        <EntitySet Name="Orders" EntityType="S.Order"><NavigationPropertyBinding Path="Items" Target="Items"/></EntitySet>
        <EntitySet Name="Items" EntityType="S.Item"><NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened(
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        service.set(
            "GET Items",
            RecordedService.json(
                #"{"value":[{"ID":11,"Name":"a","OrderID":1},{"ID":12,"Name":"b","OrderID":1},{"ID":21,"Name":"c","OrderID":2},{"ID":31,"OrderID":null}]}"#
            )
        )
        let provider = try await service.opened(["Orders", "Items"], change)
        try await provider.send("PATCH", "Items(11)", #"{"Name":"new"}"#)
        return (service, provider)
    }

    private func ids(_ url: String, _ provider: OfflineODataProvider) async throws -> [Int] {
        try await provider.executeQuery(url).compactMap { $0["ID"]?.integerValue.map(Int.init) }
    }

    @Test(arguments: [
        ("Orders?$filter=sap.haslocalrelatives()", [1]),
        ("Orders?$filter=sap.hasrelativeswithpendingchanges()", [1]),
        ("Orders?$filter=sap.relativeislocal()", [1]),
        ("Orders?$filter=sap.relativehaspendingchanges()", [1]),
        ("Orders?$filter=sap.relativeinerrorstate()", []),
        ("Orders?$filter=not sap.haslocalrelatives()", [2]),
        ("Items?$filter=sap.haslocalrelatives()", []),
        ("Items?$filter=not sap.haslocalrelatives()", [11, 12, 21, 31]),
        ("Items?$filter=sap.haslocalrelatives(Order)", [11, 12]),
        ("Orders?$filter=Items/any(i:sap.haslocalrelatives(i/Order))", [1]),
    ])
    func answersInFilters(_ url: String, _ expected: [Int]) async throws {
        let (_, provider) = try await opened()
        #expect(try await ids(url, provider) == expected)
    }

    @Test func followsRefusedChanges() async throws {
        let (service, provider) = try await opened()
        service.set("PATCH Items(11)", HTTPResponse(status: 400))
        try await provider.upload()
        #expect(try await ids("Orders?$filter=sap.hasrelativesinerrorstate()", provider) == [1])
    }

    @Test func annotatesWhereTheClientAsksForIt() async throws {
        let (_, provider) = try await opened()
        var request = HTTPRequest(method: "GET", url: "Orders")
        let plain = await provider.respond(to: request)
        #expect(!String(decoding: plain.body, as: UTF8.self).contains("Relatives"))
        request.headers["Prefer"] = "odata.include-annotations=\"sap.*\""
        let answer = await provider.respond(to: request)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(
            text.contains(
                #"{"@sap.hasLocalRelatives":true,"@sap.hasRelativesWithPendingChanges":true,"ID":1},{"ID":2}"#
            )
        )
    }

    @Test(arguments: ["Orders", "Orders?$expand=Items", "Orders(1)"])
    func tellsInSwiftWhereTheParametersSaySo(_ url: String) async throws {
        let (_, provider) = try await opened { $0.showsStatesOfRelatives = true }
        let orders = try await provider.executeQuery(url)
        let first = try #require(orders.first)
        #expect(first.hasLocalRelatives && first.hasRelativesWithPendingChanges)
        #expect(!first.hasRelativesInErrorState && !first.isLocal)
        #expect(orders.dropFirst().allSatisfy { !$0.hasLocalRelatives })
    }
}
