import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import ODataValues
import StoreRecords
import Testing

@testable import OfflineStore

@Suite struct LapsedRowsTests {
    /// A read that is kept may hold an entity which the service does not have yet: what it does not bring was written here.
    @Test(arguments: [true, false])
    func keepTheValuesOfAWaitingCreation(_ isCreated: Bool) async throws {
        let script =
            isCreated
            ? #"POST Tags {"Name":"n","Color":"red"}"#
            : """
            query All Tags
            full All {"Name":"n","Color":"red"}
            merge
            """
        let seam = try await SeamStore(after: "query Names Tags?$select=Name\n" + script)
        let color = try await seam.store.file.write { [store = seam.store] connection in
            let schema = try store.schema(connection)
            let source = try #require(schema.model.navigationSource(named: "Tags"))
            let table = try #require(schema.layout[source])
            let names = try #require(
                try DefiningQueries(connection).all().first { $0.name == "Names" }
            )
            try connection.execute("UPDATE main.\(table.sql) SET \"$queries\" = \(names.bit)")
            let row = try #require(try connection.integer("SELECT \"$id\" FROM main.\(table.sql)"))
            try LapsedRows(connection, schema: schema).forgetUnbrought([row], in: table)
            var found: [String] = []
            try connection.forEachRow("SELECT \"Color\" FROM main.\(table.sql)") {
                found.append($0.string(0))
            }
            return found
        }
        #expect(color == [isCreated ? "red" : ""])
    }
}
