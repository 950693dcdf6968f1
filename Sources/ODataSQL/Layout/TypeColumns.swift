package import ODataValues
package import ODataModel

/// What the model says of the columns that entities of one type have, looked up once for all changes.
package final class TypeColumns: Sendable {
    /// The property whose value, or whose part, a column holds.
    package final class Rule: Sendable {
        /// The property at the head of the column's path.
        package let property: StructuralProperty
        /// The property at the end of the column's path; nil where the path leads into what is not declared.
        package let leaf: StructuralProperty?
        /// Facets of the value itself; nil where the path leads into what has none.
        package let facets: Facets?
        /// Whether the service alone sets the value.
        package let isServiceMade: Bool
        /// Whether the value can be given with the creation only.
        package let isImmutable: Bool
        /// How many characters a text may have at most.
        package let maximumLength: Int?
        /// What the integer that a decimal is kept as must stay below, at its scale.
        package let limit: UInt64?
        /// Whether nothing of the value is to be checked: neither facets nor the shape of JSON.
        package let isFree: Bool
        /// Whether a created entity may come without the value, since the service makes it.
        package let isMadeWhenAbsent: Bool

        /// Whether a value plainly keeps to the facets; where it is not plain, they have to be looked at.
        package func allows(_ value: Scalar, exact: String?) -> Bool {
            if isFree { return true }
            switch value {
            // No text has more characters than bytes.
            case .text(let text): return maximumLength.map { text.utf8.count <= $0 } ?? false
            case .integer(let number):
                return exact == nil && limit.map { number.magnitude < $0 } ?? false
            case .null, .real, .blob: return false
            }
        }

        init(
            _ property: StructuralProperty,
            leaf: StructuralProperty?,
            facets: Facets?,
            column: Column
        ) {
            self.property = property
            self.leaf = leaf
            self.facets = facets
            isServiceMade = property.isComputed || property.isReadOnly
            isImmutable = property.isImmutable
            let isLimited =
                facets?.maxLength != nil || facets?.precision != nil || facets?.scale != nil
            let isEnumeration = if case .enumeration? = column.form { true } else { false }
            isFree = !isLimited && !isEnumeration && column.kind != .json
            maximumLength =
                if case .length(let length)? = facets?.maxLength, column.form == .string {
                    length
                } else { nil }
            limit =
                if case .scaledDecimal? = column.form, let digits = facets?.precision,
                    (0...ScalarForm.largestScaledPrecision).contains(digits)
                {
                    (0..<digits).reduce(1) { power, _ in power * 10 }
                } else { nil }
            isMadeWhenAbsent = isServiceMade || property.hasComputedDefault
        }
    }

    /// Places of the type's columns.
    package let places: [Int]
    /// Those of them that cannot be null.
    package let required: [Int]
    /// Those that hold collections.
    package let collections: [Int]
    /// Values that the document declares for properties which a created entity does not mention, those of complex values
    /// behind the place that says whether there is one.
    package let defaults: [Default]
    /// Places that say whether there is a complex value, of those that cannot be null, the outer before the inner.
    package let requiredComplex: [Presence]
    private let defaultPlaces: Set<Int>

    /// A declared default value; of a collection in a complex value, which has no null, the empty one.
    package struct Default: Sendable {
        package let place: Int
        package let value: Scalar
        /// The place of the complex value around it; nil for a property of the entity.
        package let presence: Int?
    }

    /// A complex value that is kept in columns.
    package struct Presence: Sendable {
        package let place: Int
        /// The place of the complex value around it; nil for a property of the entity.
        package let outer: Int?
        /// Whether all that must be in it has a default value, so that it can be made of them.
        package let isMadeOfDefaults: Bool
    }
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
                let leaf = Self.leaf(of: column.path[...], property: $0, in: model)
                return Rule($0, leaf: leaf, facets: leaf?.type.facets(in: model), column: column)
            }
        }
        self.places = places
        required = places.filter { !columns[$0].isNullable && columns[$0].kind != .presence }
        func presence(around place: Int) -> Int? {
            let path = columns[place].path.dropLast()
            return path.isEmpty
                ? nil
                : places.first { columns[$0].kind == .presence && columns[$0].path[...] == path }
        }
        func place(of property: StructuralProperty) -> Int? {
            places.first { columns[$0].path == [property.name] }
        }
        collections = properties.filter(\.type.isCollection).compactMap(place)
        defaults = places.compactMap { place in
            let column = columns[place]
            guard let head = named[Array(column.path[0].utf8)],
                let leaf = Self.leaf(of: column.path[...], property: head, in: model),
                let value = Self.defaultValue(of: leaf, in: column, model)
            else { return nil }
            return Default(place: place, value: value, presence: presence(around: place))
        }
        defaultPlaces = Set(defaults.map(\.place))
        let withDefault = defaultPlaces
        requiredComplex = places.filter {
            !columns[$0].isNullable && columns[$0].kind == .presence
        }
        .sorted { columns[$0].path.count < columns[$1].path.count }
        .map { place in
            let missing = places.contains {
                !columns[$0].isNullable && columns[$0].kind != .presence
                    && columns[$0].path.starts(with: columns[place].path)
                    && !withDefault.contains($0)
            }
            return Presence(
                place: place,
                outer: presence(around: place),
                isMadeOfDefaults: !missing
            )
        }
        isFlat =
            !table.hasOverflow && !table.types.contains { model[$0].isOpen }
            && !columns.contains { $0.kind == .json }
    }

    /// Values of an entity that mentions nothing: declared defaults, empty collections, and complex values made of defaults.
    package var valuesWhenAbsent: [Int: Scalar] {
        eachValueWhenAbsent.reduce(into: [:]) { values, known in
            guard known.presence.map({ values[$0] != nil }) ?? true else { return }
            values[known.place] = known.value
        }
    }

    /// Values of properties that an entity, or a complex value that it has, does not mention: what is around others comes first.
    package var eachValueWhenAbsent: [Default] {
        let complex = requiredComplex.filter(\.isMadeOfDefaults).map {
            Default(place: $0.place, value: .integer(1), presence: $0.outer)
        }
        let empty = collections.map { Default(place: $0, value: .text("[]"), presence: nil) }
        return complex + defaults + empty
    }

    /// The rule of the column at a place; nil where the type has no such property.
    package subscript(place: Int) -> Rule? { rules[place] }

    /// Whether the document declares a default value for the property at a place.
    package func hasDefault(_ place: Int) -> Bool { defaultPlaces.contains(place) }

    private static func defaultValue(
        of property: StructuralProperty,
        in column: Column,
        _ model: EdmModel
    ) -> Scalar? {
        if property.type.isCollection { return column.path.count > 1 ? .text("[]") : nil }
        guard let text = property.defaultValue else { return nil }
        return column.form?.parse(Array(text.utf8).span, in: model)?.scalar
    }

    /// The property at the end of a path whose first segment is a given one.
    private static func leaf(
        of path: ArraySlice<String>,
        property: StructuralProperty,
        in model: EdmModel
    ) -> StructuralProperty? {
        let rest = path.dropFirst()
        guard let next = rest.first else { return property }
        guard case .structured(let inner) = property.type.type,
            let leaf = model.property(next, of: inner)
        else { return nil }
        return self.leaf(of: rest, property: leaf, in: model)
    }
}
