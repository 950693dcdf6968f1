package import ODataModel
import ODataPayload
package import ODataSQL
package import ODataTables
import ODataText
import ODataValues

/// Completes complex values that are kept as JSON with the members that a client leaves out: each gets its default value, or null
/// (OData 4.01 Part 1 §§ 11.4.2, 11.4.9.3).
package struct ComplexDefaults {
    private let model: EdmModel

    package init(model: EdmModel) {
        self.model = model
    }

    /// Completes the values of a body.
    package func complete(_ body: inout EntityBody, in table: TableLayout) {
        guard model.version.isV4,
            !table.typeColumns(of: body.plan.type, in: model).isFlat
        else { return }
        for item in body.values {
            let column = table.columns[item.slot]
            guard case .json = column.kind, case .text(let json) = item.value,
                let property = model.property(column.path, of: body.plan.type),
                case .structured(let type) = property.type.type,
                let tree = JSONTree(Array(json.utf8))
            else { continue }
            var writer = JSONWriter()
            write(tree.root, of: type, in: tree, to: &writer)
            body.set(.text(String(decoding: writer.bytes, as: UTF8.self)), slot: item.slot)
        }
    }

    /// Writes a value or a collection of them.
    private func write(
        _ node: JSONNode,
        of declared: StructuredTypeID,
        in tree: JSONTree,
        to writer: inout JSONWriter
    ) {
        writer.rewrite(node, in: tree) { object, members, writer in
            let properties = model.properties(of: model.statedType(of: object) ?? declared)
            let names = Set(properties.map(\.name))
            let others = members.filter { !names.contains(owner($0)) }
            write(others.filter { owner($0).isEmpty }, in: tree, to: &writer)
            for property in properties {
                let own = members.filter { owner($0) == property.name }
                write(own.filter { $0.name != property.name }, in: tree, to: &writer)
                write(property, tree.member(property.name, of: object), in: tree, to: &writer)
            }
            write(others.filter { !owner($0).isEmpty }, in: tree, to: &writer)
        }
    }

    /// The member that control information is about; its own name of any other.
    private func owner(_ member: JSONNode.Member) -> String {
        String(member.name.prefix { $0 != "@" })
    }

    private func write(
        _ members: [JSONNode.Member],
        in tree: JSONTree,
        to writer: inout JSONWriter
    ) {
        for member in members {
            writer.name(member.name)
            writer.raw(tree.text(member.value).span)
        }
    }

    /// Writes a property with its value, or with what it has where there is none.
    private func write(
        _ property: StructuralProperty,
        _ value: JSONNode?,
        in tree: JSONTree,
        to writer: inout JSONWriter
    ) {
        guard let value else { return writeAbsent(property, to: &writer) }
        writer.name(property.name)
        if case .structured(let type) = property.type.type {
            write(value, of: type, in: tree, to: &writer)
        } else {
            writer.raw(tree.text(value).span)
        }
    }

    /// Writes nothing of what must be there and has no default: it is missing.
    func writeAbsent(_ property: StructuralProperty, to writer: inout JSONWriter) {
        guard property.type.type != .primitive(.stream) else { return }
        if property.type.isCollection {
            writer.name(property.name)
            writer.beginArray()
            return writer.endArray()
        }
        if let text = property.defaultValue, let form = ScalarForm(property.type, in: model),
            let value = form.parse(Array(text.utf8).span, in: model)
        {
            writer.name(property.name)
            return writer.value(value.scalar, as: JSONForm(form, in: model))
        }
        guard property.isNullable else { return }
        writer.name(property.name)
        writer.null()
    }
}
