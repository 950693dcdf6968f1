package import ODataSQLite
import ODataSQL
import ODataModel
package import ODataTables

/// A store at a glance.
package struct StoreStatus: Sendable {
    package var serviceRoot: String?
    package var odataVersion: String?
    package var queries: [DefiningQuery]
    package var sets: [EntitySetStatus]
    package var queueCount: Int
    package var errorCount: Int
    /// The operation that was begun and not ended.
    package var interrupted: String?

    /// An entity set at a glance.
    package struct EntitySetStatus: Sendable {
        package var name: String
        package var rowCount: Int
        /// Entities on which a request waits or was refused, those among them that are deleted here.
        package var pendingCount: Int
        package var errorCount: Int
    }

    package init(_ connection: SQLiteConnection, schema: TableSchema?) throws {
        serviceRoot = try StoreState.serviceRoot(connection)
        odataVersion = schema?.model.version.rawValue
        queries = try DefiningQueries(connection).all()
        queueCount = Int(
            try connection.integer("SELECT count(*) FROM \"$queue\" WHERE \"status\" <> 'failed'")
                ?? 0
        )
        errorCount = Int(
            try connection.integer("SELECT count(*) FROM \"$queue\" WHERE \"status\" = 'failed'")
                ?? 0
        )
        interrupted = try StoreState.interrupted(connection)
        sets = try schema.map { try Self.sets($0, on: connection) } ?? []
    }

    private static func sets(
        _ schema: TableSchema,
        on connection: SQLiteConnection
    ) throws -> [EntitySetStatus] {
        let catalog = TableCatalog(connection, layout: schema.layout)
        // Entities that are deleted here have no row that could tell of them.
        let deleted = try EffectJournal(connection).deletedCounts()
        return try catalog.tables().compactMap { table in
            let gone = deleted[table.name] ?? (all: 0, refused: 0)
            return try connection.firstRow(
                """
                SELECT count(*), count(*) FILTER (WHERE "$state" & \(RowState.pending.rawValue) <> 0),
                    count(*) FILTER (WHERE "$state" & \(RowState.inError.rawValue) <> 0) FROM \(table.sql)
                """
            ) { row in
                EntitySetStatus(
                    name: schema.model.name(of: table.source),
                    rowCount: Int(row.integer(0)),
                    pendingCount: Int(row.integer(1)) + gone.all,
                    errorCount: Int(row.integer(2)) + gone.refused
                )
            }
        }
    }
}
