import ODataSQLite
import ODataSQL
import ODataValues
import ODataAnswers
import ODataTables

/// Lets the tables of a service's file follow a model that has grown: columns that are missing are added, empty.
enum TableGrowth {
    static func addMissingColumns(_ connection: SQLiteConnection, layout: Layout) throws {
        let catalog = TableCatalog(connection, layout: layout)
        for table in layout.orderedTables where try catalog.exists(table.name) {
            var present: Set<String> = []
            try connection.forEachRow(
                "SELECT \"name\" FROM pragma_table_info(?1)",
                [.text(table.name)]
            ) { present.insert($0.string(0)) }
            for column in table.columns where !present.contains(column.name) {
                try connection.execute(
                    "ALTER TABLE \(table.sql) ADD COLUMN \(column.sql) \(column.affinity)"
                )
            }
        }
    }
}
