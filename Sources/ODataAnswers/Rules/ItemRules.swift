import ODataBinding
import ODataText
import ODataSQL
import ODataValues
import ODataModel

/// Checks values that are kept as JSON, the items of collections and complex values, against the types that the model declares.
struct ItemRules {
    private let layout: Layout
    private let tree: JSONTree
    private let tolerance: ValueTolerance
    private var model: EdmModel { layout.model }
    /// Whether the payload is that of version 4, where a missing member is an error, and no whole number stands in quotes.
    private let isV4: Bool

    init(_ layout: Layout, tree: JSONTree, tolerance: ValueTolerance = []) {
        self.layout = layout
        self.tree = tree
        self.tolerance = tolerance
        isV4 = layout.model.version.isV4
    }

    /// What is wrong with the value of a property, with the path of the place; nil where nothing is.
    func fault(of property: StructuralProperty, at path: String) -> String? {
        fault(in: tree.root, property, at: path)
    }

    /// What is wrong with a value of a property, with the path of the place; nil where nothing is.
    func fault(
        in node: JSONNode,
        _ property: StructuralProperty,
        at path: String
    ) -> String? {
        guard property.type.isCollection else {
            return valueFault(in: node, property, at: path)
        }
        guard let items = node.items else {
            return isNull(node)
                ? "\(path) cannot be null: a collection is empty at least"
                : "\(path) must be a collection"
        }
        for (index, item) in items.enumerated() {
            if let fault = valueFault(in: item, property, at: "\(path)[\(index)]") { return fault }
        }
        return nil
    }

    /// Checks a single value: that of a property, or an item of its collection.
    private func valueFault(
        in node: JSONNode,
        _ property: StructuralProperty,
        at path: String
    ) -> String? {
        if isNull(node) { return mayBeNull(property) ? nil : "\(path) cannot be null" }
        if case .structured(let type) = property.type.type {
            return objectFault(in: node, type, at: path)
        }
        guard let form = ScalarForm(property.type, in: model), form != .json else {
            return model.underlyingPrimitive(of: property.type.type).flatMap {
                GeoRules.fault(in: node, $0)
            }
            .map { "\(path) \($0)" }
        }
        let text = text(of: node, form)
        if tolerance.contains(.unknownMembers), text != nil, case .enumeration = form { return nil }
        guard let text,
            let value = form.parse(Array(text.utf8).span, in: model)
        else { return "\(path) is no \(typeName(property.type)) or out of its range" }
        return ValueFacets(property.type.facets(in: model), layout: layout)
            .fault(of: value.scalar, exact: text, form)
            .map { "\(path) \($0)" }
    }

    private func mayBeNull(_ property: StructuralProperty) -> Bool {
        property.isNullable
            || tolerance.contains(.unstatedNulls) && !property.isNullableStated
    }

    // MARK: Complex values

    private func objectFault(
        in node: JSONNode,
        _ declared: StructuredTypeID,
        at path: String
    ) -> String? {
        guard let members = node.members else { return "\(path) must be an object" }
        let type: StructuredTypeID
        switch statedType(members, insteadOf: declared) {
        case .success(let stated): type = stated
        case .failure(let fault): return "\(path) \(fault.text)"
        }
        for member in members {
            if let fault = memberFault(member, in: node, of: type, at: path) { return fault }
        }
        guard isV4, !tolerance.contains(.absentMembers) else { return nil }
        return missingMember(among: members, of: type).map { "\(path)/\($0) is missing" }
    }

    private struct TypeFault: Error {
        let text: String
    }

    /// The type that an object names, which has to be the declared one or derived from it (OData JSON 4.01 § 4.6.3).
    private func statedType(
        _ members: [JSONNode.Member],
        insteadOf declared: StructuredTypeID
    ) -> Result<StructuredTypeID, TypeFault> {
        let names = ["@odata.type", "@type", "odata.type"]
        guard let member = members.first(where: { names.contains($0.name) }),
            let text = member.value.text
        else { return concrete(declared) }
        let name = text.split(separator: "#").last.map(String.init) ?? text
        guard let type = model.structuredType(named: name), model.type(type, isOrExtends: declared)
        else {
            return .failure(
                TypeFault(text: "is of the type \(name), which is no \(model[declared].name)")
            )
        }
        return concrete(type)
    }

