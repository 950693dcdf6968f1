import ODataAnswers
import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import ODataValues

/// Lets the tables of a service's file follow a model that has grown: columns that are missing are added, empty.
enum TableGrowth {
    /// A column as the file has it.
    private struct Present {
        var name: String
        var affinity: String
        /// Columns of our own begin with a dollar sign.
        var isProperty: Bool { !name.hasPrefix("$") }
    }

    /// - Throws: `StandaloneServiceError` where the file has values of a property that the model does not have, or has as another type:
    ///   answers would leave them out without a word.
    static func follow(_ connection: SQLiteConnection, layout: Layout) throws {
        let catalog = TableCatalog(connection, layout: layout)
        for table in layout.orderedTables where try catalog.exists(table.name) {
            var names: Set<String> = []
            for column in try columns(of: table, connection)
            where try keeps(column, in: table, of: layout, connection) { names.insert(column.name) }
            for column in table.columns where !names.contains(column.name) {
                try connection.execute(
                    "ALTER TABLE \(table.sql) ADD COLUMN \(column.sql) \(column.affinity)"
                )
            }
        }
    }

    private static func columns(of table: TableLayout, _ connection: SQLiteConnection) throws
        -> [Present]
    {
        var present: [Present] = []
        try connection.forEachRow(
            "SELECT \"name\", \"type\" FROM pragma_table_info(?1)",
            [.text(table.name)]
        ) { present.append(Present(name: $0.string(0), affinity: $0.string(1))) }
        return present
    }

    /// Whether a column stays; one without values that the model has as another type makes place for it.
    private static func keeps(
        _ column: Present,
        in table: TableLayout,
        of layout: Layout,
        _ connection: SQLiteConnection
    ) throws -> Bool {
        let wanted = table.columns.first { $0.name == column.name }?.affinity
        guard column.isProperty, wanted != column.affinity else { return true }
        let name = column.name.sqlQuoted
        let sql = "SELECT 1 FROM \(table.sql) WHERE \(name) IS NOT NULL LIMIT 1"
        guard try connection.integer(sql) == nil else {
            let set = layout.model.name(of: table.source)
            throw StandaloneServiceError(
                "the file has values of \(set)/\(column.name), which the model "
                    + (wanted == nil ? "does not have" : "has as another type")
                    + ": serve it with the former model, or choose another file",
                isFileRefused: true
            )
        }
        guard wanted != nil else { return true }
        try connection.execute("ALTER TABLE \(table.sql) DROP COLUMN \(name)")
        return false
    }
}
