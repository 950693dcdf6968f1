package import ODataSQL
package import ODataSQLite
import StoreRecords
import ODataValues
package import ODataTables

/// Rows on which the service has carried out a call, and rows with the key of an entity that was deleted from here: their values
/// and ETags at the service are unknown.
///
/// The next change of such a row reads the entity first. What the request from here may have changed there is no conflict, as long as
/// the change does not write over it.
package struct CalledRows {
    private static let key = "called"
    private let connection: SQLiteConnection
    private let schema: TableSchema

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        (self.connection, self.schema) = (connection, schema)
    }

    /// The rows that a request names, if it is a call.
    func rows(namedBy entry: QueueEntry) throws -> Set<Int64> {
        guard entry.flags.contains(.operation) else { return [] }
        var named: Set<Int64> = []
        try connection.forEachRow(
            "SELECT \"row\" FROM \"$refers\" WHERE \"request\" = ?1",
            [.integer(entry.id)]
        ) { named.insert($0.integer(0)) }
        return named
    }

    /// The rows that are named by calls which are at the service: what changes them goes when the calls are answered.
    func beingCalled() throws -> Set<Int64> {
        var named: Set<Int64> = []
        try connection.forEachRow(
            """
            SELECT r."row" FROM "$queue" q JOIN "$refers" r ON r."request" = q."id"
            WHERE q."status" = 'sending' AND q."flags" & \(QueueEntry.Flags.operation.rawValue) <> 0
            """
        ) { named.insert($0.integer(0)) }
        return named
    }

    /// The rows whose deletion is at the service.
    func beingDeleted() throws -> Set<Int64> {
        Set(
            try RequestQueue(connection).entries([.sending]).filter(\.isDeletion)
                .compactMap(\.row)
        )
    }

    /// Remembers the rows that a call has named, once it was carried out.
    func note(_ entry: QueueEntry) throws {
        try note(rows(namedBy: entry))
    }

    /// Remembers rows that a request about something else may have changed.
    func note(_ named: Set<Int64>) throws {
        guard !named.isEmpty else { return }
        try StaleRows(RowEditor(connection, layout: schema.layout)).note(Array(named))
        try add(named)
    }

    /// The same for rows of one table.
    package func note(_ named: Set<Int64>, in table: TableLayout) throws {
        guard !named.isEmpty else { return }
        let stale = StaleRows(RowEditor(connection, layout: schema.layout))
        for row in named { try stale.note(row, in: table) }
        try add(named)
    }

    private func add(_ named: Set<Int64>) throws {
        try connection.setMetaIDs(
            Self.key,
            to: Set(connection.metaIDs(Self.key)).union(named).sorted()
        )
    }

    func contains(_ row: Int64) throws -> Bool {
        try connection.metaIDs(Self.key).contains(row)
    }

    /// Forgets a row: it was read.
    func remove(_ row: Int64) throws {
        let known = try connection.metaIDs(Self.key)
        guard known.contains(row) else { return }
        try connection.setMetaIDs(Self.key, to: known.filter { $0 != row })
    }

    /// Forgets all, once a download has brought everything.
    package func forget() throws {
        try connection.removeMetaValue(Self.key)
    }
}
