import ODataHTTP
import OfflineOData
import Testing

/// Entities that go here with a deleted parent, and have another parent at the service by then (rule 5 of services that cascade).
@Suite struct CascadedRowTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Orders" Type="Collection(S.Order)" Partner="Customer">
          <OnDelete Action="Cascade"/></NavigationProperty></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="CustomerID" Type="Edm.Int32"/>
        <NavigationProperty Name="Customer" Type="S.Customer" Partner="Orders">
          <ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Items" Type="Collection(S.Item)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C">
        <EntitySet Name="Customers" EntityType="S.Customer">
        <NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>
        <EntitySet Name="Orders" EntityType="S.Order">
        <NavigationPropertyBinding Path="Customer" Target="Customers"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let full = "GET Orders?$expand=Items"

    /// A customer with an order is deleted here and at the service; the deltas that come next.
    private func deleted(_ orders: String) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.model)
        service.set(
            "GET Customers",
            RecordedService.json(#"{"value":[{"ID":1},{"ID":2}],"@odata.deltaLink":"C?d=1"}"#)
        )
        service.set(
            Self.full,
            RecordedService.json(
                #"{"value":[{"ID":7,"CustomerID":1,"Items":[{"No":1}]}],"@odata.deltaLink":"O?d=1"}"#
            )
        )
        let provider = try await service.opened(["Customers", "Orders?$expand=Items"])
        service.set("POST $batch", HTTPResponse(status: 404))
        try await provider.send("DELETE", "Customers(1)", "")
        service.set("DELETE Customers(1)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(try await provider.executeQuery("Orders").isEmpty)
        let gone = #"{"@removed":{"reason":"deleted"},"@odata.id":"Customers(1)"}"#
        service.set(
            "GET C?d=1",
            RecordedService.json(#"{"value":[\#(gone)],"@odata.deltaLink":"C?d=2"}"#)
        )
        service.set("GET C?d=2", RecordedService.json(#"{"value":[],"@odata.deltaLink":"C?d=2"}"#))
        service.set(
            "GET O?d=1",
            RecordedService.json(#"{"value":[\#(orders)],"@odata.deltaLink":"O?d=2"}"#)
        )
        service.clearLog()
        return (service, provider)
    }

    /// The delta shows the order, which has changed, and not its items, which have not.
    @Test func bringsBackWhatIsBelowAnEntityThatHadMoved() async throws {
        let (service, provider) = try await deleted(#"{"ID":7,"CustomerID":2}"#)
        service.set(
            Self.full,
            RecordedService.json(
                #"{"value":[{"ID":7,"CustomerID":2,"Items":[{"No":1}]}],"@odata.deltaLink":"O?d=3"}"#
            )
        )
        try await provider.download()
        let order = try #require(try await provider.executeQuery("Orders(7)?$expand=Items").first)
        #expect(order["Items"]?.items?.count == 1)
        service.set("GET O?d=3", RecordedService.json(#"{"value":[],"@odata.deltaLink":"O?d=3"}"#))
        service.clearLog()
        try await provider.download()
        #expect(!service.requests.contains(Self.full))
    }

    /// Other entities of the set are no reason to read it again.
    @Test func readsNothingAgainForOtherEntities() async throws {
        let tombstone = #"{"@removed":{"reason":"deleted"},"@odata.id":"Orders(7)"}"#
        let (service, provider) = try await deleted(
            tombstone + #",{"ID":8,"CustomerID":2,"Items":[]}"#
        )
        try await provider.download()
        #expect(!service.requests.contains(Self.full))
        #expect(try await provider.executeQuery("Orders").map { $0["ID"] } == [8])
    }
}
