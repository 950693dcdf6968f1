/// A transformation of `$apply`, or the list of transformations in the place of one.
public struct WrittenTransformation: Sendable {
    /// Where it stands.
    public var offset: Int
    /// Name in small letters; qualified for custom ones.
    public var name: String
    /// What stands in the parentheses.
    public var arguments: [Argument]

    /// An argument of a transformation.
    public indirect enum Argument: Sendable {
        case expression(WrittenExpression)
        case search(SearchExpression)
        /// `path with method from … as name`, or `$count as name`.
        case aggregate(WrittenAggregate)
        case compute(WrittenComputeItem)
        case order(WrittenOrderItem)
        /// Grouping paths, `rollup(…)` among them.
        case grouping([WrittenGrouping])
        case sequence([WrittenTransformation])
        case path([WrittenPathName])
        case number(Int)
        case word(String)
    }
}

/// An item of `aggregate(…)`.
public struct WrittenAggregate: Sendable {
    /// Where it stands.
    public var offset: Int
    /// What is aggregated; nil for `$count`.
    public var expression: WrittenExpression?
    /// The method after `with`: sum, min, max, average, countdistinct or a qualified name.
    public var method: String?
    /// Steps of `from path with method`.
    public var from: [From]
    /// The name after `as`.
    public var alias: String?

    /// A step of `from`.
    public struct From: Sendable {
        /// The property aggregated over.
        public var path: [WrittenPathName]
        /// The method.
        public var method: String?
    }
}

/// A grouping of `groupby`.
public enum WrittenGrouping: Sendable {
    case path([WrittenPathName])
    /// `rollup(…)`: the levels, `$all` first where written.
    case rollup([[WrittenPathName]], offset: Int)
}
