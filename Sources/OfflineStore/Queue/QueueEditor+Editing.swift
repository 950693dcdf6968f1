import StoreRecords
import ODataSQL
import ODataSQLite
import ODataValues
import StoreUpload
import ODataTables

/// New bodies for waiting and refused requests.
extension QueueEditor {
    /// Replaces the body of a request; its effect on the store follows, and a refused request waits again.
    ///
    /// - Throws: ``StoreError`` where the request is on its way or carries no values; `PayloadError`, `EditError` where the body
    ///   breaks a rule.
    package func edit(_ id: Int64, body text: [UInt8], consent: Consent = .onlyUnsent) throws {
        let entry = try entry(id)
        try check(entry, consent: consent)
        guard entry.isChangeOfValues, let row = entry.row, let table = table(of: entry),
            let plan = try ChangedEntity(row: row, table: table, source: table.source)
                .plan(on: connection, in: schema)
        else {
            throw StoreError(
                .invalid,
                "request \(id) (\(entry.method) \(entry.url)) carries no values of an entity; drop it, and make the change anew"
            )
        }
        guard var body = try EntityBodyReader.readStrictly(text, plan: plan, in: schema) else {
            throw StoreError(.invalid, "the body is no entity")
        }
        if entry.isCreation { try keepKey(of: entry, in: table, body: &body) }
        let transaction = StoreTransaction(connection, schema: schema, options: ChangeOptions())
        let entity = RowReference(source: table.source, row: row)
        if entry.isCreation {
            try editCreation(entry, of: entity, in: table, body: body, transaction: transaction)
        } else {
            try transaction.refuseKeyChange(body, of: entity)
            try editUpdate(entry, of: entity, body: body, in: transaction)
        }
        try setBody(of: entry, body: body, in: transaction)
        try makePending(id)
    }

    private func setBody(
        of entry: QueueEntry,
        body: EntityBody,
        in transaction: StoreTransaction
    ) throws {
        try connection.run(
            "UPDATE \"$queue\" SET \"body\" = ?2 WHERE \"id\" = ?1",
            [.integer(entry.id), .text(transaction.json(body))]
        )
    }

    /// Gives a waiting update other values, in its effect and in its body.
    func replaceValues(
        of entry: QueueEntry,
        entity: RowReference,
        body: EntityBody,
        in transaction: StoreTransaction
    ) throws {
        try editUpdate(entry, of: entity, body: body, in: transaction)
        try setBody(of: entry, body: body, in: transaction)
    }

    /// Takes the old values back and applies the new ones in the same place of the queue.
    private func editUpdate(
        _ entry: QueueEntry,
        of entity: RowReference,
        body: EntityBody,
        in transaction: StoreTransaction
    ) throws {
        try undo([entry]) { try journal.remove(entry.id) }
        let recorder = ChangeRecorder(transaction.rows, flags: entry.flags)
        let editor = transaction.editor(recorder)
        try editor.update(entity, with: body, isReplacing: entry.method == "PUT")
        try apply(recorder.effects, of: entry, entity: entity, body: body, in: transaction)
    }

    /// The copy of a created row is the row as it was created: the new values go there.
    private func editCreation(
        _ entry: QueueEntry,
        of entity: RowReference,
        in table: TableLayout,
        body: EntityBody,
        transaction: StoreTransaction
    ) throws {
        let old = try journal.effects(of: entry.id)
        guard body.inline.isEmpty, old.count(where: \.isInsertion) == 1 else {
            throw StoreError(
                .invalid,
                "request \(entry.id) creates several entities: change each of them by itself, and the request follows; or take it back"
                    + " and create them anew"
            )
        }
        try changeKey(of: entity, in: table, body: body)
        try ChangeRecorder(transaction.rows, flags: entry.flags).keepBase(of: entity.row, in: table)
        try undo([entry]) {
            try journal.remove(entry.id)
            if !entry.flags.contains(.insertsOwnRow) {
                try journal.add(old.filter(\.isInsertion), of: entry.id)
            }
        }
        let recorder = ChangeRecorder(transaction.rows, flags: entry.flags)
        recorder.isEditingCreation = true
        try transaction.editor(recorder).update(
            entity,
            with: withKnownKey(body, of: entity, in: table, transaction: transaction),
            isReplacing: true,
            keepsRelations: false
        )
        let own = ChangedRow(table: table.name, row: entity.row)
        for case .set(let name, let row, let column, let value) in recorder.effects
        where row == entity.row {
            let effect = ChangeEffect.set(table: name, row: row, column: column, value: value)
            try rebuild.apply([effect], to: row, in: table, named: table.baseName)
        }
        let others = recorder.effects.filter { $0.row != own }
        try apply(others, of: entry, entity: entity, body: body, in: transaction)
    }

    /// A creation keeps the key that it was given here where the new body names none.
    private func keepKey(of entry: QueueEntry, in table: TableLayout, body: inout EntityBody) throws
    {
        guard let former = try QueuedBody.read(entry, in: schema) else { return }
        for slot in table.keyColumns where body.value(of: slot) == nil {
            guard let value = former.value(of: slot) else { continue }
            body.set(value, slot: slot)
        }
    }

    /// A creation may be given another key, where the first is another entity's; what refers to the entity follows.
    private func changeKey(of entity: RowReference, in table: TableLayout, body: EntityBody) throws
    {
        let rows = RowEditor(connection, layout: layout)
        guard let values = try rows.values(of: entity.row, in: table) else { return }
        let key = table.keyColumns.map { body.value(of: $0) ?? values[$0] }
        guard key != table.keyColumns.map({ values[$0] }), !key.contains(.null) else { return }
        let parent = try rows.heldParent(of: entity.row, in: table)
        guard try rows.row(withKey: key, in: table, parent: parent) == nil else {
            throw StoreError(
                .invalid,
                "an entity with this key is in the store already: give another"
            )
        }
        try KeyChange(connection, schema: schema).set(key, of: entity.row, in: table)
        try TheirCopy(connection, schema: schema).release(entity.row, in: table, unless: key)
    }

    /// A creation keeps the foreign key that made it a child unless the body names another.
    private func withKnownKey(
        _ body: EntityBody,
        of entity: RowReference,
        in table: TableLayout,
        transaction: StoreTransaction
    ) throws -> EntityBody {
        try transaction.refuseKeyChange(body, of: entity)
        var body = body
        let values = try transaction.rows.values(of: entity.row, in: table) ?? []
        for (slot, value) in values.enumerated()
        where UnknownValue.isUnknown(value, in: table.columns[slot])
            && body.value(of: slot) == nil
        {
            body.set(value, slot: slot)
        }
        return body
    }

    private func apply(
        _ effects: [ChangeEffect],
        of entry: QueueEntry,
        entity: RowReference,
        body: EntityBody,
        in transaction: StoreTransaction
    ) throws {
        var involved = RequestQueue.Involved(
            affected: entity,
            referred: try transaction.referredRows(body)
                + CreatedPrincipals(transaction.rows).rows(named: effects)
        )
        involved.effects = effects
        try queue.relate(entry.id, involved: involved, isNew: false)
        try undo([entry]) {}
    }
}
