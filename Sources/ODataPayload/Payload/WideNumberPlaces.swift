import ODataModel
import ODataText

/// Walks through a value that is kept as JSON and finds where Int64 and Decimal stand in it.
struct WideNumberPlaces {
    let model: EdmModel
    let tree: JSONTree
    /// The values in the order of the text, in whatever kind of JSON value.
    private(set) var found: [JSONNode] = []

    init(model: EdmModel, tree: JSONTree) {
        self.model = model
        self.tree = tree
    }

    /// Whether values of a type are wider than the numbers of many readers.
    static func isWide(_ type: NamedType, in model: EdmModel) -> Bool {
        switch type {
        case .primitive(let primitive): primitive == .int64 || primitive == .decimal
        case .definition(let id): isWide(.primitive(model[id].underlyingType), in: model)
        case .enumeration, .structured, .untyped, .unresolved: false
        }
    }

    /// Visits a value of a type, or a collection of them.
    mutating func visit(_ node: JSONNode, _ type: NamedType) {
        if let items = node.items {
            for item in items { visit(item, type) }
        } else if case .structured(let declared) = type {
            visit(members: node.members ?? [], of: model.statedType(of: node) ?? declared, in: node)
        } else if Self.isWide(type, in: model) {
            found.append(node)
        }
    }

    private mutating func visit(
        members: [JSONNode.Member],
        of type: StructuredTypeID,
        in node: JSONNode
    ) {
        for member in members where !member.name.contains("@") {
            if let property = model.property(member.name, of: type) {
                visit(member.value, property.type.type)
            } else if let type = dynamicType(of: member.name, in: node) {
                visit(member.value, type)
            }
        }
    }

    /// The type that is stated of an undeclared member: `#Int64`, `#Collection(Decimal)`, `#Name.Space.Complex`.
    private func dynamicType(of member: String, in node: JSONNode) -> NamedType? {
        let stated = JSONNode.typeNames.lazy.compactMap { tree.string(member + $0, of: node) }.first
        guard var name = stated?.split(separator: "#").last else { return nil }
        if name.hasPrefix("Collection("), name.hasSuffix(")") {
            name = name.dropFirst("Collection(".count).dropLast()
        }
        switch name {
        case "Int64", "Edm.Int64": return .primitive(.int64)
        case "Decimal", "Edm.Decimal": return .primitive(.decimal)
        default: return model.structuredType(named: String(name)).map { .structured($0) }
        }
    }
}
