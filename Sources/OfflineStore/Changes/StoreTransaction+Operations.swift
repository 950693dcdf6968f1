import ODataText
package import ODataBinding
import ODataSQL
import StoreRecords
import StoreUpload
import ODataSQLite
import ODataModel
import ODataAnswers
import ODataTables

/// Calls of actions and functions: queued for the upload, with no effect on the store but the one that the application gives them.
extension StoreTransaction: OperationWriting {
    package func call(
        _ operation: BoundOperation,
        method: String,
        url: String,
        body: [UInt8]
    ) throws {
        let declared = operation.operation.map { schema.model.operations[$0] }
        if method == "POST", declared?.kind == .function, schema.model.version.isV4 {
            throw EditError(.invalid, "\(operation.name) is a function: it is called by GET")
        }
        try check(body, operation: declared)
        let owner = try operation.binding.flatMap { path -> RowReference? in
            guard path.isSingle(in: schema.model) else { return nil }
            return try entity(at: path)
        }
        let entry = QueueEntry(
            id: 0,
            status: .pending,
            method: method,
            url: try self.url(url, owner: owner, of: declared),
            body: body.isEmpty ? nil : String(decoding: body, as: UTF8.self),
            labels: options.labels,
            category: try owner.map { try groupName(options.category, affected: $0, url: url) }
                ?? name(options.category),
            transaction: try owner.map {
                try groupName(options.transaction, affected: $0, url: url)
            }
                ?? name(options.transaction),
            headers: try headerLines(),
            flags: options.flags.union(.operation),
            dependsOn: []
        )
        var involved = RequestQueue.Involved(
            affected: nil,
            referred: try [owner?.row].compactMap { $0 } + rowsNamed(in: body, of: declared)
        )
        if let owner {
            // It is called on the entity as the changes before it leave it.
            involved.after = try EffectJournal(connection).requests(on: owner.row).suffix(1)
            involved.link = try link(owner)
        }
        let effects = try applyEffect(
            of: operation,
            named: declared?.name ?? operation.name,
            on: owner,
            body
        )
        involved.effects = effects
        involved.referred += Set(effects.compactMap(\.row?.row)).subtracting(involved.referred)
            .sorted()
        let added = try RequestQueue(connection).add(entry, involved: involved)
        if added.isParked { openTransaction = nil }
        try JoiningRows(connection: connection, schema: schema).join(effects, of: url)
    }

    /// Rows that the parameters of a call name by their links, and those created here that they name by their keys.
    private func rowsNamed(in body: [UInt8], of operation: ODataModel.Operation?) throws -> [Int64]
    {
        guard let tree = JSONTree(body) else { return [] }
        let byValue = try operation.flatMap { EntityParameters(body, of: $0, schema: schema) }?
            .created(
                rows
            )
        return try (byValue ?? [])
            + tree.root.texts.map(\.text).compactMap { try row(meantBy: $0)?.row }
    }

    /// Returns the row of the entity that a text refers to; nil for a text that is no reference.
    private func row(meantBy text: String) throws -> RowReference? {
        guard text.contains("(") else { return nil }
        do {
            guard case .row(let row) = try find(text) else { return nil }
            return row
        } catch let error as SQLiteError {
            // A reference that could not be looked up may be one.
            throw error
        } catch {
            return nil
        }
    }

    private func name(_ group: ChangeOptions.Group?) throws -> String? {
        switch group {
        case nil: return nil
        case .named(let name): return name
        case .entity, .affected:
            throw EditError(.invalid, "only a call on an entity can be grouped by an entity")
        }
    }

    /// The call's URL with the entity by its link, which survives that its key is not known yet.
    ///
    /// What is bound to a derived type is called behind the cast to it (OData 4.01 Part 2 § 4.11).
    private func url(
        _ url: String,
        owner: RowReference?,
        of operation: ODataModel.Operation?
    ) throws -> String {
        guard let owner else { return url }
        guard let slash = CalledEntity.slash(in: url) else { return url }
        let rest = url[slash...]
        var cast = ""
        if let operation, operation.isBound,
            case .structured(let type)? = operation.parameters.first?.type.type
        {
            cast = EntityLink(rows).cast(from: owner.source, to: type)
        }
        return try link(owner) + cast + rest
    }

    /// Checks the parameters of an action: their names, and the values of all that are no entities.
    private func check(_ body: [UInt8], operation: ODataModel.Operation?) throws {
        guard let operation, operation.kind == .action else { return }
        let parameters = operation.parameters.dropFirst(operation.isBound ? 1 : 0)
        var given: Set<String> = []
        if !body.isEmpty {
            guard let tree = JSONTree(body), let members = tree.root.members else {
                throw EditError(.invalid, "the body is no JSON object of parameters")
            }
            for member in members where !member.name.contains("@") {
                guard let parameter = parameters.first(where: { $0.name == member.name }) else {
                    throw EditError(.invalid, "\(operation.name) has no parameter \(member.name)")
                }
                let rules = ParameterRules(schema.layout)
                if let fault = rules.fault(of: parameter, in: tree, member.value) {
                    throw EditError(.invalid, "\(operation.name): \(fault)", at: parameter.name)
                }
                given.insert(member.name)
            }
        }
        for parameter in parameters
        where !parameter.isNullable && !parameter.type.isCollection
            && !given.contains(parameter.name)
        {
            throw EditError(.invalid, "\(operation.name) needs the parameter \(parameter.name)")
        }
    }
}
