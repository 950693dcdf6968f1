import ODataHTTP
import OfflineOData
import Testing

/// Entities created inside one another, of which the service has replaced the outermost key and told no other.
@Suite struct DeepKeyTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Items" Type="Collection(S.Item)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <NavigationProperty Name="Subs" Type="Collection(S.Item)" ContainsTarget="true"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="S.Order"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let deep =
        #"{"ID":50,"Items":[{"No":1,"Text":"a","Subs":[{"No":7,"Text":"b"}]}]}"#

    private func created() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.model)
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"])
        service.set("POST $batch", HTTPResponse(status: 404))
        try await provider.send("POST", "Orders", Self.deep)
        service.set("POST Orders", RecordedService.json(#"{"ID":1001}"#, status: 201))
        return (service, provider)
    }

    @Test func namesWhatIsBelowByTheNewKey() async throws {
        let (_, provider) = try await created()
        try await provider.upload()
        let url = "Orders?$expand=Items($expand=Subs)"
        let order = try #require(try await provider.executeQuery(url).first)
        let item = try #require(order.entities("Items")?.first)
        #expect(item["@odata.readLink"]?.stringValue == "Orders(1001)/Items(1)")
        let sub = try #require(item.entities("Subs")?.first)
        #expect(sub["@odata.readLink"]?.stringValue == "Orders(1001)/Items(1)/Subs(7)")
    }

    @Test func givesEachLinkOnce() async throws {
        let (_, provider) = try await created()
        let request = HTTPRequest(
            method: "GET",
            url: "Orders(50)",
            headers: ["Accept": "application/json;odata.metadata=full"]
        )
        let text = String(decoding: await provider.respond(to: request).body, as: UTF8.self)
        #expect(text.ranges(of: "\"@odata.id\"").count == 1)
        #expect(text.ranges(of: "\"@odata.editLink\"").count == 1)
    }

    /// What contains the entity is looked for too: its address begins with the other's.
    @Test func findsEveryLevelThatAChangeNeeds() async throws {
        let (service, provider) = try await created()
        try await provider.send("PATCH", "Orders(50)/Items(1)/Subs(7)", #"{"Text":"c"}"#)
        service.set("GET Orders(1001)/Items(1)", RecordedService.json(#"{"No":1,"Text":"a"}"#))
        service.set(
            "GET Orders(1001)/Items(1)/Subs(7)",
            RecordedService.json(#"{"No":7,"Text":"b"}"#)
        )
        service.set("PATCH Orders(1001)/Items(1)/Subs(7)", HTTPResponse(status: 204))
        let result = try await provider.upload()
        #expect([result.succeededCount, result.parkedCount] == [2, 0])
    }
}
