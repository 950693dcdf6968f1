import ODataSQL
import ODataValues
import ODataSQLite
import ODataBinding
import StoreRecords
import ODataModel
import ODataTables

/// Deltas say of an entity what has changed, perhaps in several entries and without its key (OData 4.01 Part 1 § 11.3).
extension StagedMerge {
    /// The SQL of a staged value; where the payload did not mention it, the value of the row below.
    func brought(_ column: String, in table: TableLayout, over row: String) -> String {
        // The answer need not identify a singleton, so it may leave its key out.
        if table.isSingleton, keyProperties(of: table).contains(column) {
            return "coalesce(s.\(column), \(row).\(column))"
        }
        guard isDelta || partialSources.contains(table.source) else { return "s.\(column)" }
        guard let known = table.columns.first(where: { $0.sql == column }) else {
            // A file has the whole of an entity, but for the properties that it does not select.
            guard !query.isImport || partialSources.contains(table.source) else {
                return "s.\(column)"
            }
            return joinedMembers(column, in: table, of: row, and: "s") ?? "s.\(column)"
        }
        let value = "s.\(column)"
        return
            "CASE WHEN \(isUnknown(value, column: known)) THEN \(row).\(column) ELSE \(value) END"
    }

    /// The SQL names of the key properties of a singleton's type; by them no row is found.
    private func keyProperties(of table: TableLayout) -> Set<String> {
        let paths = layout.model.key(of: table.entityType).map(\.path)
        return Set(
            table.columns.filter { paths.contains($0.path.joined(separator: "/")) }.map(\.sql)
        )
    }

    /// The SQL condition that the payload did not mention a value.
    func isUnknown(_ value: String, column: Column) -> String {
        UnknownValue.scalar(in: column) == .text("") ? "\(value) IS ''" : "\(value) IS x''"
    }

    /// The SQL condition that a row has a value in a column: one that is neither null nor unknown.
    func isKnown(_ column: Column, of row: String) -> String {
        let value = "\(row).\(column.sql)"
        return "\(value) IS NOT NULL AND NOT \(isUnknown(value, column: column))"
    }

    /// Gives staged rows without key the one that the request names, or that of their entity-id.
    ///
    /// - Throws: ``Refusal`` where nothing says which entity a row is: left out it would be lost, or taken for gone.
    func completeKeys(_ table: TableLayout) throws {
        guard let first = table.keyColumns.first, !table.isSingleton else { return }
        try takeKeyFromRequest(table)
        if namesByID { try readKeysFromIDs(table) }
        let column = table.columns[first]
        let nameless = try connection.integer(
            """
            SELECT count(*) FROM \(staged(table.name))
            WHERE \(column.sql) IS NULL OR \(isUnknown(column.sql, column: column))
            """
        )
        guard nameless != 0 else { return }
        throw Refusal(
            message:
                "the service sent entities of \(layout.model.name(of: table.source)) without key,"
                + " and with ids that are none of this service"
        )
    }

    /// An answer to `Set(key)` may leave the key out.
    private func takeKeyFromRequest(_ table: TableLayout) throws {
        guard !isDelta, table.source == ownSource,
            let path = EntityPath(ofService: query.url, in: schema.model),
            case .key(let key)? = path.steps.last,
            key.count == table.keyColumns.count
        else { return }
        let list = table.keyColumns.enumerated().map { "\(table.columns[$1].sql) = ?\($0 + 1)" }
        let first = table.columns[table.keyColumns[0]].sql
        try connection.run(
            "UPDATE \(staged(table.name)) SET \(list.joined(separator: ", ")) WHERE \(first) IS NULL",
            key
        )
    }

    private func readKeysFromIDs(_ table: TableLayout) throws {
        guard let first = table.keyColumns.first else { return }
        let column = table.columns[first]
        let rows = staged(table.name)
        var found: [(row: Int64, id: String)] = []
        try connection.forEachRow(
            """
            SELECT "$id", json_extract("$control", '$."@odata.id"') FROM \(rows)
            WHERE (\(column.sql) IS NULL OR \(isUnknown(column.sql, column: column)))
                AND "$control" IS NOT NULL
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
        let link = convention.normalized(id)
        guard !LinkConvention.isAbsolute(link),
            let path = EntityPath(ofService: link, in: schema.model),
            case .key(let key)? = path.steps.last
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
        let members = [SystemColumn.dynamic.sql, SystemColumn.exact.sql].map { column in
            (column, joinedMembers(column, in: table, of: "o", and: "n") ?? "n.\(column)")
        }
        let values = table.columns.map {
            (
                $0.sql,
                "CASE WHEN \(isUnknown("n." + $0.sql, column: $0)) THEN o.\($0.sql) ELSE n.\($0.sql) END"
            )
        }
        // Of one answer all parts are of one version; nested entities often come without their ETags.
        let etag = SystemColumn.etag.sql
        let version = isDelta ? [] : [(etag, "coalesce(n.\(etag), o.\(etag))")]
        let assignments = (values + members + version).map { "\($0) = \($1)" }
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
