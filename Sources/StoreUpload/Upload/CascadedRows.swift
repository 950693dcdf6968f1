package import ODataSQLite
package import ODataSQL
import ODataValues

/// Entities deleted here together with a parent whose deletion the service has carried out, until a download reports their state.
///
/// Another client may have given one of them another parent before. A delta then shows the entity, but nothing of what the service takes for
/// known below it.
package struct CascadedRows {
    private static let table = "$cascaded"
    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    private func isUsed() throws -> Bool { try connection.tableNames().contains(Self.table) }

    /// Remembers the key of an entity; in the transaction that removes it.
    func note(_ row: Int64, in table: TableLayout) throws {
        guard !table.isContained, !table.keyColumns.isEmpty else { return }
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS "$cascaded" ("table" TEXT NOT NULL, "key" TEXT NOT NULL,
                PRIMARY KEY ("table", "key")) WITHOUT ROWID
            """
        )
        try connection.run(
            """
            INSERT OR IGNORE INTO "$cascaded" SELECT ?1, \(Self.key(of: table))
            FROM \(table.baseName.sqlQuoted) WHERE "$id" = ?2
            """,
            [.text(table.name), .integer(row)]
        )
    }

    /// Whether one of them is among some staged rows.
    ///
    /// - Parameter staged: The quoted name of their table.
    package func isAny(among staged: String, of table: TableLayout) throws -> Bool {
        guard !table.isContained, try isUsed() else { return false }
        return try connection.integer(
            """
            SELECT 1 FROM \(staged) WHERE \(Self.key(of: table)) IN (
                SELECT "key" FROM "$cascaded" WHERE "table" = ?1) LIMIT 1
            """,
            [.text(table.name)]
        ) != nil
    }

    /// The expression for the key as one text.
    private static func key(of table: TableLayout) -> String {
        table.keyColumns.map { "quote(\(table.columns[$0].sql))" }.joined(separator: " || ' ' || ")
    }

    /// Forgets them, once all queries have looked.
    package func forget() throws {
        if try isUsed() { try connection.execute("DELETE FROM \"$cascaded\"") }
    }
}
