import ODataModel
import ODataText

/// Walks through a value that is kept as JSON and finds what may have to be written in another form: numbers, and relations of
/// complex values.
struct WideNumberPlaces {
    /// A part of the text.
    enum Place {
        /// A value, in whatever kind of JSON value, of a type that is wider than the numbers of many readers, or of an integer type.
        case number(JSONNode, isWide: Bool, isWhole: Bool)
        /// The members of an object that relate it to entities, with the commas that go with them.
        case relation(Range<Int>)
    }

    let model: EdmModel
    let tree: JSONTree
    /// Whether relations are looked for.
    let findsRelations: Bool
    /// The places in the order of the text.
    private(set) var found: [Place] = []

    init(model: EdmModel, tree: JSONTree, findsRelations: Bool = false) {
        self.model = model
        self.tree = tree
        self.findsRelations = findsRelations
    }

    /// Whether values of a type are wider than the numbers of many readers.
    static func isWide(_ type: NamedType, in model: EdmModel) -> Bool {
        let primitive = primitive(type, in: model)
        return primitive == .int64 || primitive == .decimal
    }

    /// Whether values of a type are whole numbers.
    static func isWhole(_ type: NamedType, in model: EdmModel) -> Bool {
        guard let primitive = primitive(type, in: model) else { return false }
        return [.sbyte, .byte, .int16, .int32, .int64].contains(primitive)
    }

    /// The primitive type of a value; nil for members of enumerations, which are names.
    private static func primitive(_ type: NamedType, in model: EdmModel) -> PrimitiveType? {
        if case .enumeration = type { return nil }
        return model.underlyingPrimitive(of: type)
    }

    /// Visits a value of a type, or a collection of them.
    mutating func visit(_ node: JSONNode, _ type: NamedType) {
        if let items = node.items {
            for item in items { visit(item, type) }
        } else if case .structured(let declared) = type {
            visit(members: node.members ?? [], of: model.statedType(of: node) ?? declared, in: node)
        } else {
            let isWide = Self.isWide(type, in: model)
            let isWhole = Self.isWhole(type, in: model)
            guard isWide || isWhole else { return }
            found.append(.number(node, isWide: isWide, isWhole: isWhole))
        }
    }

    private mutating func visit(
        members: [JSONNode.Member],
        of type: StructuredTypeID,
        in node: JSONNode
    ) {
        var end = node.range.lowerBound + 1
        var isFirst = true
        for member in members {
            defer { end = max(end, member.value.range.upperBound) }
            guard !findsRelations || !isRelation(member.name, of: type) else {
                let part = end..<member.value.range.upperBound
                end = isFirst ? pastComma(part.upperBound) : part.upperBound
                found.append(.relation(part.lowerBound..<end))
                continue
            }
            isFirst = false
            guard !member.name.contains("@") else { continue }
            if let property = model.property(member.name, of: type) {
                visit(member.value, property.type.type)
            } else if let type = dynamicType(of: member.name, in: node) {
                visit(member.value, type)
            }
        }
    }

    /// Whether a member is a navigation property, or says something about one.
    private func isRelation(_ name: String, of type: StructuredTypeID) -> Bool {
        let property = name.prefix { $0 != "@" }
        return !property.isEmpty && model.navigationProperty(String(property), of: type) != nil
    }

    /// The place behind the comma that follows; the same place where none does.
    private func pastComma(_ place: Int) -> Int {
        var index = place
        while index < tree.bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(tree.bytes[index]) {
            index += 1
        }
        let isComma = index < tree.bytes.count && tree.bytes[index] == UInt8(ascii: ",")
        return isComma ? index + 1 : place
    }

    /// The type that is stated of an undeclared member: `#Int64`, `#Collection(Decimal)`, `#Name.Space.Complex`.
    private func dynamicType(of member: String, in node: JSONNode) -> NamedType? {
        let stated = JSONNode.typeNames.lazy.compactMap { tree.string(member + $0, of: node) }.first
        guard let name = stated?.split(separator: "#").last else { return nil }
        let item = CollectionTypeName(name).item
        switch item {
        case "Int64", "Edm.Int64": return .primitive(.int64)
        case "Decimal", "Edm.Decimal": return .primitive(.decimal)
        default: return model.structuredType(named: String(item)).map { .structured($0) }
        }
    }
}
