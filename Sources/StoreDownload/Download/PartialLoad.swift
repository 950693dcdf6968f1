import StoreRecords
import ODataSQLite
import ODataValues
import ODataSQL
import ODataTables

/// What a first load that was cut has left in the store's table: whole pages, and after them rows of a page that was not finished.
struct PartialLoad {
    private let query: DefiningQuery

    init(_ query: DefiningQuery) {
        self.query = query
    }

    /// Where the largest row id of the whole pages is kept.
    private var key: String { "loaded:" + query.name }

    /// Where the time is kept at which the first page was asked for.
    private var timeKey: String { DefiningQueries.begunKey(of: query.name) }

    /// Where it is kept that loaded entities were removed for those created here with their keys.
    private var twinKey: String { "twins:" + query.name }

    /// When the first page was asked for, RFC 3339.
    func begun(_ connection: SQLiteConnection) throws -> String? {
        guard case .text(let time)? = try connection.metaValue(timeKey) else { return nil }
        return time
    }

    /// Writes down that all rows so far belong to whole pages; with the link to the next page, in one transaction.
    func markComplete(upTo row: Int64, _ connection: SQLiteConnection) throws {
        try connection.setMetaValue(key, to: .integer(row))
    }

    /// Removes the rows of an unfinished page.
    ///
    /// Rows that were created or changed here stay.
    /// - Returns: The largest row id of the whole pages; 0 where there is none.
    func discardUnfinished(from table: TableLayout, _ connection: SQLiteConnection) throws -> Int64
    {
        var complete: Int64 = 0
        if case .integer(let row)? = try connection.metaValue(key) { complete = row }
        try discard(from: table, after: complete, connection)
        return complete
    }

    /// Removes all rows, and the link to the page where an earlier load was cut: the load begins anew.
    func beginAnew(in table: TableLayout, begun: String, _ connection: SQLiteConnection) throws {
        try abandon(in: table, connection)
        try connection.setMetaValue(timeKey, to: .text(begun))
    }

    /// Removes all rows, and every note of the load.
    func abandon(in table: TableLayout, _ connection: SQLiteConnection) throws {
        try forget(connection)
        try DefiningQueries(connection).setNextLink(nil, of: query)
        try discard(from: table, after: 0, connection)
    }

    private func discard(
        from table: TableLayout,
        after complete: Int64,
        _ connection: SQLiteConnection
    ) throws {
        try connection.run(
            "DELETE FROM \(table.sql) WHERE \"$id\" > ?1 AND \"$queries\" & ?2 <> 0 AND \"$state\" = 0",
            [.integer(complete), .integer(query.bit)]
        )
    }

    /// Notes that the service has entities under keys that were given here.
    func noteTwins(_ connection: SQLiteConnection) throws {
        try connection.setMetaValue(twinKey, to: .integer(1))
    }

    func hasTwins(_ connection: SQLiteConnection) throws -> Bool {
        try connection.metaValue(twinKey) != nil
    }

    /// Forgets the note once the load is complete.
    func forget(_ connection: SQLiteConnection) throws {
        try connection.removeMetaValue(key)
        try connection.removeMetaValue(timeKey)
        try connection.removeMetaValue(twinKey)
    }
}
