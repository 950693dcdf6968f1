public import ODataURL

/// An expression of a query made in Swift; it becomes the same tree as the text of a URL.
///
///     .property("Price") > 100 && .property("Name").contains("chair")
///
/// Values stay values: nothing is ever put into text and read again.
public struct QueryExpression: Sendable {
    /// The written form; it has no place in any text.
    let node: WrittenExpression.Node

    /// Creates an expression from a written form.
    init(_ node: WrittenExpression.Node) {
        self.node = node
    }

    var written: WrittenExpression { WrittenExpression(at: 0, node) }

    // MARK: Paths and values

    /// A property, or a path of names between slashes: `Name`, `Category/Name`, `NS.Derived/Extra`.
    public static func property(_ path: String) -> Self {
        Self(.path(members(path)))
    }

    /// The current item where it is a value and not an entity.
    public static let item = Self(.path([WrittenMember(at: 0, .variable("$it"))]))

    /// Null.
    public static let null = Self(.literal(WrittenLiteral(.null, "null")))

    /// A value in the form that URLs write it, without quotes: a date, a guid, a decimal of any length.
    public static func literal(_ kind: WrittenLiteral.Kind, _ text: String) -> Self {
        Self(.literal(WrittenLiteral(kind, text)))
    }

    /// A value of an enumeration type: members separated by commas.
    public static func enumeration(_ type: String, _ members: String) -> Self {
        .literal(.enumeration(type: type), members)
    }

    /// A call of a canonical function by its name in URLs.
    public static func call(_ function: FilterFunction, _ arguments: Self...) -> Self {
        call(function.rawValue, arguments: arguments)
    }

    /// A state of the entity in an offline store, or of the one that a path leads to.
    public static func state(_ state: EntityState, of path: String? = nil) -> Self {
        call(state.rawValue, arguments: path.map { [.property($0)] } ?? [])
    }

    private static func call(_ name: String, arguments: [Self]) -> Self {
        let written = arguments.map {
            WrittenArgument(offset: 0, name: nil, value: $0.written, text: "")
        }
        return Self(.path([WrittenMember(at: 0, .call(name, written))]))
    }

    /// Returns the members of a path.
    static func members(_ path: String) -> [WrittenMember] {
        path.split(separator: "/", omittingEmptySubsequences: false).map {
            WrittenMember(at: 0, .name(String($0)))
        }
    }

    // MARK: Functions of strings

    /// Whether a string holds another.
    public func contains(_ text: Self) -> Self { .call(.contains, self, text) }

    /// Whether a string begins with another.
    public func startsWith(_ text: Self) -> Self { .call(.startswith, self, text) }

    /// Whether a string ends with another.
    public func endsWith(_ text: Self) -> Self { .call(.endswith, self, text) }

    // MARK: Lists and flags

    /// Whether the value is one of a list.
    public func isIn(_ list: [Self]) -> Self { Self(.isIn(written, list.map(\.written))) }

    /// Whether all flags of an enumeration value are set.
    public func has(_ flags: Self) -> Self { Self(.has(written, flags.written)) }

    // MARK: Collections

    /// Whether any item of a collection meets a condition; the closure gets the item as the beginning of paths.
    public static func any(_ path: String, _ condition: (QueryItem) -> Self) -> Self {
        quantified(.any, from: nil, at: path, condition: condition)
    }

    /// Whether every item of a collection meets a condition.
    public static func all(_ path: String, _ condition: (QueryItem) -> Self) -> Self {
        quantified(.all, from: nil, at: path, condition: condition)
    }

    /// The number of items of a collection, those that meet the condition.
    public static func count(_ path: String, where condition: Self? = nil) -> Self {
        var options: WrittenOptions?
        if let condition {
            options = WrittenOptions()
            options?.filter = condition.written
        }
        return Self(.path(members(path) + [WrittenMember(at: 0, .count(options))]))
    }

    static func quantified(
        _ quantifier: Quantifier,
        from outer: QueryItem?,
        at path: String,
        condition: (QueryItem) -> Self
    ) -> Self {
        // The name is that of the path: lambdas over different collections do not hide each other's items.
        let item = QueryItem(name: (outer?.name ?? "") + "$" + path)
        let lambda = WrittenMember.Kind.lambda(
            quantifier,
            variable: item.name,
            condition(item).written
        )
        let start = outer.map { [WrittenMember(at: 0, .name($0.name))] } ?? []
        return Self(.path(start + members(path) + [WrittenMember(at: 0, lambda)]))
    }
}

/// An item of a collection inside `any` and `all`.
public struct QueryItem: Sendable {
    /// A name that no property can have.
    let name: String

    /// The item itself, for collections of values.
    public var value: QueryExpression {
        QueryExpression(.path([WrittenMember(at: 0, .name(name))]))
    }

    /// A property of the item, or a path from it.
    public func property(_ path: String) -> QueryExpression {
        let start = [WrittenMember(at: 0, .name(name))]
        return QueryExpression(.path(start + QueryExpression.members(path)))
    }

    /// Whether any item of a collection of this item meets a condition.
    public func any(_ path: String, _ condition: (QueryItem) -> QueryExpression) -> QueryExpression
    {
        .quantified(.any, from: self, at: path, condition: condition)
    }

    /// Whether every item of a collection of this item meets a condition.
    public func all(_ path: String, _ condition: (QueryItem) -> QueryExpression) -> QueryExpression
    {
        .quantified(.all, from: self, at: path, condition: condition)
    }
}
