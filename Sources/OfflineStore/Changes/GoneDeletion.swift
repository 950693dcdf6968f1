import ODataSQLite
import StoreRecords
import ODataSQL
import StoreUpload
import ODataTables

/// The deletion of an entity here that the service has deleted too: that is no conflict, and nothing is left to send.
struct GoneDeletion {
    private let transaction: StoreTransaction
    private var connection: SQLiteConnection { transaction.connection }
    private var schema: TableSchema { transaction.schema }
    private var editor: QueueEditor { QueueEditor(connection, schema: schema) }
    private var rebuild: RowRebuild { RowRebuild(connection, layout: schema.layout) }

    init(_ transaction: StoreTransaction) {
        self.transaction = transaction
    }

    /// Removes the entity, what it contains, and the changes that wait on both; answers whether nothing is left to send.
    ///
    /// The changes are noted in the event log. A request that may be at the service keeps all of them: the deletion waits for it.
    func settle(_ entity: RowReference) throws -> Bool {
        guard try GoneMarks(connection).contains(entity.row),
            let table = schema.layout[entity.source]
        else {
            return false
        }
        guard try !AbsentRows(connection, schema: schema).isOpen(entity.row) else {
            // It has not come, which does not say that it is deleted: the service is asked to delete it.
            try forgetAbsence(of: entity)
            return false
        }
        let contained = try ContainedRows(connection, layout: schema.layout).below(entity.row).map(
            \.row
        )
        let (below, own) = (try requests(of: contained), try requests(of: [entity.row]))
        let unsent: Set<QueueEntry.Status> = [.pending, .parked, .failed]
        guard unsent.isSuperset(of: below.values), unsent.isSuperset(of: own.values) else {
            return false
        }
        // What is contained comes back before it goes with the entity.
        try editor.dropNoted(Set(below.keys))
        try editor.dropNoted(Set(own.keys).subtracting(below.keys))
        if try rebuild.has(entity.row, in: table.name) { try rebuild.remove(entity.row, in: table) }
        return true
    }

    /// The requests for rows; what waits for the creation of a contained entity has no object without it.
    private func requests(of rows: [Int64]) throws -> [Int64: QueueEntry.Status] {
        var found: [Int64: QueueEntry.Status] = [:]
        for entry in try rows.flatMap(editor.queue.entries(forRow:)) {
            found[entry.id] = entry.status
            guard entry.isCreation else { continue }
            for id in try editor.queue.dependents(of: entry.id) {
                found[id] = try editor.entry(id).status
            }
        }
        return found
    }

    private func forgetAbsence(of entity: RowReference) throws {
        try AbsentRows(connection, schema: schema).confirm(entity)
        try GoneMarks(connection).remove(entity.row)
    }
}
