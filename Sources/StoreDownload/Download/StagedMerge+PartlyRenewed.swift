import ODataSQL
import ODataSQLite
import ODataTables
import ODataValues
import StoreRecords
import StoreUpload

/// ETags that are newer than some of the values beside them.
///
/// A query that selects some properties brings the ETag of the whole entity. What it does not bring may be of an older version, and a
/// change that is sent with the new ETag would write over what others have changed.
extension StagedMerge {
    /// A row whose ETag a query has renewed, and the columns that the query brings.
    struct PartlyRenewed {
        var row: Int64
        var table: TableLayout
        var columns: Set<Int>
        /// The ETag that the query has brought.
        var etag: String
        /// Whether the row was known in another version: the service has changed it, and not only told its ETag.
        var isChanged: Bool
    }

    /// The known rows of a table that get another ETag and have values which the query does not bring.
    ///
    /// The first ETag of what was created here is that of the values that were sent.
    func partlyRenewed(_ table: TableLayout) throws -> [PartlyRenewed] {
        guard partialSources.contains(table.source) else { return [] }
        let columns = QuerySelection.columns(of: query, table, in: schema)
        var rows: [Int64: PartlyRenewed] = [:]
        for name in try catalog.versions(of: table) {
            try connection.forEachRow(
                """
                SELECT m."$id", s."$etag", nullif(m."$etag", '\(ETagState.stale)') IS NOT NULL FROM \(staged(table.name)) s
                JOIN \(staged("$map")) x ON x."staged" = s."$id"
                JOIN main.\(name.sqlQuoted) m ON m."$id" = x."row"
                WHERE \(Self.hasOtherETag("m")) AND (\(hasValues(besides: columns, in: table)))
                    AND NOT (m."$etag" IS NULL AND m."$state" & \(RowState.local.rawValue) <> 0)
                """
            ) { found in
                let row = found.integer(0)
                rows[row] = PartlyRenewed(
                    row: row,
                    table: table,
                    columns: columns,
                    etag: found.string(1),
                    isChanged: found.integer(2) != 0 || rows[row]?.isChanged ?? false
                )
            }
        }
        return Array(rows.values)
    }

    /// Lets the ETags of rows be read before the next change is sent, unless the queries of this download have brought all their values.
    ///
    /// What no query brings at all, since it was written here, is of an older version where the service has changed the entity: it is
    /// unknown from then on.
    func settle(_ renewed: [PartlyRenewed], among merges: [StagedMerge]) throws {
        guard !renewed.isEmpty else { return }
        let names = try stagedNames()
        for (name, group) in Dictionary(grouping: renewed, by: \.table.name) {
            let bringing = merges.filter {
                names.contains(StagingFile.name(of: name, query: $0.query))
            }
            let mixed = try group.filter { try isMixed($0, among: bringing) }
            guard let table = group.first?.table else { continue }
            let outdated = mixed.filter(\.isChanged).map(\.row)
            try LapsedRows(connection, schema: schema).forgetUnbrought(outdated, in: table)
            let left = try mixed.filter {
                try !keepsFormerETag($0) && (!$0.isChanged || isMixed($0, among: bringing))
            }
            try CalledRows(connection, schema: schema).note(Set(left.map(\.row)), in: table)
        }
    }

    /// Whether waiting changes of a row go under the ETag that they were made on: the service refuses them where the entity is another
    /// version by now, and a look at it here would find the newest ETag and none of what others have changed.
    private func keepsFormerETag(_ renewed: PartlyRenewed) throws -> Bool {
        let base = renewed.table.baseName
        guard try catalog.exists(base) else { return false }
        return try connection.integer(
            """
            SELECT 1 FROM main.\(base.sqlQuoted)
            WHERE "$id" = ?1 AND nullif("$etag", '\(ETagState.stale)') IS NOT NULL AND "$etag" <> ?2
            """,
            [.integer(renewed.row), .text(renewed.etag)]
        ) != nil
    }

    /// Whether a row has values that no query of this download has brought in its version.
    private func isMixed(_ renewed: PartlyRenewed, among merges: [StagedMerge]) throws -> Bool {
        let table = renewed.table
        var columns = renewed.columns
        for merge in merges where try merge.hasBrought(renewed.row, in: table) {
            guard merge.partialSources.contains(table.source) else { return false }
            columns.formUnion(QuerySelection.columns(of: merge.query, table, in: schema))
        }
        let condition = hasValues(besides: columns, in: table)
        return try catalog.versions(of: table).contains { name in
            try connection.integer(
                "SELECT 1 FROM main.\(name.sqlQuoted) m WHERE m.\"$id\" = ?1 AND (\(condition))",
                [.integer(renewed.row)]
            ) != nil
        }
    }

    /// Whether the query has brought a row in the version that the row is of now.
    private func hasBrought(_ row: Int64, in table: TableLayout) throws -> Bool {
        try connection.integer(
            """
            SELECT 1 FROM \(staged("$map")) x JOIN \(staged(table.name)) s ON s."$id" = x."staged"
            JOIN main.\(table.sql) m ON m."$id" = x."row"
            WHERE x."row" = ?1 AND (s."$etag" IS NULL OR s."$etag" = m."$etag") LIMIT 1
            """,
            [.integer(row)]
        ) != nil
    }

    /// The SQL condition that a row has values, of other properties than some, that a download has brought or that were changed here.
    private func hasValues(besides columns: Set<Int>, in table: TableLayout) -> String {
        let others = table.columns.indices.filter {
            !columns.contains($0) && table.columns[$0].keyIndex == nil
        }
        let values = others.map { isKnown(table.columns[$0], of: "m") }
        return Self.anyOf(values + ["m.\(SystemColumn.dynamic.sql) IS NOT NULL"])
    }
}
