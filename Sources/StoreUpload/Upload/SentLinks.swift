package import ODataSQLite
package import StoreRecords
import ODataValues

/// Links that the service has made or ended for the store, until a download reports their state.
///
/// A delta reports differences from its delta link. Where another client has removed a link again since, there is none, and the store
/// would keep its own for ever.
package struct SentLinks {
    private static let table = "$sentlink"
    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    private func isUsed() throws -> Bool { try connection.tableNames().contains(Self.table) }

    /// Remembers a link; in the transaction that records the answer.
    func note(_ link: RowLink) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS "$sentlink" ("table" TEXT NOT NULL, "source" INTEGER NOT NULL,
                "target" INTEGER NOT NULL, PRIMARY KEY ("table", "source", "target")) WITHOUT ROWID
            """
        )
        try connection.run(
            "INSERT OR IGNORE INTO \"$sentlink\" VALUES (?1, ?2, ?3)",
            [.text(link.table), .integer(link.source), .integer(link.target)]
        )
    }

    /// All of them.
    package func all() throws -> [RowLink] {
        guard try isUsed() else { return [] }
        var links: [RowLink] = []
        try connection.forEachRow(
            "SELECT \"table\", \"source\", \"target\" FROM \"$sentlink\""
        ) {
            links.append(RowLink(table: $0.string(0), source: $0.integer(1), target: $0.integer(2)))
        }
        return links
    }

    /// Forgets them, once all queries have looked.
    package func forget() throws {
        if try isUsed() { try connection.execute("DELETE FROM \"$sentlink\"") }
    }
}
