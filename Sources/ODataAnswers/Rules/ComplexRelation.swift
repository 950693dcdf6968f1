import ODataModel
import ODataPayload
import ODataText

/// Finds relations in complex values that are kept as JSON: the tables have no place for them.
struct ComplexRelation {
    let model: EdmModel

    /// The path of the first member of a property's JSON that relates a complex value to an entity; nil where there is none.
    func path(in node: JSONNode, of property: StructuralProperty, at path: String) -> String? {
        guard case .structured(let type) = property.type.type else { return nil }
        return relation(in: node, of: type, at: path)
    }

    private func relation(in node: JSONNode, of declared: StructuredTypeID, at path: String)
        -> String?
    {
        if let items = node.items {
            return items.lazy.compactMap { relation(in: $0, of: declared, at: path) }.first
        }
        guard let members = node.members else { return nil }
        let type = model.statedType(of: node) ?? declared
        for member in members {
            let place = "\(path)/\(member.name)"
            if isRelation(member.name, of: type) { return place }
            guard let property = model.property(member.name, of: type),
                case .structured(let inner) = property.type.type
            else { continue }
            if let found = relation(in: member.value, of: inner, at: place) { return found }
        }
        return nil
    }

    private func isRelation(_ name: String, of type: StructuredTypeID) -> Bool {
        let parts = name.split(separator: "@", maxSplits: 1)
        guard let property = parts.first, !name.hasPrefix("@"),
            model.navigationProperty(String(property), of: type) != nil
        else { return false }
        return parts.count == 1
            || ["odata.bind", "bind", "odata.delta", "delta"].contains(parts[1])
    }
}
