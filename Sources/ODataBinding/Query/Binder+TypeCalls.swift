import ODataURL
import ODataValues
import ODataModel

/// A call of `cast` or `isof` as written.
struct TypeCall {
    let name: String
    let arguments: [WrittenArgument]
    let offset: Int
}

extension Binder {
    /// Binds `cast` and `isof` (OData 4.01 Part 2 §§ 5.1.1.10.1, 5.1.1.10.2).
    mutating func conversion(
        _ call: TypeCall,
        rest: ArraySlice<WrittenMember>,
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        guard let last = call.arguments.last, call.arguments.count <= 2,
            let name = typeName(last.value)
        else {
            throw ODataURLError(
                .type,
                at: call.offset,
                "\(call.name) takes an expression and a type",
                expected: ["(Type)", "(expression,Type)"]
            )
        }
        guard let type = model.type(named: model.qualifiedType(name) ?? name) else {
            let known = model.structuredTypes.map(\.name) + model.enumTypes.map(\.name)
            throw unknown(name, at: last.value.offset, what: "the model", among: known)
        }
        var walk = MemberWalk(scope.implicit)
        var value: BoundExpression?
        if call.arguments.count == 2 {
            let written = call.arguments[0].value
            if case .path(let members) = written.node, let way = try way(members, in: scope) {
                walk = way
            } else {
                value = try expression(written, in: scope)
            }
        }
        if case .structured(let id) = type {
            return try structured(call, id: id, walk: walk, value: value, rest: rest, in: scope)
        }
        guard rest.isEmpty else {
            throw ODataURLError(.meaning, at: call.offset, "a primitive value has no members")
        }
        return try primitive(call, of: type, value: value ?? walk.result)
    }

    /// Returns the walk along members that lead to an entity or complex value; nil where they give something else.
    private mutating func way(_ members: [WrittenMember], in scope: BindingScope)
        throws(ODataURLError) -> MemberWalk?
    {
        if members.count == 1, let item = complexItem(members[0], in: scope) {
            return MemberWalk(item)
        }
        guard case .path(let path) = try self.path(members, in: scope, wanted: nil),
            let type = path.type,
            case .structured(let id) = type.type, !type.isCollection
        else { return nil }
        let place: MemberWalk.Place =
            model[id].kind == .entity ? .entity(id, path.lastSource) : .complex(id)
        return MemberWalk(path, at: place)
    }

    /// The variable that a name means, where its items are complex values.
    private func complexItem(_ member: WrittenMember, in scope: BindingScope) -> BoundVariable? {
        let variable: BoundVariable? =
            switch member.kind {
            case .name(let name): scope.lambda(named: name)
            case .special("$it"), .variable("$it"): scope.it
            case .variable("$this"): scope.implicit
            default: nil
            }
        guard let variable, case .complex = variable.item else { return nil }
        return variable
    }

    /// Quotes around the type's name are how versions 1 to 3 write it.
    private func typeName(_ written: WrittenExpression) -> String? {
        switch written.node {
        case .literal(let literal) where literal.kind == .string: literal.text
        case .path(let members):
            if members.count == 1, case .name(let name) = members[0].kind { name } else { nil }
        default: nil
        }
    }

    private mutating func structured(
        _ call: TypeCall,
        id: StructuredTypeID,
        walk: MemberWalk,
        value: BoundExpression?,
        rest: ArraySlice<WrittenMember>,
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        if call.name == "isof", case .path(let path)? = value, path.isDynamic {
            return .isOfDynamic(
                path,
                types: model.hierarchy(below: id).map { "#" + model[$0].name }
            )
        }
        guard value == nil, case .path(let path) = walk.result else {
            throw ODataURLError(.type, at: call.offset, "the value has no structured type")
        }
        if call.name == "isof" { return .isOf(path, id) }
        var cast = walk
        try cast.follow(WrittenMember(at: call.offset, .name(model[id].name)), in: self)
        return try follow(rest, from: cast, in: scope)
    }

    private func primitive(_ call: TypeCall, of type: NamedType, value: BoundExpression)
        throws(ODataURLError) -> BoundExpression
    {
        guard let form = ScalarForm(TypeReference(type), in: model) else {
            throw ODataURLError(.type, at: call.offset, "no value can have that type")
        }
        guard !isCollection(value) else {
            throw ODataURLError(.type, at: call.offset, "a collection cannot be converted")
        }
        guard call.name == "isof" else { return .cast(value, form) }
        if case .path(let path) = value, path.isDynamic {
            return .isOfDynamic(path, types: ["#" + statedName(of: type)])
        }
        // The type of a declared property is known before any row is looked at; null is of no type.
        guard isOf(type, form: form, value) else { return .literal(.integer(0), .boolean) }
        return .comparison(.notEqual, value, .null)
    }

    /// The name by which a value states its type; that of a primitive one without its namespace (OData JSON 4.01 § 4.6.3).
    private func statedName(of type: NamedType) -> String {
        switch type {
        case .primitive(let type): String(type.rawValue.dropFirst("Edm.".count))
        case .enumeration(let id): model[id].name
        case .definition(let id): model[id].name
        case .structured(let id): model[id].name
        default: ""
        }
    }

    /// Whether the values of an expression are of a type; facets make no difference (OData 4.01 Part 2 § 5.1.1.10.2).
    private func isOf(_ type: NamedType, form: ScalarForm, _ value: BoundExpression) -> Bool {
        if case .definition = type, case .path(let path) = value, let declared = path.type {
            return declared.type == type
        }
        return value.form == form || form.isDecimal && value.form?.isDecimal == true
    }
}

extension BoundPath {
    /// Whether it leads to a value of which the metadata says nothing.
    fileprivate var isDynamic: Bool {
        type == nil && navigation == nil && !isComputed && !property.isEmpty
    }

    /// Where the entity that the path leads to lives, as far as the path itself says.
    var lastSource: NavigationSource? {
        for step in steps.reversed() {
            if case .navigation(_, let source) = step { return source }
        }
        return nil
    }
}
