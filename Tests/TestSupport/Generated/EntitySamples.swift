import ODataValues
package import ODataModel

/// Makes JSON objects of entities with every property of their type, values at the ends of their ranges.
package struct EntitySamples {
    /// Which values an entity gets.
    package enum Style: Int, CaseIterable, Sendable {
        case lowest
        case highest
        case odd
        case null
    }

    private let model: EdmModel
    private var derived: [StructuredTypeID: [StructuredTypeID]] = [:]
    /// Complex values nested deeper are left out or empty.
    private static let maximumDepth = 3
    /// Properties of complex values that are nested more than once are taken up to this number.
    private static let maximumNestedMembers = 40

    /// Creates samples of a model's entities.
    package init(_ model: EdmModel) { self.model = model }

    /// Returns the text of an entity; properties that `isLeftOut` names are not in it.
    package mutating func entity(
        _ type: StructuredTypeID,
        _ style: Style,
        declared: StructuredTypeID,
        isLeftOut: (String) -> Bool = { _ in false }
    ) -> String {
        var members: [String] = []
        if type != declared { members.append("\"@odata.type\":\"#\(model[type].name)\"") }
        let keys = Set(model.key(of: type).map(\.path))
        for property in model.properties(of: type) where !isLeftOut(property.name) {
            guard var value = value(of: property, style, depth: 0) else { continue }
            // A key with more digits than are kept is refused.
            if keys.contains(property.name) { value = value.replacing("789012Z", with: "7Z") }
            members.append("\"\(property.name)\":\(value)")
        }
        if model[type].isOpen {
            members.append("\"Dynamic_\u{E4}\":{\"a\":[1.50,null,\"x\\u0000\"]},\"Dynamic2\":-0.10")
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// The value of a property; nil for streams, which have none.
    private mutating func value(of property: StructuralProperty, _ style: Style, depth: Int)
        -> String?
    {
        if case .primitive(.stream) = property.type.type { return nil }
        if property.type.isCollection { return collection(property, style, depth: depth) }
        if style == .null, property.isNullable { return "null" }
        return single(property, style, depth: depth)
    }

    private mutating func collection(_ property: StructuralProperty, _ style: Style, depth: Int)
        -> String?
    {
        guard depth < Self.maximumDepth, style != .null else { return "[]" }
        var items = [Style.lowest, .odd].compactMap { single(property, $0, depth: depth + 1) }
        if property.isNullable { items.append("null") }
        return "[" + items.joined(separator: ", ") + "]"
    }

    private mutating func single(_ property: StructuralProperty, _ style: Style, depth: Int)
        -> String?
    {
        if case .structured(let complex) = property.type.type {
            return self.complex(complex, style, isNullable: property.isNullable, depth: depth)
        }
        guard let form = ScalarForm(property.type, in: model) else { return "{\"any\":[1,\"x\"]}" }
        var facets = property.type.facets
        if case .definition(let id) = property.type.type {
            facets = facets.fillingGaps(from: model[id].facets)
        }
        return ScalarSamples.text(form, facets, style, model)
    }

    private mutating func complex(
        _ type: StructuredTypeID,
        _ style: Style,
        isNullable: Bool,
        depth: Int
    ) -> String {
        guard depth < Self.maximumDepth else { return isNullable ? "null" : "{}" }
        let actual = style == .odd ? concrete(type) : type
        var members = actual == type ? [] : ["\"@odata.type\":\"#\(model[actual].name)\""]
        for property in model.properties(of: actual).prefix(
            depth > 1 ? Self.maximumNestedMembers : .max
        ) {
            guard let value = value(of: property, style, depth: depth + 1) else { continue }
            members.append("\"\(property.name)\":\(value)")
        }
        if model[actual].isOpen { members.append("\"Dynamic\":\"\\u00e4\"") }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// A type that extends the given one, where there is one.
    private mutating func concrete(_ type: StructuredTypeID) -> StructuredTypeID {
        let family = derived[type] ?? model.hierarchy(below: type)
        derived[type] = family
        return family.last { !model[$0].isAbstract } ?? type
    }
}
