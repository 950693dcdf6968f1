import ODataModel
import ODataProtocol
import ODataTables

/// What comes of rows without local changes: they become what was staged.
extension StagedMerge {
    /// Columns that a download writes: the entity's own and what the service says of it.
    func loadedColumns(_ table: TableLayout) -> [String] {
        let system: [SystemColumn] = [.type, .etag, .exact, .dynamic, .control]
        return system.map(\.sql) + table.columns.map(\.sql)
    }

    /// Conditions joined by OR in groups: SQLite takes a chain of a thousand for too deep.
    static func anyOf(_ conditions: [String]) -> String {
        let size = 64
        let groups = stride(from: 0, to: conditions.count, by: size).map { start in
            conditions[start..<min(start + size, conditions.count)].joined(separator: " OR ")
        }
        return groups.isEmpty ? "0" : groups.map { "(\($0))" }.joined(separator: " OR ")
    }

    static let waiting = RowState([.pending, .inError]).rawValue

    func update(_ table: TableLayout, _ result: inout Result) throws {
        let columns = loadedColumns(table)
        let assignments = columns.map { "\($0) = \(brought($0, table, over: "m"))" }
            .joined(separator: ", ")
        let differs = Self.anyOf(columns.map { "m.\($0) IS NOT \(brought($0, table, over: "m"))" })
        try connection.run(
            """
            UPDATE main.\(table.sql) AS m SET \(assignments), "$stamp" = ?1
            FROM \(staged(table.name)) s JOIN \(staged("$map")) x ON x."staged" = s."$id"
            WHERE m."$id" = x."row" AND x."kind" = \(Kind.known.rawValue)
                AND m."$state" & \(Self.waiting) = 0 AND (\(differs))
            """,
            [.integer(stamp)]
        )
        result.updated += connection.changedRowCount
        // What was changed here and has come back is the service's again.
        try connection.run(
            """
            UPDATE main.\(table.sql) SET "$state" = "$state" & ~\(RowState.local.rawValue)
            WHERE "$state" & \(RowState.local.rawValue) <> 0 AND "$state" & \(Self.waiting) = 0
                AND "$id" IN (SELECT "row" FROM \(staged("$map")))
            """
        )
    }

    /// What came was not changed by anything that the service does not know: so it is without the changes that wait.
    func settleBases(_ table: TableLayout) throws {
        guard try catalog.exists(table.baseName) else { return }
        try connection.execute(
            """
            UPDATE main.\(table.baseName.sqlQuoted) SET "$state" = "$state" & ~\(RowState.local.rawValue)
            WHERE "$id" IN (SELECT "row" FROM \(staged("$map")))
            """
        )
    }

    func insert(_ table: TableLayout, _ result: inout Result) throws {
        let columns = loadedColumns(table)
        let list = columns.joined(separator: ", ")
        let values = columns.map { "s.\($0)" }.joined(separator: ", ")
        let parent =
            "(SELECT p.\"row\" FROM \(staged("$map")) p WHERE p.\"staged\" = s.\"$parent\")"
        try connection.run(
            """
            INSERT INTO main.\(table.sql) ("$id", "$parent", "$stamp", "$queries", \(list))
            SELECT x."row", \(parent), ?1, ?2, \(values)
            FROM \(staged(table.name)) s JOIN \(staged("$map")) x ON x."staged" = s."$id"
            WHERE x."kind" = \(Kind.new.rawValue)
            """,
            [.integer(stamp), .integer(query.bit)]
        )
        result.inserted += connection.changedRowCount
    }

    func mark(_ table: TableLayout) throws {
        // A row that is deleted here has only its copy; it is this query's when it comes back.
        for name in [table.name, table.baseName] where try catalog.exists(name) {
            try connection.run(
                """
                UPDATE main.\(name.sqlQuoted) SET "$queries" = "$queries" | ?1
                WHERE "$queries" & ?1 = 0 AND "$id" IN (SELECT "row" FROM \(staged("$map")))
                """,
                [.integer(query.bit)]
            )
        }
        try connection.execute(
            "DELETE FROM main.\"$gone\" WHERE \"row\" IN (SELECT \"row\" FROM \(staged("$map")))"
        )
    }
}
