import ODataValues

/// Copies the whole of an attached database into a connection's own file, which is empty.
package struct DatabaseCopy {
    private let connection: SQLiteConnection
    private let schema: String
    private var source: String { schema.sqlQuoted }

    package init(_ connection: SQLiteConnection, from schema: String) {
        (self.connection, self.schema) = (connection, schema)
    }

    /// Copies it in one transaction; row ids stay what they are.
    package func run() throws {
        // Settings of the file, which can be made only before it has a table.
        for setting in ["page_size", "auto_vacuum"] { try copySetting(setting) }
        // A copy that does not come to its end is deleted.
        try connection.execute("PRAGMA main.journal_mode = OFF; PRAGMA main.synchronous = FULL")
        try connection.write {
            for sql in try statements(ofTables: true) { try connection.execute(sql) }
            for table in try tables(.plain) { try copy(table) }
            try copyVirtualTables()
            for sql in try statements(ofTables: false) { try connection.execute(sql) }
            for setting in ["application_id", "user_version"] { try copySetting(setting) }
        }
    }

    private func copySetting(_ name: String) throws {
        let value = try connection.integer("PRAGMA \(source).\(name)") ?? 0
        try connection.execute("PRAGMA main.\(name) = \(value)")
    }

    /// What has made the objects of the file, in their order; indexes and the rest come after the rows.
    private func statements(ofTables: Bool) throws -> [String] {
        var statements: [String] = []
        try connection.forEachRow(
            """
            SELECT "sql" FROM \(source).sqlite_schema WHERE "sql" IS NOT NULL
              AND ("type" = 'table') = ?1 AND "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\'
              AND "name" NOT IN (\(namesQuery(.shadow))) ORDER BY rowid
            """,
            [.integer(ofTables ? 1 : 0)]
        ) { statements.append($0.string(0)) }
        return statements
    }

    /// What a table's rows stand in.
    private enum Kind: String {
        case plain = "table"
        /// Tables that a virtual one keeps its data in, made with it.
        case shadow
    }

    /// A query for the names of the tables of a kind.
    private func namesQuery(_ kind: Kind) -> String {
        """
        SELECT "name" FROM pragma_table_list
        WHERE "schema" = \(schema.sqlText) AND "type" = '\(kind.rawValue)'
        """
    }

    private func tables(_ kind: Kind) throws -> [String] {
        var names: [String] = []
        // The counter table of AUTOINCREMENT exists once such a table does; SQLite's other own tables cannot be written.
        try connection.forEachRow(
            """
            SELECT "name" FROM \(source).sqlite_schema WHERE "type" = 'table'
              AND ("name" NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR "name" = 'sqlite_sequence')
              AND "name" IN (\(namesQuery(kind))) ORDER BY rowid
            """
        ) { names.append($0.string(0)) }
        return names
    }

    /// Copies the data of virtual tables as they stand in the tables behind them, which only the virtual table's module may write.
    private func copyVirtualTables() throws {
        let shadows = try tables(.shadow)
        guard !shadows.isEmpty else { return }
        try connection.withWritableShadows {
            for table in shadows {
                try connection.execute("DELETE FROM main.\(table.sqlQuoted)")
                try copy(table)
            }
        }
    }

    private func copy(_ table: String) throws {
        var columns = try columns(of: table).map(\.sqlQuoted)
        if let rowID = try hiddenRowID(of: table) { columns.insert(rowID, at: 0) }
        let list = columns.joined(separator: ", ")
        let name = table.sqlQuoted
        if table == "sqlite_sequence" { try connection.execute("DELETE FROM main.\(name)") }
        try connection.execute(
            "INSERT INTO main.\(name) (\(list)) SELECT \(list) FROM \(source).\(name)"
        )
    }

    private func columns(of table: String) throws -> [String] {
        var names: [String] = []
        try connection.forEachRow(
            "SELECT \"name\" FROM pragma_table_info(?1, ?2)",
            [.text(table), .text("main")]
        ) { names.append($0.string(0)) }
        return names
    }

    /// A name under which the row ids of a table can be copied; nil where a column holds them, or there are none.
    private func hiddenRowID(of table: String) throws -> String? {
        let hasKeyColumn = try connection.integer(
            """
            SELECT count(*) FROM pragma_table_info(?1, 'main') WHERE "pk" > 0
              AND lower("type") = 'integer'
            """,
            [.text(table)]
        )
        let isWithoutRowID = try connection.integer(
            "SELECT \"wr\" FROM pragma_table_list(?1) WHERE \"schema\" = 'main'",
            [.text(table)]
        )
        guard hasKeyColumn == 0, isWithoutRowID == 0 else { return nil }
        let taken = Set(try columns(of: table).map { $0.lowercased() })
        return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
    }
}
