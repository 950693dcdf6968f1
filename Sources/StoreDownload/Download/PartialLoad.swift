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
    private var timeKey: String { "begun:" + query.name }

    /// When the first page was asked for, RFC 3339.
    func begun(_ connection: SQLiteConnection) throws -> String? {
        guard case .text(let time)? = try connection.metaValue(timeKey) else { return nil }
        return time
    }

    /// Writes down that all rows so far belong to whole pages; with the link to the next page, in one transaction.
    func markComplete(upTo row: Int64, _ connection: SQLiteConnection) throws {
        try connection.setMetaValue(key, to: .integer(row))
    }

    /// Removes the rows of an unfinished page; all rows where the load begins anew.
    ///
    /// Rows that were created here stay.
    func discard(from table: TableLayout, begun: String, _ connection: SQLiteConnection) throws {
        var complete: Int64 = 0
        let link = try DefiningQueries(connection).all().first { $0.name == query.name }?.nextLink
        if link != nil, case .integer(let row)? = try connection.metaValue(key) { complete = row }
        if link == nil { try connection.setMetaValue(timeKey, to: .text(begun)) }
        try connection.run(
            "DELETE FROM \(table.sql) WHERE \"$id\" > ?1 AND \"$queries\" & ?2 <> 0",
            [.integer(complete), .integer(query.bit)]
        )
    }

    /// Forgets the note once the load is complete.
    func forget(_ connection: SQLiteConnection) throws {
        try connection.removeMetaValue(key)
        try connection.removeMetaValue(timeKey)
    }
}
