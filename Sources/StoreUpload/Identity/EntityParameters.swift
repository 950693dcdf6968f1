import ODataText
import StoreRecords
import ODataBinding
import ODataSQL
import ODataValues
package import ODataModel
import ODataAnswers
package import ODataTables

/// Parameters of a call that are entities by value: they name an entity by its key (OData 4.01 Part 1 § 11.5.5.1).
package struct EntityParameters {
    private let schema: TableSchema
    private let tree: JSONTree
    private let values: [Value]

    /// An entity in the body, and its declared type.
    private struct Value {
        var node: JSONNode
        var type: StructuredTypeID
    }

    /// - Parameter operation: What is called.
    package init?(_ body: [UInt8], of operation: ODataModel.Operation, schema: TableSchema) {
        guard let tree = JSONTree(body) else { return nil }
        (self.schema, self.tree) = (schema, tree)
        values = operation.parameters.flatMap { parameter -> [Value] in
            guard case .structured(let type) = parameter.type.type,
                schema.model[type].kind == .entity, let node = tree.member(parameter.name)
            else { return [] }
            guard let items = node.items else { return [Value(node: node, type: type)] }
            return items.map { Value(node: $0, type: type) }
        }
    }

    /// Returns the parameters of a call in the queue; nil where none can be an entity by value.
    static func of(_ entry: QueueEntry, text: String, in schema: TableSchema) -> EntityParameters? {
        guard let request = try? BoundRequest(ofService: entry.url, in: schema.model),
            case .operation(let called) = request.resource, let operation = called.operation
        else { return nil }
        return EntityParameters(
            Array(text.utf8),
            of: schema.model.operations[operation],
            schema: schema
        )
    }

    /// Returns the rows created here whose keys the entities have.
    package func created(_ rows: RowEditor) throws -> [Int64] {
        try values.flatMap { value in
            try tables(of: value.type).compactMap { table in
                try key(of: value, in: table).flatMap { try rows.row(withKey: $0, in: table) }
            }
        }
        .filter(CreatedPrincipals(rows).isCreated)
    }

    /// Returns the body with the new key of an entity in the place of its old ones.
    func replacing(_ key: QueuedNames.KeyPair) throws -> [UInt8] {
        var bytes = tree.bytes
        let fitting = types(naming: key.table)
        for value in values.reversed() where fitting.contains(value.type) {
            guard let held = self.key(of: value, in: key.table), key.old.contains(held) else {
                continue
            }
            try replace(value.node, key: key, in: &bytes)
        }
        return bytes
    }

    /// Writes a new key over the members of an object that are the key, from its end to its beginning.
    private func replace(
        _ node: JSONNode,
        key: QueuedNames.KeyPair,
        in bytes: inout [UInt8]
    ) throws {
        guard let plan = schema.plans.plan(for: key.table.source) else { return }
        var body = EntityBody(plan: plan)
        for (place, slot) in key.table.keyColumns.enumerated() {
            body.set(key.new[place], slot: slot)
        }
        guard let new = JSONTree(try EntityBodyWriter.json(body, in: schema)) else { return }
        let members = key.table.keyColumns.compactMap { slot -> (Range<Int>, [UInt8])? in
            let name = key.table.columns[slot].name
            guard let old = tree.member(name, of: node), let value = new.member(name) else {
                return nil
            }
            return (old.range, new.text(value))
        }
        for (range, text) in members.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            bytes.replaceSubrange(range, with: text)
        }
    }

    /// The key in an entity's values; nil where a part of it is missing.
    private func key(of value: Value, in table: TableLayout) -> [Scalar]? {
        guard value.node.members != nil,
            let plan = schema.plans.plan(for: table.source),
            let body = try? EntityBodyReader.read(tree.text(value.node), plan: plan, in: schema)
        else { return nil }
        let key = table.keyColumns.compactMap { body.value(of: $0) }
        return key.count == table.keyColumns.count && !key.contains(.null) ? key : nil
    }

    /// The tables whose entities may be what a parameter of a type names.
    private func tables(of type: StructuredTypeID) -> [TableLayout] {
        schema.layout.orderedTables.filter { types(naming: $0).contains(type) && !$0.isContained }
    }

    /// The types that a parameter may have which names an entity of a table.
    private func types(naming table: TableLayout) -> Set<StructuredTypeID> {
        let model = schema.model
        return Set(
            values.map(\.type).filter {
                model.type($0, isOrExtends: table.entityType)
                    || model.type(table.entityType, isOrExtends: $0)
            }
        )
    }
}
