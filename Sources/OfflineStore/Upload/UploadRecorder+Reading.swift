import ODataModel
import ODataProtocol
package import ODataTables

/// What the engine learns by reading an entity whose change waits, or was sent.
extension UploadRecorder {
    /// Whether what the service has is the copy that the waiting changes were made on.
    ///
    /// Values that the service computes are left out: they may have moved with an earlier change from here.
    package func isBase(_ body: EntityBody, of entry: QueueEntry) throws -> Bool {
        guard let (row, table) = place(of: entry), try rows.catalog.exists(table.baseName),
            let base = try rows.values(of: row, in: table, named: table.baseName)
        else { return false }
        return body.values.allSatisfy { item in
            let column = table.columns[item.slot]
            return base[item.slot] == item.value || schema.isComputed(column)
                || UnknownValue.isUnknown(base[item.slot], in: column)
        }
    }

    /// Takes over an ETag that was read for an entity with waiting changes.
    package func takeReadETag(_ etag: String?, for entry: QueueEntry) throws {
        guard let (row, table) = place(of: entry) else { return }
        for name in [table.name, table.baseName] where try rows.catalog.exists(name) {
            try connection.run(
                "UPDATE \(name.sqlQuoted) SET \"$etag\" = ?2 WHERE \"$id\" = ?1",
                [.integer(row), Scalar(etag)]
            )
        }
        try connection.run(
            "UPDATE \"$queue\" SET \"etag\" = ?2 WHERE \"row\" = ?1",
            [.integer(row), Scalar(etag)]
        )
    }

    /// Writes down that the service has no more the entity that a waiting change is about.
    package func markGone(_ entry: QueueEntry) throws {
        guard let (row, table) = place(of: entry) else { return }
        try connection.run("INSERT OR IGNORE INTO \"$gone\" VALUES (?1)", [.integer(row)])
        guard try rows.catalog.exists(table.name) else { return }
        try connection.run(
            """
            UPDATE \(table.sql) SET "$state" = "$state" | \(RowState.conflict.rawValue)
            WHERE "$id" = ?1
            """,
            [.integer(row)]
        )
    }

    /// Takes the values that the service answered into the row, under the changes that still wait.
    func apply(_ body: EntityBody, to row: Int64, _ table: TableLayout) throws {
        let hasBase = try rebuild.has(row, in: table.baseName)
        let name = hasBase ? table.baseName : table.name
        try rows.update(row, in: table, with: body, named: name)
        guard hasBase else { return }
        try rebuild.rebuild([ChangedRow(table: table.name, row: row)], links: [])
    }

    private func place(of entry: QueueEntry) -> (row: Int64, table: TableLayout)? {
        guard let row = entry.row, let source = entry.source.flatMap({ schema.source(named: $0) }),
            let table = schema.layout[source]
        else { return nil }
        return (row, table)
    }
}

extension TableSchema {
    /// Whether the service computes a column's values: they may move with any change.
    func isComputed(_ column: Column) -> Bool {
        guard let name = column.path.first,
            let property = model.property(name, of: column.declaringType)
        else { return false }
        return property.isComputed || property.isConcurrencyToken
    }
}
