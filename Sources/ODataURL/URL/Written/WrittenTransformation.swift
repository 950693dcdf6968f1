/// A transformation of `$apply`, or the list of transformations in the place of one.
public struct WrittenTransformation: Sendable {
    /// Where it stands.
    public var offset: Int
    /// Name in small letters; qualified for custom ones.
    public var name: String
    /// What stands in the parentheses.
    public var arguments: [Argument]

    package init(offset: Int, name: String, arguments: [Argument]) {
        self.offset = offset
        self.name = name
        self.arguments = arguments
    }

    /// An argument of a transformation.
    public indirect enum Argument: Sendable {
        /// An expression.
        case expression(WrittenExpression)
        /// A search expression.
        case search(SearchExpression)
        /// `path with method from … as name`, or `$count as name`.
        case aggregate(WrittenAggregate)
        /// A computed property.
        case compute(WrittenComputeItem)
        /// An item of an order.
        case order(WrittenOrderItem)
        /// Grouping paths, `rollup(…)` among them.
        case grouping([WrittenGrouping])
        /// A sequence of transformations.
        case sequence([WrittenTransformation])
        /// A path of properties.
        case path([WrittenPathName])
        /// A number of items.
        case number(Int)
        /// `preorder`, `postorder`, `keep start`, or the qualifier of a hierarchy.
        case word(String)
        /// A path or a sequence with the name that it gets.
        case named(Argument, as: String)
        /// An argument of a function of the service.
        case parameter(WrittenArgument)
    }
}

/// An item of `aggregate(…)`.
public struct WrittenAggregate: Sendable {
    /// Where it stands.
    public var offset: Int
    /// What is aggregated; a path of `$count` alone for the number of items.
    public var expression: WrittenExpression?
    /// The method after `with`: sum, min, max, average, countdistinct or a qualified name.
    public var method: String?
    /// Steps of `from path with method`.
    public var from: [From]
    /// The name after `as`.
    public var alias: String?

    /// Creates an item without method.
    package init(offset: Int, expression: WrittenExpression?) {
        self.offset = offset
        self.expression = expression
        from = []
    }

    /// A step of `from`.
    public struct From: Sendable {
        /// The properties aggregated over.
        public var paths: [[WrittenPathName]]
        /// The method.
        public var method: String?
    }
}

/// A grouping of `groupby`.
public enum WrittenGrouping: Sendable {
    /// A path of properties to group by.
    case path([WrittenPathName])
    /// `rollup(…)`: the levels, or the qualifier of a hierarchy.
    case rollup([[WrittenPathName]], offset: Int)
    /// `rolluprecursive(…)`.
    case rollupRecursive(WrittenTransformation)
}
