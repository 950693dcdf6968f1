import ODataModel
import ODataPayload
import ODataText
import ODataValues

/// Merges a change into a complex value that is kept as JSON: members that the change does not name stay (OData 4.01 Part 1 § 11.4.3).
struct ComplexMerge {
    let model: EdmModel
    /// Whether what the change takes away stays as null: a service that merges the value itself needs the null.
    let keepsNulls: Bool

    /// One of the two objects, with the type that it states or inherits.
    private struct Side {
        var tree: JSONTree
        var node: JSONNode
        var type: StructuredTypeID?
        var members: [JSONNode.Member] { node.members ?? [] }

        func member(_ name: String) -> JSONNode? { tree.member(name, of: node) }
    }

    /// Returns the present value with the change in it; nil where either is no object.
    ///
    /// - Parameter depth: How deep in the change the value lies that replaces the present one as a whole; nil where all is merged.
    func merged(
        _ change: String,
        into present: String,
        type: StructuredTypeID,
        replacingAt depth: Int? = nil
    ) -> String? {
        guard let change = JSONTree(Array(change.utf8)),
            let present = JSONTree(Array(present.utf8)),
            change.root.members != nil, present.root.members != nil
        else { return nil }
        var writer = JSONWriter()
        let new = side(change, change.root, type: nil)
        let old = side(present, present.root, type: type)
        if let depth, depth <= 0 {
            replace(old, by: side(change, change.root, type: type), to: &writer)
        } else {
            write(new, into: old, depth: depth, to: &writer)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func side(_ tree: JSONTree, _ node: JSONNode, type: StructuredTypeID?) -> Side {
        Side(tree: tree, node: node, type: model.statedType(of: node) ?? type)
    }

    private func write(_ new: Side, into old: Side, depth: Int?, to writer: inout JSONWriter) {
        var new = new
        new.type = new.type ?? old.type
        writer.beginObject()
        for member in old.members where stays(member.name, of: old, in: new) {
            guard let value = new.member(member.name) else {
                write(member.name, old.tree.text(member.value), to: &writer)
                continue
            }
            write(member.name, value, over: member.value, new, old, depth: depth, to: &writer)
        }
        for member in new.members where old.member(member.name) == nil {
            write(member.name, member.value, over: nil, new, old, depth: depth, to: &writer)
        }
        writer.endObject()
    }

    private func write(_ name: String, _ json: [UInt8], to writer: inout JSONWriter) {
        writer.name(name)
        writer.raw(json.span)
    }

    /// Writes a member of the change, merged with the present value if both are objects.
    private func write(
        _ name: String,
        _ value: JSONNode,
        over present: JSONNode?,
        _ new: Side,
        _ old: Side,
        depth: Int?,
        to writer: inout JSONWriter
    ) {
        let property = new.type.flatMap { model.property(name, of: $0) }
        // Null takes an undeclared member away.
        if case .null = value.value, property == nil, !name.contains("@"), !keepsNulls { return }
        guard let present, present.members != nil, value.members != nil,
            let inner = innerType(of: property)
        else { return write(name, new.tree.text(value), to: &writer) }
        writer.name(name)
        let former = side(old.tree, present, type: inner)
        guard depth != 1 else {
            return replace(former, by: side(new.tree, value, type: inner), to: &writer)
        }
        write(
            side(new.tree, value, type: nil),
            into: former,
            depth: depth.map { $0 - 1 },
            to: &writer
        )
    }

    /// Writes a value in the place of another one, with null or its default for each member that goes where nulls are kept.
    ///
    /// One that states no type is of the declared one, whatever the other was.
    private func replace(_ old: Side, by new: Side, to writer: inout JSONWriter) {
        guard keepsNulls else { return writer.raw(new.tree.text(new.node).span) }
        writer.beginObject()
        for member in new.members {
            let property = new.type.flatMap { model.property(member.name, of: $0) }
            guard let present = old.member(member.name), present.members != nil,
                member.value.members != nil, let inner = innerType(of: property)
            else {
                write(member.name, new.tree.text(member.value), to: &writer)
                continue
            }
            writer.name(member.name)
            replace(
                side(old.tree, present, type: inner),
                by: side(new.tree, member.value, type: inner),
                to: &writer
            )
        }
        for member in old.members where new.member(member.name) == nil {
            writeGone(member.name, of: old, from: new, to: &writer)
        }
        writer.endObject()
    }

    private func writeGone(
        _ name: String,
        of old: Side,
        from new: Side,
        to writer: inout JSONWriter
    ) {
        guard !name.contains("@"), isKnown(name, of: old, in: new) else { return }
        if let property = new.type.flatMap({ model.property(name, of: $0) }) {
            return ComplexDefaults(model: model).writeAbsent(property, to: &writer)
        }
        writer.name(name)
        writer.null()
    }

    /// The type of a complex property; nil where the value is replaced as a whole.
    private func innerType(of property: StructuralProperty?) -> StructuredTypeID?? {
        // Nothing is known of an undeclared member, whose members are undeclared, too.
        guard let property else { return .some(nil) }
        guard !property.type.isCollection, case .structured(let type) = property.type.type else {
            return nil
        }
        return .some(type)
    }

    /// Whether a present member, or the change of it, is written; control information goes with the value that it is about.
    private func stays(_ name: String, of old: Side, in new: Side) -> Bool {
        if JSONNode.typeNames.contains(name) {
            return !JSONNode.typeNames.contains { new.member($0) != nil && $0 != name }
        }
        let property = String(name.prefix { $0 != "@" })
        if name.contains("@"), !property.isEmpty, new.member(name) == nil,
            new.member(property) != nil
        {
            return false
        }
        return isKnown(property, of: old, in: new)
    }

    /// Whether the type that the value gets has a property, or may have it as a dynamic one.
    private func isKnown(_ name: String, of old: Side, in new: Side) -> Bool {
        guard !name.isEmpty, let type = new.type, let former = old.type, type != former else {
            return true
        }
        if model.property(name, of: type) != nil { return true }
        return model.property(name, of: former) == nil
            && model.lineage(of: type).contains { model[$0].isOpen }
    }
}
