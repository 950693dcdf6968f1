import ODataURL
import ODataValues
import ODataPayload
import ODataModel

extension Binder {
    /// Takes what stands in parentheses after a set, cast or navigation property as a key.
    mutating func keys(of segment: WrittenSegment, _ path: inout EntityPath) throws(ODataURLError) {
        // `Set()` is what some clients of versions 1 to 3 write for the set.
        guard let arguments = segment.groups.first, !arguments.isEmpty else { return }
        if segment.groups.count > 1 {
            throw ODataURLError(
                .syntax,
                at: segment.offset,
                "more than one key",
                found: segment.text
            )
        }
        guard !path.isSingle(in: model) else {
            throw ODataURLError(
                .meaning,
                at: arguments[0].offset,
                "a single entity has no key in its path",
                found: segment.text
            )
        }
        path.steps.append(try key(arguments, at: path))
    }

    private mutating func key(_ arguments: [WrittenArgument], at path: EntityPath)
        throws(ODataURLError) -> EntityPath.Step
    {
        if arguments.count == 1, arguments[0].name == "$local" { return try localID(arguments[0]) }
        guard let type = path.entityType(in: model) else {
            throw ODataURLError(.unknownName, at: arguments[0].offset, "the entity type is unknown")
        }
        let properties = model.key(of: type)
        if let alternate = try alternateKey(arguments, of: type, at: path) { return alternate }
        if arguments.count < properties.count,
            let key = try impliedKey(arguments, properties: properties, of: type, at: path)
        {
            return key
        }
        guard arguments.count == properties.count else {
            let names = properties.map(\.name).joined(separator: ", ")
            throw ODataURLError(
                .meaning,
                at: arguments[0].offset,
                "the key of \(model[type].name) is \(names.isEmpty ? "not declared" : names)"
            )
        }
        var values: [Scalar] = []
        for property in properties {
            let argument = try argument(for: property, among: arguments, properties.count)
            values.append(try keyValue(argument, property: property, of: type))
        }
        return .key(values)
    }

    /// Returns the alternate key whose parts the arguments name; nil where they are those of the key itself, or of none.
    private mutating func alternateKey(
        _ arguments: [WrittenArgument],
        of type: StructuredTypeID,
        at path: EntityPath
    ) throws(ODataURLError) -> EntityPath.Step? {
        let names = Set(arguments.compactMap(\.name))
        guard names.count == arguments.count, names != Set(model.key(of: type).map(\.name)) else {
            return nil
        }
        let keys = model.alternateKeys(of: type, in: path.finalSource)
        guard let key = keys.first(where: { Set($0.map(\.name)) == names }) else { return nil }
        var parts: [AlternateKeyPart] = []
        for property in key {
            let argument = try argument(for: property, among: arguments, key.count)
            let value = try keyValue(argument, property: property, of: type)
            let names = property.path.split(separator: "/").map(String.init)
            parts.append(AlternateKeyPart(path: names, value: value))
        }
        return .alternateKey(parts)
    }

    /// Returns the key where the path before says some of its values by a referential constraint.
    ///
    /// OData 4.01 Part 2 § 4.3.5: `Orders(1)/Items(2)` for `Orders(1)/Items(OrderID=1,No=2)`.
    private mutating func impliedKey(
        _ arguments: [WrittenArgument],
        properties: [KeyProperty],
        of type: StructuredTypeID,
        at path: EntityPath
    ) throws(ODataURLError) -> EntityPath.Step? {
        let implied = impliedValues(path)
        let missing = properties.filter { property in
            !implied.contains { $0.name == property.path }
        }
        guard missing.count == arguments.count, missing.count < properties.count else { return nil }
        var values: [Scalar] = []
        for property in properties {
            if let known = implied.first(where: { $0.name == property.path }) {
                values.append(known.value)
            } else {
                let argument = try argument(for: property, among: arguments, missing.count)
                values.append(try keyValue(argument, property: property, of: type))
            }
        }
        return .key(values)
    }

