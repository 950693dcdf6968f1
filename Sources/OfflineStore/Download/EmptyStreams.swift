import ODataPayload
import ODataTables

/// Streams of which the service has said that they are empty: they are asked for again once their entity is another one.
struct EmptyStreams {
    let connection: SQLiteConnection

    /// Remembers that the service has nothing there.
    ///
    /// - Parameter mediaETag: The stream's ETag as the entity told it.
    func insert(_ row: Int64, _ property: String, in table: TableLayout, mediaETag: String?) throws
    {
        try connection.run(
            """
            INSERT OR REPLACE INTO "$emptyStream"
            SELECT "$id", ?2, "$stamp", "$etag", ?3 FROM \(table.sql) WHERE "$id" = ?1
            """,
            [.integer(row), .text(property), .init(mediaETag)]
        )
    }

    func remove(_ row: Int64, _ property: String) throws {
        try connection.run(
            "DELETE FROM \"$emptyStream\" WHERE \"row\" = ?1 AND \"property\" = ?2",
            [.integer(row), .text(property)]
        )
    }

    /// Forgets the streams of a row that goes.
    func remove(row: Int64) throws {
        try connection.run("DELETE FROM \"$emptyStream\" WHERE \"row\" = ?1", [.integer(row)])
    }

    /// Whether a stream was empty when its entity was as it is now.
    ///
    /// It was where the service, which tells of changes, has told none since, or states the same ETag.
    func holds(
        _ row: Int64,
        _ property: String,
        in table: TableLayout,
        mediaETag: String?,
        tracksChanges: Bool
    ) throws -> Bool {
        try connection.integer(
            """
            SELECT 1 FROM "$emptyStream" e JOIN \(table.sql) t ON t."$id" = e."row"
            WHERE e."row" = ?1 AND e."property" = ?2 AND (?4 AND e."stamp" = t."$stamp"
                OR e."etag" = nullif(t."$etag", '') AND (?3 IS NULL OR ?3 = e."mediaEtag")
                OR e."mediaEtag" = ?3)
            """,
            [.integer(row), .text(property), .init(mediaETag), .integer(tracksChanges ? 1 : 0)]
        ) != nil
    }
}
