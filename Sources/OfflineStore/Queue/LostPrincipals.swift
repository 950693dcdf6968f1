import ODataAnswers
import ODataModel
import ODataSQL
import ODataTables
import ODataValues
import StoreRecords

/// What a waiting deletion means to an entity that holds the key of the deleted one only since another request was taken back.
///
/// The deletion ran without it. Its foreign key now becomes what the model's `OnDelete` says (OData CSDL 4.01 § 8.6), as an effect of
/// the deletion: whoever takes the deletion back gets the foreign key back as well.
struct LostPrincipals {
    private let editor: QueueEditor
    private let rows: RowEditor

    init(_ editor: QueueEditor) {
        self.editor = editor
        rows = editor.rebuild.rows
    }

    /// Releases rows that were rebuilt from principals that are deleted here.
    func release(_ changed: Set<ChangedRow>) throws {
        for item in changed.sorted(by: { $0.row < $1.row }) {
            guard let table = editor.layout.table(named: item.table),
                try rows.catalog.exists(table.name)
            else { continue }
            for relation in editor.layout.principals(of: table.source) {
                try release(item.row, in: table, from: relation)
            }
        }
    }

    private func release(
        _ row: Int64,
        in table: TableLayout,
        from relation: PrincipalRelation
    ) throws {
        guard let partner = editor.layout.partner(of: relation.navigation),
            editor.layout.model.target(of: partner, from: relation.target) == table.source,
            let action = editor.layout.model[partner].onDelete,
            [.setNull, .setDefault].contains(action),
            let deletion = try deletion(of: relation, heldBy: row, in: table)
        else { return }
        let recorder = ChangeRecorder(rows, flags: [])
        let entities = EntityEditor(rows, journal: recorder) { throw EditError.noSingleEntity($0) }
        do {
            try entities.release(
                RowReference(source: table.source, row: row),
                pairs: relation.pairs.map(\.flipped),
                action: action
            )
        } catch is EditError {
            // A key that can be neither null nor a default stays: the service decides about the deletion.
            return
        }
        try editor.journal.add(recorder.effects, of: deletion)
        // The deletion may have been refused.
        try editor.rebuild.updateState(of: row, table)
    }

    /// The waiting request that deletes the principal whose key a row holds; nil where the principal is there.
    private func deletion(
        of relation: PrincipalRelation,
        heldBy row: Int64,
        in table: TableLayout
    ) throws -> Int64? {
        guard let target = editor.layout[relation.target],
            let values = try rows.values(of: row, in: table)
        else { return nil }
        let principals = try rows.heldPrincipals(relation, of: values)
        guard try !principals.contains(where: { try editor.rebuild.has($0, in: target.name) })
        else { return nil }
        return try principals.compactMap(editor.journal.deleter).first
    }
}
