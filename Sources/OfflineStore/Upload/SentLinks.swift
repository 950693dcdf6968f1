import ODataPayload
import ODataTables

/// Links that the service has made or ended for the store, until a download reports their state.
///
/// A delta tells what is other than at its delta link. Where somebody else has taken a link back since, nothing is, and the store would
/// keep its own for ever.
struct SentLinks {
    private static let table = "$sentlink"
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
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
    func all() throws -> [RowLink] {
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
    func forget() throws {
        if try isUsed() { try connection.execute("DELETE FROM \"$sentlink\"") }
    }
}
