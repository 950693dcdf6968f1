package import ODataSQLite
import ODataValues

/// Status monitors of requests that the service has accepted and not completed (202, OData 4.01 Part 1 § 11.6).
///
/// Written down before the first question: whoever goes on after a cut asks there, and sends nothing twice. Few services answer so,
/// and the table is made when the first one does.
package struct AcceptedRequests {
    /// Where the answer to some requests is to be had.
    package struct Monitor: Sendable {
        /// The absolute URL.
        package var url: String
        /// Whether they were sent as a batch.
        package var isBatch: Bool
        /// The Content-IDs under which they were sent, by their numbers.
        package var contentIDs: [Int64: Int]

        package init(url: String, isBatch: Bool, contentIDs: [Int64: Int]) {
            (self.url, self.isBatch, self.contentIDs) = (url, isBatch, contentIDs)
        }
    }

    private static let table = "$accepted"
    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    private func isUsed() throws -> Bool { try connection.tableNames().contains(Self.table) }

    /// Writes down where the answer is to be had, in the place of what was known before.
    package func note(_ monitor: Monitor) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS "$accepted" ("request" INTEGER PRIMARY KEY, "url" TEXT NOT NULL,
                "contentID" INTEGER NOT NULL, "isBatch" INTEGER NOT NULL)
            """
        )
        for (request, contentID) in monitor.contentIDs {
            try connection.run(
                "INSERT OR REPLACE INTO \"$accepted\" VALUES (?1, ?2, ?3, ?4)",
                [
                    .integer(request), .text(monitor.url), .integer(Int64(contentID)),
                    .integer(monitor.isBatch ? 1 : 0),
                ]
            )
        }
    }

    /// The monitors of requests that are being sent, those first that came first; what is known of others is forgotten.
    package func monitors() throws -> [Monitor] {
        guard try isUsed() else { return [] }
        try connection.execute(
            """
            DELETE FROM "$accepted" WHERE "request" NOT IN (SELECT "id" FROM "$queue" WHERE "status" = 'sending')
            """
        )
        var found: [Monitor] = []
        try connection.forEachRow(
            "SELECT \"request\", \"url\", \"contentID\", \"isBatch\" FROM \"$accepted\" ORDER BY \"request\""
        ) { row in
            let (request, url, contentID) = (row.integer(0), row.string(1), Int(row.integer(2)))
            if let index = found.firstIndex(where: { $0.url == url }) {
                found[index].contentIDs[request] = contentID
            } else {
                let isBatch = row.integer(3) != 0
                found.append(Monitor(url: url, isBatch: isBatch, contentIDs: [request: contentID]))
            }
        }
        return found
    }

    /// Forgets where the answers to some requests are to be had.
    package func forget(_ requests: some Sequence<Int64>) throws {
        guard try isUsed() else { return }
        for request in requests {
            try connection.run(
                "DELETE FROM \"$accepted\" WHERE \"request\" = ?1",
                [.integer(request)]
            )
        }
    }
}
