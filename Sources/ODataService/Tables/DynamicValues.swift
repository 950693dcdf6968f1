import ODataSQL
import ODataSQLite
import ODataValues

/// Dynamic values for which a model has properties by now, remembered while they are brought into their columns.
struct DynamicValues {
    /// A table of the connection's own: rows, and the names of values that they have.
    private static let noted = "temp.\"$noted\""

    private let connection: SQLiteConnection
    private let table: TableLayout
    private let columns: [Column]

    init(_ connection: SQLiteConnection, _ change: TableChange) {
        self.connection = connection
        table = change.new
        let added = change.added.map { change.new.columns[$0] }
        columns = change.takesDynamic ? added.filter { $0.path.count == 1 } : []
    }

    /// Notes the values before they are brought anywhere; null is none.
    func note() throws {
        try connection.execute("DROP TABLE IF EXISTS \(Self.noted)")
        try connection.execute("CREATE TABLE \(Self.noted)(\"row\", \"name\")")
        for column in columns {
            try connection.run(
                """
                INSERT INTO \(Self.noted)
                SELECT "$id", m."key" FROM \(table.sql), json_each("$dynamic") AS m
                WHERE m."key" = ?1 AND m."type" <> 'null'
                """,
                [.text(column.path[0])]
            )
        }
    }

    /// For each column the condition for rows whose value is gone: it is not of the type that the property has.
    ///
    /// A row whose own type does not declare the property keeps the value as it was.
    var losses: [(column: String, condition: String)] {
        columns.map { column in
            let isHeld = column.kind == .presence ? "= 1" : "IS NOT NULL"
            let name = column.path[0].sqlText
            return (
                column.name,
                """
                "$id" IN (SELECT "row" FROM \(Self.noted) WHERE "name" = \(name))
                    AND (\(column.sql) \(isHeld)) IS NOT TRUE
                    AND NOT EXISTS (SELECT 1 FROM json_each("$dynamic") WHERE "key" = \(name))
                """
            )
        }
    }
}