    /// A type that values can have (OData CSDL XML 4.01 § 9.3); copies of a service's data are as the service has them.
    private func concrete(_ type: StructuredTypeID) -> Result<StructuredTypeID, TypeFault> {
        let isOwn = tolerance.isDisjoint(with: [.unknownMembers, .absentMembers])
        guard isV4, isOwn, model[type].isAbstract else { return .success(type) }
        let hint = "is of the abstract type \(model[type].name): name a derived type in @odata.type"
        return .failure(TypeFault(text: hint))
    }

    private func memberFault(
        _ member: JSONNode.Member,
        in object: JSONNode,
        of type: StructuredTypeID,
        at path: String
    ) -> String? {
        if let property = model.property(member.name, of: type) {
            return fault(in: member.value, property, at: "\(path)/\(member.name)")
        }
        let isControl = member.name.contains("@") || member.name.hasPrefix("#")
        if model.isOpen(type), !isControl, isV4 {
            return model.navigationProperty(member.name, of: type) != nil
                ? nil : DynamicRules(layout: layout).fault(of: member, in: object, tree, at: path)
        }
        let isKnown =
            model.isOpen(type) || isControl
            || model.navigationProperty(member.name, of: type) != nil
            || !isV4 && (member.name == "__metadata" || member.name.hasPrefix("odata."))
        return isKnown
            ? nil : "\(path): \(model[type].name) has no property '\(member.name)'"
    }

    /// The first property that has to be in an object and is not.
    private func missingMember(
        among members: [JSONNode.Member],
        of type: StructuredTypeID
    ) -> String? {
        let given = Set(members.map(\.name))
        return model.properties(of: type).first { property in
            !property.isNullable && !property.type.isCollection && property.defaultValue == nil
                && !property.isComputed && !property.hasComputedDefault
                && property.type.type != .primitive(.stream) && !given.contains(property.name)
        }?.name
    }

    // MARK: Primitive values

    private func isNull(_ node: JSONNode) -> Bool {
        if case .null = node.value { true } else { false }
    }

    /// The text of a value, where it stands in the kind of JSON value that the form has.
    private func text(of node: JSONNode, _ form: ScalarForm) -> String? {
        switch node.value {
        case .string(let text): mayBeQuoted(form, text: text) ? text : nil
        case .number, .bool, .null: node.word.flatMap { word($0, as: form) }
        case .array, .object: nil
        }
    }

    /// Version 4 quotes Int64 and Decimal where that was asked for, and infinities; versions 1 to 3 any number.
    private func mayBeQuoted(_ form: ScalarForm, text: String) -> Bool {
        switch form {
        case .boolean: false
        case .integer(let type): !isV4 || type == .int64
        case .single, .double: !isV4 || ["INF", "-INF", "NaN"].contains(text)
        default: true
        }
    }

    private func word(_ text: String, as form: ScalarForm) -> String? {
        let isBoolean = text == "true" || text == "false"
        switch form {
        case .boolean: return isBoolean ? text : nil
        case .integer: return isBoolean ? nil : WholeNumberText.plain(text) ?? text
        case .single, .double, .scaledDecimal, .decimalText, .enumeration:
            return isBoolean ? nil : text
        default: return nil
        }
    }

    // MARK: Types

    private func typeName(_ type: TypeReference) -> String {
        switch type.type {
        case .primitive(let primitive): primitive.rawValue
        case .enumeration(let id): model[id].name
        case .definition(let id): model[id].name
        case .structured(let id): model[id].name
        case .untyped(let name), .unresolved(let name): name
        }
    }
}
