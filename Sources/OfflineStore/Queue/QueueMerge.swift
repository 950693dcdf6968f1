import ODataSQLite
import StoreRecords
import ODataSQL
import ODataValues
import ODataTables

/// Makes one request of two: where the application asks for it, and always inside a transaction, whose change set can hold no two
/// requests for one entity (OData 4.01 Part 1 § 11.7.7.5).
///
/// The earlier request keeps its place. Nothing may refer to the entity in between: what refers to a created entity would come
/// before its creation, or see other values than it was made on.
struct QueueMerge {
    private let transaction: StoreTransaction
    private var connection: SQLiteConnection { transaction.connection }
    private var queue: RequestQueue { RequestQueue(connection) }

    init(_ transaction: StoreTransaction) {
        self.transaction = transaction
    }

    /// Makes an update part of the creation or update that waits before it; answers whether it did.
    func absorb(
        _ body: EntityBody,
        isReplacing: Bool,
        involved: RequestQueue.Involved
    ) throws -> Bool {
        guard let affected = involved.affected,
            let earlier = try candidate(for: affected.row),
            try isMergeable(earlier, for: affected),
            try comesBefore(involved.referred, earlier: earlier)
        else { return false }
        try Correction(transaction).extend(
            earlier,
            with: body,
            isReplacing: isReplacing,
            involved: involved
        )
        return true
    }

    /// Takes back a creation that waits, since its entity is to be deleted; answers whether nothing is left to send.
    ///
    /// Inside a transaction an update that waits goes too: the deletion stands for both.
    func cancel(deletionOf entity: RowReference) throws -> Bool {
        let entries = try queue.entries(forRow: entity.row)
        guard let first = entries.first(where: isOpen) else { return false }
        let waiting = entries.drop { $0.id != first.id }
        guard waiting.allSatisfy(isOpen), try isMergeable(first, for: entity) else { return false }
        let closure = try [first.id] + queue.dependents(of: first.id)
        let own = Set(waiting.map(\.id))
        guard closure.allSatisfy(own.contains) else { return false }
        if first.isCreation {
            try QueueEditor(connection, schema: transaction.schema).dropAlone([first.id])
            return true
        }
        if first.transaction != nil {
            try QueueEditor(connection, schema: transaction.schema).dropAlone(own)
        }
        return false
    }

    /// Refuses a second request for an entity in one transaction.
    func checkTransaction(_ entity: RowReference, url: String) throws {
        guard
            let name = try transaction.groupName(
                transaction.options.transaction,
                affected: entity,
                url: url
            )
        else {
            return
        }
        let other = try queue.entries(forRow: entity.row)
            .first { $0.transaction == name && $0.status != .failed && !$0.isLinkChange }
        guard let other else { return }
        throw EditError(
            .invalid,
            "transaction \(name) has request \(other.id) for this entity already, and the two cannot be made one: a transaction holds one request for each entity"
        )
    }

    // MARK: Conditions

    private func isOpen(_ entry: QueueEntry) -> Bool {
        entry.status == .pending && !entry.flags.contains(.unmodifiable)
            && (entry.isChangeOfValues || entry.isCreation)
    }

    /// The last request that is about a row, where it carries values and waits.
    private func candidate(for row: Int64) throws -> QueueEntry? {
        guard let last = try queue.entries(forRow: row).last, isOpen(last), last.isChangeOfValues
        else { return nil }
        let later = try connection.integer(
            """
            SELECT 1 FROM "$refers" r JOIN "$queue" q ON q."id" = r."request"
            WHERE r."row" = ?1 AND q."position" > (SELECT "position" FROM "$queue" WHERE "id" = ?2)
            """,
            [.integer(row), .integer(last.id)]
        )
        return later == nil ? last : nil
    }

    private func isMergeable(_ earlier: QueueEntry, for entity: RowReference) throws -> Bool {
        let options = transaction.options
        let own = try transaction.groupName(options.transaction, affected: entity, url: earlier.url)
        guard own == earlier.transaction, options.optimizes || own != nil,
            !options.flags.contains(.unmodifiable)
        else { return false }
        return try transaction.groupName(options.category, affected: entity, url: earlier.url)
            == earlier.category && transaction.headerLines() == earlier.headers
    }

    /// Whether the entities that a body names are there before an earlier request.
    private func comesBefore(_ rows: [Int64], earlier: QueueEntry) throws -> Bool {
        let journal = EffectJournal(connection)
        for row in rows {
            guard let creator = try journal.creator(of: row) else { continue }
            let isBefore = try connection.integer(
                """
                SELECT 1 FROM "$queue" a, "$queue" b
                WHERE a."id" = ?1 AND b."id" = ?2 AND a."position" < b."position"
                """,
                [.integer(creator), .integer(earlier.id)]
            )
            if isBefore == nil { return false }
        }
        return true
    }
}
