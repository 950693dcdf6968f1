public import ODataURL
public import ODataValues
import ODataModel

/// A transformation of `$apply`, bound (OData Extension for Data Aggregation 4.0 § 3).
public indirect enum BoundTransformation: Sendable {
    /// `filter(…)`: items that meet a condition.
    case filter(BoundExpression)
    /// `search(…)`: items that match a search.
    case search(SearchExpression)
    /// `compute(…)`: items with further properties.
    case compute([BoundCompute])
    /// One row with these values and nothing else.
    case aggregate([BoundAggregate])
    /// A row for each combination of the groupings, each with what the transformations make of its group.
    case groupBy([BoundGrouping], [BoundTransformation])
    /// The rows of each sequence, one after the other.
    case concat([[BoundTransformation]])
    /// `orderby(…)`: items in an order.
    case orderBy([OrderItem])
    /// `top(…)`: the first items.
    case top(Int)
    /// `skip(…)`: the items after the first ones.
    case skip(Int)
    /// Rows with the largest or smallest values: `amount` is a count, a percentage or a sum.
    case ranked(Ranking, amount: BoundExpression, by: BoundExpression)
    /// `identity`: the items unchanged.
    case identity

    /// Which rows `topcount` and its kin keep.
    public enum Ranking: String, Sendable, CaseIterable {
        /// The transformations of these names (OData Data Aggregation 4.0 § 3.3).
        case topcount, toppercent, topsum, bottomcount, bottompercent, bottomsum
    }
}

/// A value that `$compute` or `compute(…)` adds to each row.
public struct BoundCompute: Sendable {
    /// Name of the value, by which later expressions, `$select` and answers know it.
    public var name: String
    /// The value.
    public var expression: BoundExpression

    /// Creates a computed value.
    public init(name: String, expression: BoundExpression) {
        self.name = name
        self.expression = expression
    }
}

/// A value that `aggregate(…)` computes over rows.
public struct BoundAggregate: Sendable {
    /// How many values become one.
    public enum Method: String, Sendable, CaseIterable {
        /// The standard methods (OData Data Aggregation 4.0 § 3.2.1).
        case sum, min, max, average
        /// The number of distinct values.
        case countDistinct = "countdistinct"
        /// The number of rows, or of members of `collection`.
        case count
    }

    /// Name of the result.
    public var name: String
    /// How it is computed.
    public var method: Method
    /// A collection whose members are aggregated rather than the rows themselves.
    public var collection: BoundPath?
    /// The value of one row, or of a member of `collection`, which is `.lambda(1)` then; nil for `count`.
    public var expression: BoundExpression?

    /// Creates an aggregate.
    public init(
        name: String,
        method: Method,
        collection: BoundPath? = nil,
        expression: BoundExpression? = nil
    ) {
        self.name = name
        self.method = method
        self.collection = collection
        self.expression = expression
    }

    /// Numbers of items are decimals without fraction (OData Data Aggregation 4.0 §§ 3.2.1.3.5, 3.2.1.4).
    package static let countForm = ScalarForm.scaledDecimal(scale: 0)

    /// The form of the result; nil where it is not known.
    public var form: ScalarForm? {
        switch method {
        case .count, .countDistinct: Self.countForm
        case .min, .max: expression?.form
        case .sum:
            switch expression?.form {
            case .integer: .integer(.int64)
            case .scaledDecimal: .decimalText
            case .single: .double
            case let form: form
            }
        case .average:
            expression?.form == .double || expression?.form == .single ? .double : .decimalText
        }
    }
}

/// What rows are grouped by.
public enum BoundGrouping: Sendable {
    /// A property to group by.
    case path(BoundPath)
    /// Groups by all levels, by all but the last, and so on down to the first (Aggregation 4.0 § 3.2.3.2).
    case rollup([BoundPath])
}
