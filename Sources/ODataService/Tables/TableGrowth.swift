import ODataAnswers
import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import ODataValues

/// Lets the tables of a service's file follow a model that has grown: columns that are missing are added, with what the
/// properties have by default.
enum TableGrowth {
    /// - Throws: `StandaloneServiceError` where the file has values of a property that the model does not have, or has as another type
    ///   and so in another column: answers would leave them out without a word.
    static func follow(_ connection: SQLiteConnection, layout: Layout) throws {
        let catalog = TableCatalog(connection, layout: layout)
        for table in layout.orderedTables where try catalog.exists(table.name) {
            let present = try columns(of: table, connection)
            let wanted = Set(table.columns.map(\.name))
            for name in present.subtracting(wanted).sorted() where !name.hasPrefix("$") {
                try checkIsEmpty(name, in: table, of: layout.model, connection)
            }
            let missing = table.columns.indices.filter {
                !present.contains(table.columns[$0].name)
            }
            for column in missing.map({ table.columns[$0] }) {
                try connection.execute(
                    "ALTER TABLE \(table.sql) ADD COLUMN \(column.sql) \(column.affinity)"
                )
            }
            try fill(missing, of: table, in: layout.model, connection)
        }
    }

    /// Gives the rows that were there what an entity has that mentions nothing.
    private static func fill(
        _ slots: [Int],
        of table: TableLayout,
        in model: EdmModel,
        _ connection: SQLiteConnection
    ) throws {
        for (code, type) in table.types.enumerated() {
            let values = table.typeColumns(of: type, in: model).valuesWhenAbsent
                .filter { slots.contains($0.key) }.sorted { $0.key < $1.key }
            guard !values.isEmpty else { continue }
            let changes = values.map { "\(table.columns[$0.key].sql) = ?" }
            try connection.run(
                "UPDATE \(table.sql) SET \(changes.joined(separator: ", "))"
                    + " WHERE \(SystemColumn.type.sql) = \(code)",
                values.map(\.value)
            )
        }
    }

    private static func columns(of table: TableLayout, _ connection: SQLiteConnection) throws
        -> Set<String>
    {
        var present: Set<String> = []
        try connection.forEachRow(
            "SELECT \"name\" FROM pragma_table_info(?1)",
            [.text(table.name)]
        ) { present.insert($0.string(0)) }
        return present
    }

    private static func checkIsEmpty(
        _ column: String,
        in table: TableLayout,
        of model: EdmModel,
        _ connection: SQLiteConnection
    ) throws {
        let sql = "SELECT 1 FROM \(table.sql) WHERE \(column.sqlQuoted) IS NOT NULL LIMIT 1"
        guard try connection.integer(sql) != nil else { return }
        throw StandaloneServiceError(
            "the file has values of \(model.name(of: table.source))/\(column), which the model does not have, or has as"
                + " another type: serve the file with its former model, or choose another file",
            isFileRefused: true
        )
    }
}