    /// Returns what the partner of the navigation property just followed says of the properties of its entities.
    private func impliedValues(_ path: EntityPath) -> [(name: String, value: Scalar)] {
        guard path.steps.count >= 2, case .navigation(let id, _) = path.steps[path.steps.count - 1],
            case .key(let parent) = path.steps[path.steps.count - 2], let target = model[id].target
        else { return [] }
        let back = model[id].partner.flatMap { model.navigationProperty($0, of: target) }
        let constraints = back.map { model[$0].referentialConstraints } ?? []
        let names = model.key(of: id.type).map(\.path)
        return (constraints.isEmpty ? model[id].dependentConstraints : constraints).compactMap {
            constraint in
            guard let index = names.firstIndex(of: constraint.referencedProperty),
                index < parent.count
            else { return nil }
            return (constraint.property, parent[index])
        }
    }

    private func localID(_ argument: WrittenArgument) throws(ODataURLError) -> EntityPath.Step {
        guard case .literal(let literal) = argument.value.node, literal.kind == .string else {
            throw ODataURLError(
                .type,
                at: argument.value.offset,
                "a local id is a string",
                expected: ["'…'"]
            )
        }
        return .localID(literal.text)
    }

    private func argument(
        for property: KeyProperty,
        among arguments: [WrittenArgument],
        _ count: Int
    ) throws(ODataURLError) -> WrittenArgument {
        if let named = arguments.first(where: { $0.name == property.name }) { return named }
        if count == 1, arguments[0].name == nil { return arguments[0] }
        let fault = arguments.first { $0.name != nil } ?? arguments[0]
        throw ODataURLError(
            .unknownName,
            at: fault.offset,
            "the key has a part \(property.name) that is not given",
            found: fault.name ?? "",
            expected: [property.name + "="]
        )
    }

    private mutating func keyValue(
        _ argument: WrittenArgument,
        property: KeyProperty,
        of type: StructuredTypeID
    ) throws(ODataURLError) -> Scalar {
        let form = keyForm(property, of: type)
        let scope = BindingScope(.entity(type, nil))
        isInKey = true
        defer { isInKey = false }
        let bound = try expression(argument.value, in: scope, wanted: form)
        guard case .literal(let value, let found) = bound else {
            throw ODataURLError(
                .type,
                at: argument.value.offset,
                "the value of \(property.name) is no literal that a key can have"
            )
        }
        guard let form, found != form else { return value }
        // Numbers that do not fit exactly equal no key; the form has no meaning then.
        throw ODataURLError(
            .type,
            at: argument.value.offset,
            "the value does not fit \(property.name)",
            expected: [describe(form)]
        )
    }

    /// Returns the form of a key property, which may be inside complex properties.
    func keyForm(_ key: KeyProperty, of type: StructuredTypeID) -> ScalarForm? {
        var owner = type
        var reference: TypeReference?
        for name in key.path.split(separator: "/") {
            if case .structured(let next)? = reference?.type { owner = next }
            reference = model.property(String(name), of: owner)?.type
        }
        return reference.flatMap { ScalarForm($0, in: model) }
    }

    // MARK: Keys as segments

    /// Takes segments as the values of a key (OData 4.01 Part 2 § 4.3.6).
    mutating func keySegment(
        _ segment: WrittenSegment,
        path: inout EntityPath,
        walk: inout ResourceWalk
    ) throws(ODataURLError) -> Bool {
        guard !path.isSingle(in: model), version.isV4, let type = path.entityType(in: model) else {
            throw segment.fault
                ?? ODataURLError(.syntax, at: segment.offset, "no name", found: segment.text)
        }
        var values: [Scalar] = []
        for property in model.key(of: type) {
            guard let part = walk.next, let form = keyForm(property, of: type) else {
                throw ODataURLError(
                    .meaning,
                    at: segment.offset,
                    "the key of \(model[type].name) has more parts",
                    expected: model.key(of: type).map(\.name)
                )
            }
            let text = Array(part.text.utf8)
            guard let value = form.parse(text.span, in: model), !form.cuts(text.span) else {
                throw notAKey(part, property: property, as: form, of: type)
            }
            values.append(value.scalar)
            walk.index += 1
        }
        path.steps.append(.key(values))
        return true
    }

    private func notAKey(
        _ part: WrittenSegment,
        property: KeyProperty,
        as form: ScalarForm,
        of type: StructuredTypeID
    ) -> ODataURLError {
        if let fault = part.fault { return fault }
        return ODataURLError(
            .unknownName,
            at: part.offset,
            "a collection of \(model[type].name) has no such member, nor is this a value of \(property.name)",
            found: part.text,
            expected: [describe(form), "$count", "$filter(…)"]
        )
    }
}
