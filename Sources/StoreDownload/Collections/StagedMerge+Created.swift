import ODataSQL
import ODataValues
import ODataSQLite
import ODataTables

/// What a fetch leaves of joined rows.
extension StagedMerge {
    /// Rows created here that the service does not have yet; their membership does not depend on what it answers.
    private func created(_ table: TableLayout) -> String {
        "SELECT \"$id\" FROM main.\(table.sql) WHERE \"$state\" & \(RowState.created.rawValue) <> 0"
    }

    /// The condition that a member was created here and the service does not have it yet.
    func isCreatedMember() throws -> String {
        guard let table = ownSource.flatMap({ layout[$0] }), try catalog.exists(table.name) else {
            return "0"
        }
        return "\"row\" IN (\(created(table)))"
    }

    /// Puts rows created here behind those that came, in the order of their creation.
    func placeCreatedMembers(_ slot: Scalar) throws {
        try connection.run(
            """
            UPDATE main."$member" SET "position" = "row" + (
                SELECT coalesce(max("position"), 0) FROM main."$member" WHERE "query" = ?1)
            WHERE "query" = ?1 AND "position" IS NULL AND \(isCreatedMember())
            """,
            [slot]
        )
    }
}
