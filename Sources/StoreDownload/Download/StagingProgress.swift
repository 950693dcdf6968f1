package import ODataSQLite
package import StoreRecords
import ODataValues

/// How far the staging of a query has come, kept in the staging file with each complete page.
package struct StagingProgress: Sendable {
    /// Where the next page is; nil once there is none.
    package var next: String?
    package var deltaLink: String?
    /// The last row, link or tombstone of the complete pages.
    package var lastID: Int64
    /// Whether every page has been read; collections inside of entities may still have more.
    package var isRead: Bool
    /// When its first page was asked for, RFC 3339.
    package var begun: String

    package init(
        next: String? = nil,
        deltaLink: String? = nil,
        lastID: Int64,
        isRead: Bool,
        begun: String
    ) {
        self.next = next
        self.deltaLink = deltaLink
        self.lastID = lastID
        self.isRead = isRead
        self.begun = begun
    }

    /// Returns how far a query has come that began at this address; nil where it has not begun.
    package static func read(_ query: DefiningQuery, start: String, in staging: StagingFile)
        async throws -> StagingProgress?
    {
        try await staging.queue.run { connection in
            try connection.firstRow(
                """
                SELECT "next", "deltaLink", "lastID", "isRead", "begun" FROM "$progress"
                WHERE "query" = ?1 AND "start" = ?2
                """,
                [.text(query.name), .text(start)]
            ) {
                StagingProgress(
                    next: $0.optionalString(0),
                    deltaLink: $0.optionalString(1),
                    lastID: $0.integer(2),
                    isRead: $0.integer(3) != 0,
                    begun: $0.string(4)
                )
            }
        }
    }

    /// Makes the staging of a query begin anew.
    package static func forget(_ query: DefiningQuery, in staging: StagingFile) async throws {
        try await staging.queue.run { connection in
            try connection.run(
                "DELETE FROM \"$progress\" WHERE \"query\" = ?1",
                [.text(query.name)]
            )
        }
    }

    /// Writes down the end of a page, in the transaction of its last rows.
    package func write(_ query: DefiningQuery, start: String, on connection: SQLiteConnection)
        throws
    {
        try connection.run(
            """
            INSERT INTO "$progress" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT ("query") DO UPDATE SET "start" = ?2, "next" = ?3, "deltaLink" = ?4,
                "lastID" = ?5, "isRead" = ?6, "begun" = iif("start" = ?2, "begun", ?7)
            """,
            [
                .text(query.name), .text(start), Scalar(next), Scalar(deltaLink), .integer(lastID),
                .integer(isRead ? 1 : 0), .text(begun),
            ]
        )
    }

    /// Removes what was staged of a query after a row: an unfinished page, or everything.
    package static func discard(
        _ query: DefiningQuery,
        after last: Int64,
        on connection: SQLiteConnection
    )
        throws
    {
        var tables: [String] = []
        let prefix = StagingFile.name(of: "", query: query)
        try connection.forEachRow("SELECT \"name\" FROM sqlite_schema WHERE \"type\" = 'table'") {
            if $0.string(0).hasPrefix(prefix) { tables.append($0.string(0)) }
        }
        for table in tables {
            let column: String
            switch table.dropFirst(prefix.count) {
            case "$links", "$nested": column = "source"
            case "$removed", "$linkchange": column = "sequence"
            case "$map": column = "staged"
            case EntityAddresses.table: column = "row"
            default: column = "$id"
            }
            try connection.run(
                "DELETE FROM \(table.sqlQuoted) WHERE \(column.sqlQuoted) > ?1",
                [.integer(last)]
            )
        }
    }
}
