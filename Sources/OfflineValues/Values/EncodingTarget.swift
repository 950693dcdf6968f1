package import ODataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The entity that a value is encoded for: the types of its properties, and the values that it has.
package struct EncodingTarget {
    private let model: EdmModel
    private let type: StructuredTypeID?
    private let present: ODataValue

    package init(_ entity: EntityValue, in model: EdmModel) {
        self.model = model
        type =
            entity["@odata.type"]?.stringValue
            .flatMap { model.structuredType(named: String($0.drop { $0 == "#" })) }
            ?? model.navigationSource(named: entity.entitySet).flatMap { model.entityType(of: $0) }
        present = .object(entity.members)
    }

    /// Returns the member that says of which type an entity is to be, where the type of the value stands for one that derives from
    /// that of the set.
    package func statedType(of value: some Encodable) -> [(name: String, value: ODataValue)] {
        guard let name = (Swift.type(of: value) as? any ODataNamedType.Type)?.odataType,
            let own = model.structuredType(named: name), let type, own != type,
            model.type(own, isOrExtends: type)
        else { return [] }
        return [(name: "@odata.type", value: .string("#" + name))]
    }

    /// Returns the value of a date in the form and with the digits that the property at a path takes.
    func encoded(_ date: Date, at path: [any CodingKey]) -> ODataValue {
        guard let (type, facets) = property(at: path)?.type.primitive(in: model) else {
            return ODataValue(date)
        }
        if type == .date, let day = DateText.day(date) { return .string(day) }
        return facets.precision.map { ODataValue(date, fractionDigits: $0) } ?? ODataValue(date)
    }

    /// Returns the value that the entity has at a path where it is read as this one, which may say less: a `Decimal` has 38 digits.
    func kept<Value: Decodable & Equatable>(_ value: Value, at path: [any CodingKey]) -> ODataValue?
    {
        var found: ODataValue? = present
        for key in path { found = found?[key.stringValue] }
        guard let found,
            let read = try? ODataValueDecoder(found, at: path, in: { model }).value(of: Value.self),
            read == value
        else { return nil }
        return found
    }

    /// Returns a member that was changed with what the entity has of it besides, which the type of the value does not know.
    func restored(_ value: ODataValue, before: ODataValue?, named name: String) throws -> ODataValue
    {
        try ValueRestoration(model: model).restored(
            .init(given: value, before: before, held: present[name]),
            at: [name],
            of: type
        )
    }

    /// Returns a value with null for members that the entity had before and that the value leaves out.
    func clearing(_ value: ODataValue, before: ODataValue, at path: [String] = []) -> ODataValue {
        guard case .object(let members) = value, case .object(let old) = before else {
            return value
        }
        let given = members.map { member in
            let past = before[member.name] ?? .null
            return (member.name, clearing(member.value, before: past, at: path + [member.name]))
        }
        let cleared = old.filter { member in
            !member.value.isNull && value[member.name] == nil && !member.name.hasPrefix("@")
                && !isNavigation(path + [member.name])
        }
        return .object(given + cleared.map { ($0.name, .null) })
    }

    // MARK: Types

    private func property(at path: [any CodingKey]) -> StructuralProperty? {
        guard let last = path.last, let owner = owner(of: path.map(\.stringValue)) else {
            return nil
        }
        return model.property(last.stringValue, of: owner)
    }

    private func isNavigation(_ path: [String]) -> Bool {
        guard let last = path.last, let owner = owner(of: path) else { return false }
        return model.navigationProperty(last, of: owner) != nil
    }

    /// The type that declares the last property of a path.
    private func owner(of path: [String]) -> StructuredTypeID? {
        path.dropLast().reduce(type) { type, name in
            type.flatMap { model.structuredType(of: name, in: $0) }
        }
    }
}

extension EdmModel {
    /// The type of the entities or complex values that a property has; nil where it has others.
    func structuredType(of property: String, in type: StructuredTypeID) -> StructuredTypeID? {
        if case .structured(let id)? = self.property(property, of: type)?.type.type { return id }
        return navigationProperty(property, of: type).flatMap { self[$0].target }
    }
}

extension TypeReference {
    /// The primitive type, that of a type definition with its facets; nil where it is none.
    func primitive(in model: EdmModel) -> (type: PrimitiveType, facets: Facets)? {
        switch type {
        case .primitive(let type): (type, facets)
        case .definition(let id):
            (model[id].underlyingType, facets.precision == nil ? model[id].facets : facets)
        default: nil
        }
    }
}
