import StoreRecords
import ODataSQLite
import OfflineOData
import OfflineStore
import Testing

/// A model may have thousands of contained collections; those of which nothing comes take no place and no time.
@Suite struct ContainedTableTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Lines" Type="Collection(Shop.Line)" ContainsTarget="true"/>
        <NavigationProperty Name="Notes" Type="Collection(Shop.Line)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Line"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="Shop.Order"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func tables(_ provider: OfflineODataProvider) async throws -> [String] {
        try await provider.store.file.read { try $0.tableNames() }
            .filter { $0.contains("Lines") || $0.contains("Notes") }.sorted()
    }

    @Test func makesTablesOfWhatComesAlone() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"ID":1,"Lines":[{"No":1}]}],"@odata.deltaLink":"Orders?$deltatoken=1"}"#
            )
        )
        let provider = try await service.opened(["Orders"])
        #expect(try await Self.tables(provider).filter { $0.contains("Notes") } == [])
        #expect(try await provider.executeQuery("Orders(1)/Lines").count == 1)
        #expect(try await provider.executeQuery("Orders(1)/Notes").isEmpty)

        service.set(
            "GET Orders?$deltatoken=1",
            RecordedService.json(
                #"{"value":[{"ID":1,"Notes":[{"No":7}]}],"@odata.deltaLink":"Orders?$deltatoken=2"}"#
            )
        )
        try await provider.download()
        #expect(try await Self.tables(provider).contains { $0.contains("Notes") })
        #expect(try await provider.executeQuery("Orders(1)/Notes").count == 1)
        #expect(try await provider.executeQuery("Orders(1)/Lines").count == 1)
    }
}
