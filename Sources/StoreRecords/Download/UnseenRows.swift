package import ODataSQLite
package import ODataSQL
import ODataValues
package import ODataTables

/// Rows of which the service has taken a change that no download has brought back yet.
///
/// Most come with the next download and are the service's again then. Those that a delta does not mention, since the change left
/// nothing changed there, would be local for ever: so after a download of everything none of these is.
package struct UnseenRows {
    package let connection: SQLiteConnection
    package let catalog: TableCatalog

    package init(connection: SQLiteConnection, catalog: TableCatalog) {
        self.connection = connection
        self.catalog = catalog
    }

    /// Remembers a row; in the transaction that records the service's answer.
    package func note(_ row: Int64, in table: TableLayout) throws {
        try connection.run(
            "INSERT OR REPLACE INTO \"$unseen\" VALUES (?1, ?2)",
            [.integer(row), .text(table.name)]
        )
    }

    /// Remembers rows to which one belonged that is deleted: they have no change of their own, and no table stands with them.
    package func noteNear(_ rows: [Int64]) throws {
        for row in rows {
            try connection.run(
                "INSERT OR IGNORE INTO \"$unseen\" VALUES (?1, '')",
                [.integer(row)]
            )
        }
    }

    /// Whether a row is one of them.
    package func contains(_ row: Int64) throws -> Bool { try isNoted(row, where: "<> ''") }

    /// Whether a row was related to one that is deleted.
    package func isNear(_ row: Int64) throws -> Bool { try isNoted(row, where: "= ''") }

    private func isNoted(_ row: Int64, where table: String) throws -> Bool {
        try connection.integer(
            "SELECT 1 FROM \"$unseen\" WHERE \"row\" = ?1 AND \"table\" \(table)",
            [.integer(row)]
        ) != nil
    }

    /// Takes the state *local* from all of them, once everything has come down that was asked for after their changes.
    ///
    /// A row that waits again with another change stays local; what it was changed from is not.
    package func settle() throws {
        for table in try notedTables() where try catalog.exists(table.name) {
            try settle(table.name, in: table, besides: RowState.waiting.rawValue)
            for copy in [table.baseName, table.serverName] where try catalog.exists(copy) {
                try settle(copy, in: table, besides: 0)
            }
        }
        try connection.execute("DELETE FROM \"$unseen\"")
    }

    /// The tables that have such rows.
    package func notedTables() throws -> [TableLayout] {
        var names: [String] = []
        try connection.forEachRow("SELECT DISTINCT \"table\" FROM \"$unseen\"") {
            names.append($0.string(0))
        }
        return names.compactMap { catalog.layout.table(named: $0) }
    }

    private func settle(_ name: String, in table: TableLayout, besides waiting: RowState.RawValue)
        throws
    {
        try connection.run(
            """
            UPDATE \(name.sqlQuoted) SET "$state" = "$state" & ~\(RowState.local.rawValue)
            WHERE "$id" IN (SELECT "row" FROM "$unseen" WHERE "table" = ?1)
                AND "$state" & \(RowState.local.rawValue) <> 0 AND "$state" & \(waiting) = 0
            """,
            [.text(table.name)]
        )
    }
}
