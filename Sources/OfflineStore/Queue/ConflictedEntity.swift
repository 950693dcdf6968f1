package import ODataSQLite
import StoreRecords
import ODataSQL
import ODataValues
import ODataModel
package import ODataTables

/// An entity whose local changes meet another version of the service.
package struct ConflictedEntity: Sendable {
    /// What the local changes are.
    package enum Change: Sendable { case creation, update, deletion }

    /// URL relative to the service root.
    package let url: String
    /// Name of its entity set.
    package let entitySet: String
    package let change: Change
    /// Whether the service has deleted it.
    package let isGone: Bool
    /// The stream that alone is in conflict, as its URL names it behind the entity; nil where the entity itself is.
    package let stream: String?
    /// When the first of the changes was made, RFC 3339.
    package let changed: String

    /// Returns the entities in conflict, in the order in which they were first changed.
    package static func all(_ connection: SQLiteConnection, schema: TableSchema) throws
        -> [ConflictedEntity]
    {
        var seen: Set<Int64> = []
        var found: [ConflictedEntity] = []
        let queue = RequestQueue(connection)
        for entry in try queue.entries([.pending, .parked, .failed, .unknownOutcome]) {
            guard let row = entry.row, seen.insert(row).inserted,
                let source = schema.source(of: entry),
                let table = schema.layout[source]
            else { continue }
            let entity = ChangedEntity(row: row, table: table, source: source)
            if let conflict = try ConflictedEntity(
                entity,
                first: entry,
                on: connection,
                schema: schema
            ) {
                found.append(conflict)
            }
        }
        return found
    }

    private init?(
        _ entity: ChangedEntity,
        first: QueueEntry,
        on connection: SQLiteConnection,
        schema: TableSchema
    ) throws {
        let rebuild = RowRebuild(connection, layout: schema.layout)
        isGone = try GoneMarks(connection).contains(entity.row)
        let isNewer = try rebuild.has(entity.row, in: entity.table.serverName)
        let refused = try StreamConflicts(connection).properties(on: entity.row).first
        stream = isGone || isNewer ? nil : refused.map { $0.isEmpty ? "$value" : $0 }
        guard isGone || isNewer || stream != nil,
            let link = try EntityLink(
                RowEditor(connection, layout: schema.layout),
                includesDeleted: true
            )
            .link(
                RowReference(source: entity.source, row: entity.row)
            )
        else { return nil }
        url = link
        entitySet = schema.model.name(of: entity.source)
        let isHere = try rebuild.has(entity.row, in: entity.table.name)
        change = first.isCreation ? .creation : isHere ? .update : .deletion
        changed =
            try connection.firstRow(
                "SELECT \"created\" FROM \"$queue\" WHERE \"id\" = ?1",
                [.integer(first.id)]
            ) { $0.string(0) } ?? ""
    }
}
