import ODataSQLite
import ODataTables
import Testing

/// Values of the file that stand beside its rows.
@Suite struct MetaValueTests {
    /// The column has no type, so a text that looks like a number comes back as one.
    @Test(arguments: [[], [7], [7, 8], [.max], [1, 2, 3]] as [[Int64]])
    func keepsListsOfIDs(_ ids: [Int64]) throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        try TableCatalog.createSystemTables(connection)
        #expect(try connection.metaIDs("list").isEmpty)
        try connection.setMetaIDs("list", to: ids)
        #expect(try connection.metaIDs("list") == ids)
    }
}
