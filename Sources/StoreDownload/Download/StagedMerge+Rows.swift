import ODataAnswers
import ODataSQL
import StoreRecords
import ODataSQLite
import ODataValues
import ODataTables

/// Merges staged rows without local changes: the staged values replace them.
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

    /// The SQL conditions that staged values are others than those of a row, but for the ETag.
    func differences(_ columns: [String], in table: TableLayout, over row: String) -> [String] {
        let json = Set(table.columns.filter { $0.kind == .json }.map(\.sql)).union([
            SystemColumn.dynamic.sql
        ])
        return columns.filter { $0 != SystemColumn.etag.sql }.map { column in
            Self.difference(
                "\(row).\(column)",
                brought(column, in: table, over: row),
                isJSON: json.contains(column)
            )
        }
    }

    /// The SQL condition that a held value is another than one that was brought; JSON may be written in several ways.
    private static func difference(_ held: String, _ brought: String, isJSON: Bool) -> String {
        let differs = "\(held) IS NOT \(brought)"
        return isJSON ? "(\(differs) AND NOT odata_same(\(held), \(brought)))" : differs
    }

    /// The same, but for values that the row does not know, since no download has brought the property yet.
    func changes(_ columns: [Column], in table: TableLayout, over row: String) -> [String] {
        columns.map { column in
            let held = "\(row).\(column.sql)"
            let difference = Self.difference(
                held,
                brought(column.sql, in: table, over: row),
                isJSON: column.kind == .json
            )
            return "\(difference) AND NOT \(isUnknown(held, column: column))"
        }
    }

    /// The SQL condition that staged values, of some columns or dynamic ones, are others than those that a row knows.
    func hasOtherValues(_ columns: [Column], in table: TableLayout, over row: String) -> String {
        Self.anyOf(
            changes(columns, in: table, over: row)
                + differences([SystemColumn.dynamic.sql], in: table, over: row)
        )
    }

    /// The SQL condition that the service has stated another ETag than a row has.
    static func hasOtherETag(_ row: String) -> String {
        "(s.\"$etag\" IS NOT NULL AND \(row).\"$etag\" IS NOT s.\"$etag\")"
    }

    /// The SQL of the ETag that a row has with what was staged.
    ///
    /// Services leave the ETag out of nested entities and of those of which they send some properties: an ETag that is known stays
    /// with the version that it was stated for, and has to be read where the entity is another version by now.
    func etag(_ table: TableLayout, over row: String) -> String {
        let differs = hasOtherValues(table.columns, in: table, over: row)
        return """
            CASE WHEN s."$etag" IS NOT NULL THEN s."$etag" WHEN \(row)."$etag" IS NULL THEN NULL
                WHEN \(differs) THEN '\(ETagState.stale)' ELSE \(row)."$etag" END
            """
    }

    /// The SQL that gives a row, or a copy of it, what was staged.
    func assignments(_ table: TableLayout, over row: String, keepingETag: Bool = false) -> String {
        loadedColumns(table).filter { !keepingETag || $0 != SystemColumn.etag.sql }.map { column in
            let isETag = column == SystemColumn.etag.sql
            let value = isETag ? etag(table, over: row) : brought(column, in: table, over: row)
            return "\(column) = \(value)"
        }
        .joined(separator: ", ")
    }

    func update(_ table: TableLayout, into result: inout Result) throws {
        var columns = loadedColumns(table)
        var silent: [String] = []
        if hasStreams(table) { (columns, silent) = withoutControl(columns) }
        let stated = silent.map { Self.statesOthers("m.\($0)", brought($0, in: table, over: "m")) }
        try update(
            table,
            where: differences(columns, in: table, over: "m") + stated + [Self.hasOtherETag("m")]
        )
        result.updated += connection.changedRowCount
        // What the answer with a stream has said of it stands with the entity, which need not say it: no change of the entity.
        if !silent.isEmpty {
            try update(table, where: differences(silent, in: table, over: "m"))
        }
        // What was changed here and has come back is the service's again.
        try connection.run(
            """
            UPDATE main.\(table.sql) SET "$state" = "$state" & ~\(RowState.local.rawValue)
            WHERE "$state" & \(RowState.local.rawValue) <> 0 AND "$state" & \(RowState.waiting.rawValue) = 0
                AND "$id" IN (SELECT "row" FROM \(staged("$map")))
            """
        )
    }

    private func update(_ table: TableLayout, where conditions: [String]) throws {
        try connection.run(
            """
            UPDATE main.\(table.sql) AS m SET \(assignments(table, over: "m")), "$stamp" = ?1
            FROM \(staged(table.name)) s JOIN \(staged("$map")) x ON x."staged" = s."$id"
            WHERE m."$id" = x."row" AND x."kind" = \(Kind.known.rawValue)
                AND m."$state" & \(RowState.waiting.rawValue) = 0 AND (\(Self.anyOf(conditions)))
            """,
            [.integer(stamp)]
        )
    }

    private func hasStreams(_ table: TableLayout) -> Bool {
        table.types.contains(where: layout.model.hasStreams)
    }

    private func withoutControl(_ columns: [String]) -> (others: [String], control: [String]) {
        let control = SystemColumn.control.sql
        return (columns.filter { $0 != control }, columns.filter { $0 == control })
    }

    /// The SQL condition that JSON which was brought states something else than what is held.
    private static func statesOthers(_ held: String, _ brought: String) -> String {
        let (held, brought) = ("coalesce(\(held), '{}')", "coalesce(\(brought), '{}')")
        return "NOT odata_same(json_patch(\(held), \(brought)), \(held))"
    }

    /// The staged values contain no pending change, since the service does not know those.
    func settleBases(_ table: TableLayout) throws {
        guard try catalog.exists(table.baseName) else { return }
        try connection.execute(
            """
            UPDATE main.\(table.baseName.sqlQuoted) SET "$state" = "$state" & ~\(RowState.local.rawValue)
            WHERE "$id" IN (SELECT "row" FROM \(staged("$map")))
            """
        )
    }

    func insert(_ table: TableLayout, into result: inout Result) throws {
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

    /// Removes the gone marks of rows that were downloaded again.
    private func takeBackGone(_ table: TableLayout) throws {
        let rows = try GoneMarks(connection)
            .remove(selection: "SELECT \"row\" FROM \(staged("$map"))")
        for row in rows { try RowRebuild(connection, layout: layout).updateState(of: row, table) }
    }

    func mark(_ table: TableLayout) throws {
        try mark(table, where: "\"$id\" IN (SELECT \"row\" FROM \(staged("$map")))")
        try takeBackGone(table)
    }

    /// Gives the query's mark to the rows of a table that meet a condition.
    func mark(_ table: TableLayout, where condition: String) throws {
        // A row that is deleted here has only its copy; it is this query's when it comes back.
        for name in try catalog.versions(of: table) {
            try connection.run(
                """
                UPDATE main.\(name.sqlQuoted) SET "$queries" = "$queries" | ?1
                WHERE "$queries" & ?1 = 0 AND \(condition)
                """,
                [.integer(query.bit)]
            )
        }
    }
}
