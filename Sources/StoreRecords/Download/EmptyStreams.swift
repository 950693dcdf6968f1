package import ODataSQLite
package import ODataSQL
import ODataValues

/// Streams of which the service has said that they are empty: they are asked for again once their ETag is another one.
package struct EmptyStreams {
    package let connection: SQLiteConnection

    package init(connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Remembers that the service has nothing there.
    ///
    /// - Parameter mediaETag: The stream's ETag as stated in the entity.
    package func insert(_ row: Int64, property: String, in table: TableLayout, mediaETag: String?)
        throws
    {
        try connection.run(
            """
            INSERT OR REPLACE INTO "$emptyStream"
            SELECT "$id", ?2, "$stamp", ?3 FROM \(table.sql) WHERE "$id" = ?1
            """,
            [.integer(row), .text(property), .init(mediaETag)]
        )
    }

    package func remove(_ row: Int64, property: String) throws {
        try connection.run(
            "DELETE FROM \"$emptyStream\" WHERE \"row\" = ?1 AND \"property\" = ?2",
            [.integer(row), .text(property)]
        )
    }

    /// Forgets the streams of a row that goes.
    func remove(row: Int64) throws {
        try connection.run("DELETE FROM \"$emptyStream\" WHERE \"row\" = ?1", [.integer(row)])
    }

    /// Whether a stream was empty when it had the ETag that its entity states now.
    ///
    /// There is no other sign: the content of a stream may come without any change of its entity.
    package func holds(_ row: Int64, property: String, in table: TableLayout, mediaETag: String?)
        throws
        -> Bool
    {
        // Without content the row states no ETag of it, until a download brings one.
        try connection.integer(
            """
            SELECT 1 FROM "$emptyStream" e JOIN \(table.sql) t ON t."$id" = e."row"
            WHERE e."row" = ?1 AND e."property" = ?2 AND e."mediaEtag" IS NOT NULL
                AND (?3 = e."mediaEtag" OR ?3 IS NULL AND e."stamp" = t."$stamp")
            """,
            [.integer(row), .text(property), .init(mediaETag)]
        ) != nil
    }
}
