package import ODataSQLite
package import ODataSQL
package import ODataValues
package import ODataTables

/// The service's copy of another entity that a row created here has held, as long as both had the same key.
package struct TheirCopy {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Makes the copy a row of its own where a query holds it; else it goes.
    ///
    /// - Parameter key: The key of the row by now: a copy with the same key is the entity itself.
    package func release(_ row: Int64, in table: TableLayout, unless key: [Scalar]) throws {
        guard try rows.catalog.exists(table.serverName),
            let theirs = try rows.key(of: row, in: table, named: table.serverName), theirs != key
        else { return }
        let queries = try self.queries(of: row, table)
        if queries != 0, try rows.row(withKey: theirs, in: table) == nil {
            try makeRow(of: row, in: table, queries: queries)
        }
        try connection.run(
            "DELETE FROM \(table.serverName.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(row)]
        )
        for name in try rows.catalog.versions(of: table) {
            try connection.run(
                "UPDATE \(name.sqlQuoted) SET \"$queries\" = 0 WHERE \"$id\" = ?1",
                [.integer(row)]
            )
        }
    }

    private func queries(of row: Int64, _ table: TableLayout) throws -> Int64 {
        for name in [table.name, table.baseName] {
            let bits = try connection.integer(
                "SELECT \"$queries\" FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row)]
            )
            if let bits { return bits }
        }
        return 0
    }

    private func makeRow(of row: Int64, in table: TableLayout, queries: Int64) throws {
        let system: [SystemColumn] = [.type, .etag, .exact, .dynamic, .control]
        let columns = (system.map(\.sql) + table.columns.map(\.sql)).joined(separator: ", ")
        try connection.run(
            """
            INSERT INTO \(table.sql) ("$id", "$queries", "$parent", \(columns))
            SELECT ?2, ?3, (SELECT m."$parent" FROM \(table.sql) m WHERE m."$id" = ?1), \(columns)
            FROM \(table.serverName.sqlQuoted) WHERE "$id" = ?1
            """,
            [.integer(row), .integer(try connection.takeRowID()), .integer(queries)]
        )
    }
}
