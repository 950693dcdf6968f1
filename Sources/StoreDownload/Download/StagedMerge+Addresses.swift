import StoreRecords
import ODataSQLite
import ODataSQL

/// Links of entities that are not those of the convention.
extension StagedMerge {
    private var addresses: EntityAddresses { EntityAddresses(connection) }

    /// Takes over the links that came; an entity that came without them has those of the convention.
    func mergeAddresses() throws {
        let hasCome = try stagedNames().contains(
            StagingFile.name(of: EntityAddresses.table, query: query)
        )
        guard try hasCome || addresses.areUsed() else { return }
        try EntityAddresses.create(connection)
        try connection.execute(
            "DELETE FROM main.\"$address\" WHERE \"row\" IN (SELECT \"row\" FROM \(staged("$map")))"
        )
        guard hasCome else { return }
        try connection.execute(
            """
            INSERT OR REPLACE INTO main."$address"
            SELECT x."row", a."table", a."id", a."edit", a."read"
            FROM \(staged(EntityAddresses.table)) a JOIN \(staged("$map")) x ON x."staged" = a."row"
            ORDER BY x."staged"
            """
        )
    }

    /// Finds the row that a service means by an id which is not that of the convention.
    func addressedRow(_ id: String) throws -> RowReference? {
        guard let found = try addresses.row(withID: convention.normalized(id)),
            let table = layout.table(named: found.table),
            try RowRebuild(connection, layout: layout).has(found.row, in: table.name)
        else { return nil }
        return RowReference(source: table.source, row: found.row)
    }
}
