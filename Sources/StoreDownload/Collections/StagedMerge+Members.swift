import StoreRecords
import ODataValues
import ODataSQLite
import ODataSQL
import ODataTables

/// What queries without a bit of their own note beside the rows.
extension StagedMerge {
    /// Writes down which rows came, and the places of those that the query itself asks for.
    func keepMembers() throws {
        guard query.keepsMembers else { return }
        let slot = Scalar.integer(Int64(query.slot))
        try connection.run(
            """
            INSERT OR IGNORE INTO main."$member" ("query", "row")
            SELECT ?1, "row" FROM \(staged("$map"))
            """,
            [slot]
        )
        guard query.isStoredCollection else { return }
        if !isDelta {
            try connection.run(
                "UPDATE main.\"$member\" SET \"position\" = NULL WHERE \"query\" = ?1",
                [slot]
            )
        }
        try keepPlaces(slot)
        if !isDelta { try placeCreatedMembers(slot) }
    }

    /// Entities stand in the order in which they came; those that a delta brings for the first time stand behind the others.
    private func keepPlaces(_ slot: Scalar) throws {
        guard let table = ownSource.flatMap({ layout[$0] }), try catalog.exists(table.name) else {
            return
        }
        let last = try connection.integer(
            "SELECT max(\"position\") FROM main.\"$member\" WHERE \"query\" = ?1",
            [slot]
        )
        var own = "SELECT \"$id\" FROM main.\(table.sql)"
        if try catalog.exists(table.baseName) {
            own += " UNION ALL SELECT \"$id\" FROM main.\(table.baseName.sqlQuoted)"
        }
        // An entity that came inside of another one is not a member for that reason.
        try connection.run(
            """
            UPDATE main."$member" SET "position" = ?2 + m."place"
            FROM (SELECT "row", max("staged") AS "place" FROM \(staged("$map"))
                WHERE "staged" NOT IN (SELECT "target" FROM \(staged("$links")) WHERE "target" IS NOT NULL)
                GROUP BY "row") AS m
            WHERE "query" = ?1 AND "$member"."row" = m."row" AND "position" IS NULL
                AND m."row" IN (\(own))
            """,
            [slot, .integer(last ?? 0)]
        )
    }

    /// After a full read: rows that did not come are not the collection's any more.
    ///
    /// Only rows that it held are looked at, however large the store is. A row that is changed here stays as it is: that it is
    /// not among these entities any more does not say that it is gone.
    func releaseAbsentMembers(_ result: inout Result) throws {
        var absent: [Int64] = []
        try connection.forEachRow(
            """
            SELECT "row" FROM main."$member"
            WHERE "query" = ?1 AND "row" NOT IN (SELECT "row" FROM \(staged("$map")))
                AND NOT (\(isCreatedMember()))
            """,
            [.integer(Int64(query.slot))]
        ) { absent.append($0.integer(0)) }
        result.removed += try RowCoverage(connection, layout: layout).release(absent, of: query)
    }
}
