import ODataModel
import ODataSQL
import ODataTables
import StoreRecords

/// Finds an entity that a request creates inside of another in the body of the request.
///
/// The body names no rows: the entities of a navigation property stand in it in the order in which their rows were made.
struct InlinePlace {
    private let transaction: StoreTransaction
    private let creation: QueueEntry

    init(_ transaction: StoreTransaction, creation: QueueEntry) {
        (self.transaction, self.creation) = (transaction, creation)
    }

    /// Changes the part of the body that makes a row; answers whether it was found without doubt.
    func change(
        _ row: Int64,
        in body: inout EntityBody,
        _ work: (inout EntityBody) -> Void
    ) throws -> Bool {
        guard let root = creation.row, let source = transaction.schema.source(of: creation) else {
            return false
        }
        let owner = RowReference(source: source, row: root)
        return try change(row, in: &body, of: owner, work)
    }

    private func change(
        _ row: Int64,
        in body: inout EntityBody,
        of owner: RowReference,
        _ work: (inout EntityBody) -> Void
    ) throws -> Bool {
        for index in body.inline.indices {
            let made = try made(body.inline[index].navigation, of: owner)
            guard made.count == body.inline[index].entities.count else { continue }
            for (place, item) in made.enumerated() {
                if item.row == row {
                    work(&body.inline[index].entities[place])
                    return true
                }
                if try change(row, in: &body.inline[index].entities[place], of: item, work) {
                    return true
                }
            }
        }
        return false
    }

    /// The rows that the request has made behind a navigation property, in the order in which they were made.
    private func made(_ navigation: NavigationPropertyID, of owner: RowReference) throws
        -> [RowReference]
    {
        let editor = transaction.editor(ChangeRecorder(transaction.rows, flags: []))
        let journal = EffectJournal(transaction.connection)
        return try editor.related(owner, id: navigation)
            .filter { try journal.creator(of: $0.row) == creation.id }
            .sorted { $0.row < $1.row }
    }
}
