package import ODataSQL
import StoreRecords
import ODataBinding
import ODataAnswers
package import ODataTables

/// What the call of an operation does to the store at once, as the application says; taken back with the call.
package typealias LocalEffect = @Sendable (CalledOperation, EffectWriting) throws -> Void

/// A call that an effect is asked for.
package struct CalledOperation {
    /// Qualified name of the operation.
    package let name: String
    /// The entity that it is called on.
    package let entity: RowReference?
    /// The parameters of an action as JSON; empty where there are none.
    package let body: [UInt8]
    /// Arguments in the URL by name, as written.
    package let arguments: [(name: String, text: String)]
}

/// The changes that belong to a call: they are sent with nothing, and wait for what the service makes of the call.
package struct EffectWriting {
    let transaction: StoreTransaction
    let recorder: ChangeRecorder

    /// The model with its tables.
    package var schema: TableSchema { transaction.schema }

    /// Reads the current rows, changes of this transaction included.
    package func query() throws -> TableQuery { try transaction.query() }

    /// Changes values of an existing entity.
    package func update(_ entity: RowReference, with body: EntityBody) throws {
        try transaction.refuseBuiltIn(entity.source)
        try transaction.refuseKeyChange(body, of: entity)
        guard body.inline.isEmpty else {
            throw EditError(.notSupported, "a local effect changes values and links of one entity")
        }
        try transaction.editor(recorder).update(entity, with: body, isReplacing: false)
    }

    /// Deletes an entity.
    package func delete(_ entity: RowReference) throws {
        try transaction.refuseBuiltIn(entity.source)
        try transaction.editor(recorder).delete(entity)
    }
}

extension StoreTransaction {
    /// Lets the application's effect of a call change the store; answers what it did.
    func applyEffect(
        of operation: BoundOperation,
        named name: String,
        on owner: RowReference?,
        _ body: [UInt8]
    ) throws -> [ChangeEffect] {
        guard let effect = localEffects[name] ?? localEffects[operation.name] else { return [] }
        let recorder = ChangeRecorder(rows, flags: options.flags)
        recorder.isEffectOfCall = true
        let call = CalledOperation(
            name: name,
            entity: owner,
            body: body,
            arguments: operation.arguments
        )
        try effect(call, EffectWriting(transaction: self, recorder: recorder))
        return recorder.effects
    }
}
