import ODataSQLite
import StoreRecords
import ODataSQL
import ODataValues
import ODataTables

/// Puts the values of a merge into the waiting requests of an entity, so that no rejected value is sent before them.
///
/// The requests for values of the entity become one, in the place of the last: what it names is known there. Requests that cannot
/// become one, members of transactions and those that the application has closed to changes, each get the values.
struct ConflictMerge {
    private let editor: QueueEditor
    private let entity: ChangedEntity
    private let transaction: StoreTransaction
    private var connection: SQLiteConnection { editor.connection }

    init(_ editor: QueueEditor, of entity: ChangedEntity) {
        self.editor = editor
        self.entity = entity
        transaction = StoreTransaction(
            editor.connection,
            schema: editor.schema,
            options: ChangeOptions()
        )
    }

    /// Takes the values; answers false where no request for values waits.
    func take(_ body: EntityBody) throws -> Bool {
        let reference = RowReference(source: entity.source, row: entity.row)
        try transaction.refuseKeyChange(body, of: reference)
        let requests = try editor.queue.entries(forRow: entity.row).filter(\.isChangeOfValues)
        guard var last = requests.last else { return false }
        for earlier in requests.dropLast().reversed() where isJoinable(earlier, later: last) {
            last = try join(earlier, into: last)
        }
        let left = try editor.queue.entries(forRow: entity.row).filter(\.isChangeOfValues)
        for entry in left { try give(body, to: entry, reference: reference) }
        return true
    }

    private func isJoinable(_ earlier: QueueEntry, later: QueueEntry) -> Bool {
        earlier.transaction == nil && later.transaction == nil && !earlier.isCreation
            && earlier.status != .unknownOutcome && earlier.category == later.category
            && earlier.headers == later.headers
            && !earlier.flags.union(later.flags).contains(.unmodifiable)
    }

    private func body(of entry: QueueEntry) throws -> EntityBody? {
        guard let plan = editor.schema.plans.plan(for: entity.source) else { return nil }
        return try EntityBodyReader.read(
            Array((entry.body ?? "").utf8),
            plan: plan,
            in: editor.schema
        )
    }

    /// Lays the later request's values over the earlier one's; what waited for the earlier one waits for what that waited for.
    private func join(_ earlier: QueueEntry, into later: QueueEntry) throws -> QueueEntry {
        guard let values = try body(of: later) else { return later }
        let isReplacing = later.method == "PUT"
        let correction = Correction(transaction)
        var joined = later
        joined.body = try correction.merged(earlier, with: values, isReplacing: isReplacing)
        joined.method = isReplacing ? later.method : earlier.method
        let changed = [Scalar.integer(earlier.id), .integer(later.id)]
        try connection.run(
            "UPDATE \"$queue\" SET \"body\" = ?2, \"method\" = ?3 WHERE \"id\" = ?1",
            [.integer(later.id), .init(joined.body), .text(joined.method)]
        )
        for sql in [
            """
            INSERT OR IGNORE INTO "$depends" SELECT d."request", e."on" FROM "$depends" d, "$depends" e
            WHERE d."on" = ?1 AND e."request" = ?1
            """,
            "DELETE FROM \"$depends\" WHERE \"request\" = ?1 OR \"on\" = ?1",
        ] {
            try connection.run(sql, [.integer(earlier.id)])
        }
        // The effects of the earlier one were written first, and stay first.
        for sql in [
            "UPDATE \"$effect\" SET \"request\" = ?2 WHERE \"request\" = ?1",
            "UPDATE OR IGNORE \"$refers\" SET \"request\" = ?2 WHERE \"request\" = ?1",
        ] {
            try connection.run(sql, changed)
        }
        try editor.queue.remove(earlier.id)
        return joined
    }

    /// Gives one request the values.
    private func give(
        _ body: EntityBody,
        to entry: QueueEntry,
        reference: RowReference
    ) throws {
        let recorder = ChangeRecorder(transaction.rows, flags: entry.flags)
        let referred = try transaction.referredRows(body)
        try transaction.editor(recorder).update(reference, with: body, isReplacing: false)
        try Correction(transaction).extend(
            entry,
            with: body,
            isReplacing: false,
            involved: transaction.involved(reference, referred: referred, recorder: recorder),
            readingETag: false
        )
    }
}
