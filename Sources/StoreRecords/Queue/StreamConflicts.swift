package import ODataSQLite
import ODataValues

/// Changes of streams that the service has refused because another client changed the stream.
package struct StreamConflicts {
    private let connection: SQLiteConnection

    /// Preconditions that failed, or that the service demands (RFC 9110 § 15.5.13, RFC 6585 § 3).
    private static let statuses = "412, 428"

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Returns the refused requests for streams of a row.
    package func requests(on row: Int64) throws -> [Int64] {
        var found: [Int64] = []
        try connection.forEachRow(
            """
            SELECT "id" FROM "$queue" WHERE "row" = ?1 AND "streamProperty" IS NOT NULL
                AND "status" = 'failed' AND "httpStatus" IN (\(Self.statuses)) ORDER BY "position"
            """,
            [.integer(row)]
        ) { found.append($0.integer(0)) }
        return found
    }

    /// Returns the names of those streams, the empty one for that of a media entity.
    package func properties(on row: Int64) throws -> [String] {
        try requests(on: row).compactMap { id in
            try connection.firstRow(
                "SELECT \"streamProperty\" FROM \"$queue\" WHERE \"id\" = ?1",
                [.integer(id)]
            ) { $0.string(0) }
        }
    }

    /// From now on the changes of a row's streams are made on what the service has, and are sent with its media ETag; where it has
    /// none, after a look at the content.
    package func moveBases(of row: Int64) throws {
        try connection.run(
            """
            UPDATE "$queue" SET "etag" = (
                SELECT coalesce(c."etag", iif("$queue"."etag" = '\(ETagState.overtaken)', '\(ETagState.stale)', NULL))
                FROM "$streamBase" b JOIN "$content" c ON c."id" = b."content"
                WHERE b."row" = "$queue"."row" AND b."property" = "$queue"."streamProperty")
            WHERE "row" = ?1 AND "streamProperty" IN (
                SELECT "streamProperty" FROM "$queue" WHERE "row" = ?1 AND "status" = 'failed'
                    AND "httpStatus" IN (\(Self.statuses)))
            """,
            [.integer(row)]
        )
    }
}
