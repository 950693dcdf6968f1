import ODataModel
import ODataProtocol
import ODataTables

/// Deltas say of an entity what has changed, perhaps in several entries and without its key (OData 4.01 Part 1 § 11.3).
extension StagedMerge {
    /// The SQL of a staged value; where the payload did not mention it, the value of the row below.
    func brought(_ column: String, _ table: TableLayout, over row: String) -> String {
        guard isDelta || partialSources.contains(table.source),
            let known = table.columns.first(where: { $0.sql == column })
        else {
            return "s.\(column)"
        }
        let value = "s.\(column)"
        return "CASE WHEN \(isUnknown(value, known)) THEN \(row).\(column) ELSE \(value) END"
    }

    private func isUnknown(_ value: String, _ column: Column) -> String {
        UnknownValue.scalar(in: column) == .text("") ? "\(value) IS ''" : "\(value) IS x''"
    }

    /// Gives staged rows without key the one of their entity-id.
    func readKeysFromIDs(_ table: TableLayout) throws {
        guard let first = table.keyColumns.first else { return }
        let column = table.columns[first]
        let rows = staged(table.name)
        var found: [(row: Int64, id: String)] = []
        try connection.forEachRow(
            """
            SELECT "$id", json_extract("$control", '$."@odata.id"') FROM \(rows)
            WHERE \(isUnknown(column.sql, column)) AND "$control" IS NOT NULL
            """
        ) { if let id = $0.optionalString(1) { found.append(($0.integer(0), id)) } }
        for item in found {
            guard let key = try key(of: item.id, table), key.count == table.keyColumns.count else {
                continue
            }
            let list = table.keyColumns.enumerated().map { "\(table.columns[$1].sql) = ?\($0 + 2)" }
            try connection.run(
                "UPDATE \(rows) SET \(list.joined(separator: ", ")) WHERE \"$id\" = ?1",
                [.integer(item.row)] + key
            )
        }
        // An entry that names no entity says nothing.
        try connection.execute("DELETE FROM \(rows) WHERE \(isUnknown(column.sql, column))")
        try connection.execute(
            """
            UPDATE \(rows) SET "$control" = nullif(json_remove("$control", '$."@odata.id"'), '{}')
            WHERE "$control" IS NOT NULL
            """
        )
    }

    private func key(of id: String, _ table: TableLayout) throws -> [Scalar]? {
        if let found = try addressedRow(id), found.source == table.source {
            return try RowEditor(catalog).key(of: found.row, in: table)
        }
        guard
            let request = try? BoundRequest(
                ofService: ServiceRoot.relative(id, connection),
                in: schema.model
            ),
            case .entities(let path) = request.resource, case .key(let key)? = path.steps.last
        else { return nil }
        return key
    }

    /// Takes into the last entry of an entity what only earlier ones mention.
    func gatherChanges(_ table: TableLayout) throws {
        let rows = staged(table.name)
        var pairs: [(older: Int64, newer: Int64)] = []
        try connection.forEachRow(
            """
            SELECT "older", "staged" FROM (
                SELECT x."staged", lag(x."staged") OVER (PARTITION BY x."row" ORDER BY x."staged") AS "older"
                FROM \(staged("$map")) x JOIN \(rows) s ON s."$id" = x."staged")
            WHERE "older" IS NOT NULL ORDER BY "staged"
            """
        ) { pairs.append(($0.integer(0), $0.integer(1))) }
        let assignments = table.columns.map {
            "\($0.sql) = CASE WHEN \(isUnknown("n." + $0.sql, $0)) THEN o.\($0.sql) ELSE n.\($0.sql) END"
        }
        for pair in pairs {
            try connection.run(
                """
                UPDATE \(rows) AS n SET \(assignments.joined(separator: ", "))
                FROM \(rows) AS o WHERE n."$id" = ?2 AND o."$id" = ?1
                """,
                [.integer(pair.older), .integer(pair.newer)]
            )
        }
    }
}
