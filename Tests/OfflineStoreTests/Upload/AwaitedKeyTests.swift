@testable import StoreRecords
import ODataSQL
@testable import StoreUpload
import ODataSQLite
import ODataModel
import ODataTables
import Testing

@testable import OfflineStore

/// Keys that the service gives are put into the copies of rows without looking at each.
@Suite struct AwaitedKeyTests {
    private static let metadata = """
        <?xml version="1.0"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Code" Type="Edm.Guid"/>
          </EntityType>
          <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="OrderID" Type="Edm.Int32"/><Property Name="OrderCode" Type="Edm.Guid"/>
            <NavigationProperty Name="Order" Type="S.Order">
              <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty>
            <NavigationProperty Name="Other" Type="S.Order">
              <ReferentialConstraint Property="OrderCode" ReferencedProperty="Code"/></NavigationProperty>
          </EntityType>
          <EntityContainer Name="C">
            <EntitySet Name="Orders" EntityType="S.Order"/>
            <EntitySet Name="Items" EntityType="S.Item">
              <NavigationPropertyBinding Path="Order" Target="Orders"/>
              <NavigationPropertyBinding Path="Other" Target="Orders"/></EntitySet>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(arguments: ["OrderID", "OrderCode"])
    func findsCopiesByAnIndex(_ property: String) throws {
        let store = try FilledStore(Array(Self.metadata.utf8))
        let plans = try store.store.file.writeBlocking { connection in
            let schema = try store.store.schema(connection)
            let source = try #require(schema.model.navigationSource(named: "Items"))
            let table = try #require(schema.layout[source])
            let catalog = TableCatalog(connection, layout: schema.layout)
            try catalog.ensureTable(source)
            let column = try #require(table.columns.first { $0.path == [property] })
            var plans: [String] = []
            for name in [table.baseName, table.serverName] {
                try catalog.ensureCopies(name, of: table)
                let sql = UploadRecorder.replacement(of: column, inCopies: name)
                try connection.forEachRow("EXPLAIN QUERY PLAN " + sql) {
                    plans.append($0.string(3))
                }
            }
            return plans
        }
        #expect(plans.count == 2)
        #expect(plans.allSatisfy { $0.hasPrefix("SEARCH") && $0.contains("$await:") }, "\(plans)")
    }
}
