import ODataSQL
import ODataTables

/// What a delta does not mention stays, also of the columns that hold members of JSON objects (OData JSON 4.01 § 15.3).
extension StagedMerge {
    /// The SQL of an object with the members of two rows; nil where a column holds no members of the entity.
    ///
    /// - Parameters:
    ///   - row: The row whose members stay where the other one says nothing of them.
    ///   - came: The row that came later.
    func joinedMembers(_ column: String, in table: TableLayout, of row: String, and came: String)
        -> String?
    {
        let (old, new) = ("\(row).\(column)", "\(came).\(column)")
        let joined: String
        switch column {
        case SystemColumn.dynamic.sql: joined = properties(old, new)
        case SystemColumn.exact.sql:
            joined =
                "json_patch(\(unmentionedTexts(old, in: table, came: came)), coalesce(\(new), '{}'))"
        default: return nil
        }
        return "CASE WHEN \(old) IS NULL THEN \(new) ELSE nullif(\(joined), '{}') END"
    }

    /// The SQL of the dynamic properties of both: of one that was sent the whole value is replaced, with its type.
    ///
    /// The operator `->` answers the very text of a number.
    private func properties(_ old: String, _ new: String) -> String {
        """
        (SELECT json_group_object("name", json("json")) FROM (
            SELECT key AS "name", \(old) -> fullkey AS "json" FROM json_each(\(old))
            WHERE key NOT IN (SELECT key FROM json_each(\(new))
                UNION ALL SELECT key || '@odata.type' FROM json_each(\(new)))
            UNION ALL SELECT key, \(new) -> fullkey FROM json_each(\(new))))
        """
    }

    /// The SQL of the exact texts of values that were not sent.
    ///
    /// SQLite's functions take some hundred arguments at most.
    private func unmentionedTexts(_ old: String, in table: TableLayout, came: String) -> String {
        let paths = table.columns.map { column in
            let isUnknown = isUnknown("\(came).\(column.sql)", column: column)
            return "CASE WHEN \(isUnknown) THEN '$.\"$\"' ELSE '$.\"\(column.name)\"' END"
        }
        let size = 64
        return stride(from: 0, to: paths.count, by: size).reduce(old) { text, start in
            let part = paths[start..<min(start + size, paths.count)]
            return "json_remove(\(text), \(part.joined(separator: ", ")))"
        }
    }
}
