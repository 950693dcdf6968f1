package import ODataModel
package import ODataProtocol

/// What the model says of the columns that entities of one type have, looked up once for all changes.
package final class TypeColumns: Sendable {
    /// The property whose value, or whose part, a column holds.
    package final class Rule: Sendable {
        /// The property at the head of the column's path.
        package let property: StructuralProperty
        /// Facets of the value itself; nil where the path leads into what has none.
        package let facets: Facets?
        /// Whether the service alone sets the value.
        package let isServiceMade: Bool
        /// Whether the value can be given with the creation only.
        package let isImmutable: Bool
        /// Whether facets limit the values.
        package let isLimited: Bool
        /// Whether a created entity may come without the value, since the service makes it.
        package let isMadeWhenAbsent: Bool

        init(_ property: StructuralProperty, facets: Facets?) {
            self.property = property
            self.facets = facets
            isServiceMade = property.isComputed || property.isReadOnly
            isImmutable = property.isImmutable
            isLimited =
                facets.map { $0.maxLength != nil || $0.precision != nil || $0.scale != nil }
                ?? false
            isMadeWhenAbsent = isServiceMade || property.hasComputedDefault
        }
    }

    /// Places of the type's columns.
    package let places: [Int]
    /// Those of them that cannot be null.
    package let required: [Int]
    /// Those that hold collections.
    package let collections: [Int]
    /// Values that the document declares for properties which a created entity does not mention.
    package let defaults: [(place: Int, value: Scalar)]
    /// Whether rows of the table are nothing but values in columns: no JSON, no dynamic properties.
    package let isFlat: Bool
    private let rules: [Rule?]

    init(of type: StructuredTypeID, in table: TableLayout, _ model: EdmModel) {
        let columns = table.columns
        let places = table.columns(of: type, in: model)
        let properties = model.properties(of: type)
        // The first of a name is the one that look-ups find.
        let named = Dictionary(properties.map { (Array($0.name.utf8), $0) }) { first, _ in first }
        rules = columns.map { column in
            named[Array(column.path[0].utf8)].map {
                Rule($0, facets: Self.facets(of: column.path[...], $0, model))
            }
        }
        self.places = places
        required = places.filter { !columns[$0].isNullable && columns[$0].kind != .presence }
        func place(of property: StructuralProperty) -> Int? {
            places.first { columns[$0].path == [property.name] }
        }
        collections = properties.filter(\.type.isCollection).compactMap(place)
        defaults = properties.compactMap { property in
            guard let text = property.defaultValue, let place = place(of: property),
                let value = columns[place].form?.parse(Array(text.utf8).span, in: model)
            else { return nil }
            return (place, value.scalar)
        }
        isFlat =
            !table.hasOverflow && !table.types.contains { model[$0].isOpen }
            && !columns.contains { $0.kind == .json }
    }

    /// The rule of the column at a place; nil where the type has no such property.
    package subscript(place: Int) -> Rule? { rules[place] }

    private static func facets(
        of path: ArraySlice<String>,
        _ property: StructuralProperty,
        _ model: EdmModel
    ) -> Facets? {
        let rest = path.dropFirst()
        guard let next = rest.first else { return property.type.facets }
        guard case .structured(let inner) = property.type.type,
            let leaf = model.property(next, of: inner)
        else { return nil }
        return facets(of: rest, leaf, model)
    }
}
