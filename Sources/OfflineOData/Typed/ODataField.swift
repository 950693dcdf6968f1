public import ODataBinding

/// A property in a condition or an order of a typed query.
public struct ODataField<Value: Sendable>: Sendable {
    /// Where it is.
    public let place: ODataPlace
    let form: ODataLiteralForm

    /// Creates the property of a name at a place.
    public init(_ place: ODataPlace, _ name: String, as form: ODataLiteralForm = .standard) {
        self.place = place.member(name)
        self.form = form
    }

    /// The value, for conditions that this type has no words for.
    public var expression: QueryExpression { place.expression }
}

// MARK: - Comparisons

extension ODataField where Value: ODataLiteral {
    private func literal(_ value: Value) -> QueryExpression { value.odataLiteral(as: form) }

    /// The operator `eq`.
    public static func == (field: Self, value: Value) -> QueryExpression {
        field.expression == field.literal(value)
    }

    /// The operator `ne`.
    public static func != (field: Self, value: Value) -> QueryExpression {
        field.expression != field.literal(value)
    }

    /// The operator `lt`.
    public static func < (field: Self, value: Value) -> QueryExpression {
        field.expression < field.literal(value)
    }

    /// The operator `le`.
    public static func <= (field: Self, value: Value) -> QueryExpression {
        field.expression <= field.literal(value)
    }

    /// The operator `gt`.
    public static func > (field: Self, value: Value) -> QueryExpression {
        field.expression > field.literal(value)
    }

    /// The operator `ge`.
    public static func >= (field: Self, value: Value) -> QueryExpression {
        field.expression >= field.literal(value)
    }

    /// Compares two properties of one type.
    public static func == (left: Self, right: Self) -> QueryExpression {
        left.expression == right.expression
    }

    /// Compares two properties of one type.
    public static func != (left: Self, right: Self) -> QueryExpression {
        left.expression != right.expression
    }

    /// Compares two properties of one type.
    public static func < (left: Self, right: Self) -> QueryExpression {
        left.expression < right.expression
    }

    /// Compares two properties of one type.
    public static func > (left: Self, right: Self) -> QueryExpression {
        left.expression > right.expression
    }

    /// Whether the value is one of a list.
    public func isIn(_ values: [Value]) -> QueryExpression { expression.isIn(values.map(literal)) }
}

// MARK: - Texts

extension ODataField where Value == String {
    /// Whether the text holds another.
    public func contains(_ text: String) -> QueryExpression { expression.contains(.string(text)) }

    /// Whether the text begins with another.
    public func startsWith(_ text: String) -> QueryExpression {
        expression.startsWith(.string(text))
    }

    /// Whether the text ends with another.
    public func endsWith(_ text: String) -> QueryExpression { expression.endsWith(.string(text)) }
}

extension ODataField where Value == String? {
    /// Whether the text holds another; null does not.
    public func contains(_ text: String) -> QueryExpression { expression.contains(.string(text)) }

    /// Whether the text begins with another; null does not.
    public func startsWith(_ text: String) -> QueryExpression {
        expression.startsWith(.string(text))
    }

    /// Whether the text ends with another; null does not.
    public func endsWith(_ text: String) -> QueryExpression { expression.endsWith(.string(text)) }
}

// MARK: - Flags and collections

extension ODataField where Value: ODataFlags {
    /// Whether all of these flags are set.
    public func has(_ flags: Value) -> QueryExpression {
        expression.has(flags.odataLiteral(as: .standard))
    }
}

extension ODataField {
    /// Whether all of these flags are set; null has none.
    public func has<Flags: ODataFlags>(_ flags: Flags) -> QueryExpression where Value == Flags? {
        expression.has(flags.odataLiteral(as: .standard))
    }
}

extension ODataField {
    /// Whether any item of a collection of values meets a condition.
    public func any<Item: ODataLiteral>(
        _ condition: (ODataField<Item>) -> QueryExpression
    ) -> QueryExpression where Value == [Item] {
        place.any { condition(ODataField<Item>(item: ODataPlace($0), as: form)) }
    }

    /// Whether a collection of values holds one.
    public func contains<Item: ODataLiteral>(_ item: Item) -> QueryExpression
    where Value == [Item] {
        any { $0 == item }
    }
}

extension ODataField {
    /// Creates the item of a collection.
    fileprivate init(item place: ODataPlace, as form: ODataLiteralForm) {
        self.place = place
        self.form = form
    }
}
