import ODataModel
import ODataPayload
import ODataSQL
import ODataTables
import ODataText

/// Checks dynamic properties against the types that they state (OData JSON 4.01 §§ 4.6.3, 7.1).
struct DynamicRules {
    let layout: Layout
    private var model: EdmModel { layout.model }

    /// What is wrong with the dynamic properties of a body, with the name of the first that is; nil where nothing is.
    func fault(of body: EntityBody) -> (name: String, text: String)? {
        let members = Dictionary(body.undeclared.map { ($0.name, $0.json) }) { _, last in last }
        for member in body.undeclared where DynamicTypeMember.property(of: member.name) == nil {
            let type = members[DynamicTypeMember.name(of: member.name)]
            if let text = fault(of: member.name, json: member.json, type: type) {
                return (member.name, text)
            }
        }
        return nil
    }

    /// Makes numbers of those that stand in quotes: as strings no query would find them (OData JSON 4.01 § 7.1).
    static func unquoteNumbers(in body: inout EntityBody) {
        let wide = ["\"#Int64\"", "\"#Decimal\""]
        let names = body.undeclared.filter { wide.contains($0.json) }
            .compactMap { DynamicTypeMember.property(of: $0.name) }
        for index in body.undeclared.indices where names.contains(body.undeclared[index].name) {
            let text = JSONTree(Array(body.undeclared[index].json.utf8))?.root.text
            guard let text, JSONTree.isNumber(text) else { continue }
            body.undeclared[index].json = text
        }
    }

    /// What is wrong with an undeclared member of a complex value, with its place; nil where nothing is.
    func fault(of member: JSONNode.Member, in object: JSONNode, _ tree: JSONTree, at path: String)
        -> String?
    {
        let type = object[DynamicTypeMember.name(of: member.name)]
            .map { String(decoding: tree.text($0), as: UTF8.self) }
        let json = String(decoding: tree.text(member.value), as: UTF8.self)
        return fault(of: member.name, json: json, type: type)
            .map { $0.hasPrefix("'") ? "\(path): \($0)" : "\(path)/\($0)" }
    }

    private func fault(of name: String, json: String, type: String?) -> String? {
        guard DynamicTypeMember.isSimpleIdentifier(name) else {
            return
                "'\(name)' is no name of a property: it begins with a letter or _, digits may follow"
        }
        guard let tree = JSONTree(Array(json.utf8)) else { return nil }
        let written = type.flatMap { JSONTree(Array($0.utf8))?.root.text }
        guard let written else { return isFinite(tree.root) ? nil : "\(name) is out of range" }
        guard let reference = reference(written) else {
            return "\(name) states the type \(written.dropFirst()), which the model does not have"
        }
        let property = StructuralProperty(name: name, type: reference, isNullable: true)
        return ItemRules(layout, tree: tree).fault(of: property, at: name)
    }

    /// A number without a type is a Double or a Decimal.
    private func isFinite(_ node: JSONNode) -> Bool {
        guard case .number(let text) = node.value else { return true }
        return Double(text)?.isFinite ?? false
    }

    /// The type that is stated, `#Date`, `#Shop.Colour`, `#Collection(Int32)`.
    func reference(_ written: String) -> TypeReference? {
        let name = CollectionTypeName(written.drop { $0 == "#" })
        let inner = String(name.item)
        let qualified = inner.contains(".") ? inner : "Edm." + inner
        if let type = model.type(named: qualified) {
            return TypeReference(type, isCollection: name.isCollection)
        }
        guard ["Edm.Untyped", "Edm.ComplexType", "Edm.EntityType"].contains(qualified) else {
            return nil
        }
        return TypeReference(.untyped(qualified), isCollection: name.isCollection)
    }
}
