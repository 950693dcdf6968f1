import ODataSQLite
import ODataSQL
import ODataTables
import StoreRecords

/// The end of a first load that went straight into the table of a set: its indexes are made, and each key has one row.
///
/// The application may have changed the set meanwhile: what it has created stands in the same table.
struct DirectLoadEnd {
    let catalog: TableCatalog
    let table: TableLayout
    let query: DefiningQuery
    private var connection: SQLiteConnection { catalog.connection }
    private var key: String {
        table.keyColumns.map { table.columns[$0].sql }.joined(separator: ", ")
    }

    /// Runs in a write transaction.
    ///
    /// A key that came twice keeps the row that came last, one that was created here its own row.
    /// - Returns: How many entities the load has brought.
    /// - Throws: ``StoreError`` where the service has sent entities without keys.
    func run(deltaLink: String?, etag: String?) throws -> Int {
        let hasOwn = try connection.integer("SELECT 1 FROM \"$local\" LIMIT 1") != nil
        let hadTwins = try PartialLoad(query).hasTwins(connection)
        let hidden = hasOwn ? try removeTwins() : 0
        try createIndexes()
        try requireKeys()
        try PartialLoad(query).forget(connection)
        let queries = DefiningQueries(connection)
        try queries.finish(query, deltaLink: deltaLink, etag: etag)
        // What the service has under a key of ours comes with the next download, as a conflict.
        if hadTwins || hidden > 0 { try queries.forgetDelta(of: query.name) }
        // No other query has brought any of them; counted like this, an index is enough.
        let all = try connection.integer("SELECT count(*) FROM \(table.sql)") ?? 0
        return Int(all - (hasOwn ? try ownCount() : 0))
    }

    /// Leaves one row of each key where the load was cut: until it goes on, the set is read and changed as it is.
    ///
    /// Pages overlap where entities move between them while they are read.
    func settleCut() throws {
        guard !key.isEmpty, try catalog.exists(table.name) else { return }
        let load = PartialLoad(query)
        _ = try load.discardUnfinished(from: table, connection)
        if try removeTwins() > 0 { try load.noteTwins(connection) }
        try removeEarlier()
    }

    private func ownCount() throws -> Int64 {
        try connection.integer("SELECT count(*) FROM \(table.sql) WHERE \"$queries\" = 0") ?? 0
    }

    /// Removes loaded rows whose keys were given to entities created here.
    private func removeTwins() throws -> Int {
        guard !key.isEmpty else { return 0 }
        try connection.run(
            """
            DELETE FROM \(table.sql) WHERE "$queries" <> 0 AND "$state" = 0
                AND (\(key)) IN (SELECT \(key) FROM \(table.sql) WHERE "$queries" = 0)
            """
        )
        return connection.changedRowCount
    }

    private func createIndexes() throws {
        do {
            try connection.savepoint { try catalog.createLackingIndexes(of: table) }
        } catch let error as SQLiteError where error.isUniquenessViolation {
            try removeEarlier()
            try catalog.createLackingIndexes(of: table)
        }
    }

    /// Of rows with one key the last stays, or that which is changed here.
    private func removeEarlier() throws {
        try connection.execute(
            """
            DELETE FROM \(table.sql) WHERE "$id" NOT IN (
                SELECT coalesce(max("$id") FILTER (WHERE "$state" <> 0), max("$id"))
                FROM \(table.sql) GROUP BY \(key))
                AND (\(table.columns[table.keyColumns[0]].sql)) IS NOT NULL
            """
        )
    }

    /// Refuses entities whose key neither their properties nor a rule of the convention says.
    private func requireKeys() throws {
        guard let first = table.keyColumns.first else { return }
        let nameless = try connection.integer(
            """
            SELECT 1 FROM \(table.sql)
            WHERE \(table.columns[first].sql) IS NULL AND "$queries" <> 0 LIMIT 1
            """
        )
        guard nameless == nil else {
            throw StoreError(.invalid, "the service sent entities without their key properties")
        }
    }
}
