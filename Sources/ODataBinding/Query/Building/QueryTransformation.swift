public import ODataURL

/// A transformation of `$apply` made in Swift (OData Extension for Data Aggregation 4.0 § 3.1).
///
///     ODataQuery("Sales").apply(
///         .filter(.property("Amount") > 1),
///         .groupBy(["Customer/Country"], .aggregate(.sum("Amount", as: "Total"), .count(as: "Number")))
///     )
public struct QueryTransformation: Sendable {
    /// The written form; it has no place in any text.
    let written: WrittenTransformation

    private init(_ name: String, arguments: [WrittenTransformation.Argument] = []) {
        written = WrittenTransformation(offset: 0, name: name, arguments: arguments)
    }

    // MARK: Entities

    /// Keeps the entities that meet a condition.
    public static func filter(_ condition: QueryExpression) -> Self {
        Self("filter", arguments: [.expression(condition.written)])
    }

    /// Keeps the entities that a free-text search finds.
    public static func search(_ search: SearchExpression) -> Self {
        Self("search", arguments: [.search(search)])
    }

    /// Adds a computed value to each row.
    public static func compute(_ name: String, _ expression: QueryExpression) -> Self {
        let item = WrittenComputeItem(expression: expression.written, name: name, offset: 0)
        return Self("compute", arguments: [.compute(item)])
    }

    /// Orders the rows.
    public static func orderBy(_ expression: QueryExpression, descending: Bool = false) -> Self {
        let item = WrittenOrderItem(expression: expression.written, isDescending: descending)
        return Self("orderby", arguments: [.order(item)])
    }

    /// Orders the rows by a property, or by a name that a transformation before has given.
    public static func orderBy(_ path: String, descending: Bool = false) -> Self {
        orderBy(.property(path), descending: descending)
    }

    /// Keeps so many rows at most.
    public static func top(_ count: Int) -> Self {
        Self("top", arguments: [.number(max(0, count))])
    }

    /// Leaves out so many rows at the beginning.
    public static func skip(_ count: Int) -> Self {
        Self("skip", arguments: [.number(max(0, count))])
    }

    /// Keeps the rows with the largest or smallest values: so many, so many per cent, or until their sum reaches the amount.
    public static func ranked(
        _ ranking: BoundTransformation.Ranking,
        _ amount: QueryExpression,
        by expression: QueryExpression
    ) -> Self {
        Self(
            ranking.rawValue,
            arguments: [.expression(amount.written), .expression(expression.written)]
        )
    }

    // MARK: Groups

    /// Makes one row of all: the aggregates and nothing else.
    public static func aggregate(_ aggregates: QueryAggregate...) -> Self {
        Self("aggregate", arguments: aggregates.map { .aggregate($0.written) })
    }

    /// Makes a row for each combination of values, with what the transformations make of its group.
    ///
    /// - Parameters:
    ///   - paths: Properties, or paths of names between slashes: `Customer/Country`.
    ///   - transformations: Applied to the rows of each group in this order; without them the values alone are answered.
    public static func groupBy(_ paths: [String], _ transformations: Self...) -> Self {
        grouped(paths.map { .path(ODataQuery.names($0)) }, transformations: transformations)
    }

    /// Makes a row for each combination of all values, of all but the last, and so on: totals of totals.
    public static func rollUp(_ paths: [String], _ transformations: Self...) -> Self {
        grouped([.rollup(paths.map(ODataQuery.names), offset: 0)], transformations: transformations)
    }

    /// The rows of several sequences of transformations, one after the other.
    public static func concat(_ sequences: [Self]...) -> Self {
        Self("concat", arguments: sequences.map { .sequence($0.map(\.written)) })
    }

    private static func grouped(_ groupings: [WrittenGrouping], transformations: [Self]) -> Self {
        let sequence = transformations.map(\.written)
        return Self(
            "groupby",
            arguments: [.grouping(groupings)] + (sequence.isEmpty ? [] : [.sequence(sequence)])
        )
    }
}

/// A value that `aggregate` computes over rows, with the name that it gets.
public struct QueryAggregate: Sendable {
    let written: WrittenAggregate

    private init(
        _ method: BoundAggregate.Method?,
        expression: QueryExpression,
        name: String
    ) {
        var item = WrittenAggregate(offset: 0, expression: expression.written)
        item.method = method?.rawValue
        item.alias = name
        written = item
    }

    /// The sum of a property over the rows.
    public static func sum(_ path: String, as name: String) -> Self {
        sum(.property(path), as: name)
    }

    /// The sum of an expression over the rows.
    public static func sum(_ expression: QueryExpression, as name: String) -> Self {
        Self(.sum, expression: expression, name: name)
    }

    /// The least value of a property.
    public static func min(_ path: String, as name: String) -> Self {
        min(.property(path), as: name)
    }

    /// The least value of an expression.
    public static func min(_ expression: QueryExpression, as name: String) -> Self {
        Self(.min, expression: expression, name: name)
    }

    /// The greatest value of a property.
    public static func max(_ path: String, as name: String) -> Self {
        max(.property(path), as: name)
    }

    /// The greatest value of an expression.
    public static func max(_ expression: QueryExpression, as name: String) -> Self {
        Self(.max, expression: expression, name: name)
    }

    /// The average of a property.
    public static func average(_ path: String, as name: String) -> Self {
        average(.property(path), as: name)
    }

    /// The average of an expression.
    public static func average(_ expression: QueryExpression, as name: String) -> Self {
        Self(.average, expression: expression, name: name)
    }

    /// The number of different values of a property.
    public static func countDistinct(_ path: String, as name: String) -> Self {
        countDistinct(.property(path), as: name)
    }

    /// The number of different values of an expression.
    public static func countDistinct(_ expression: QueryExpression, as name: String) -> Self {
        Self(.countDistinct, expression: expression, name: name)
    }

    /// The number of rows.
    public static func count(as name: String) -> Self {
        Self(
            nil,
            expression: QueryExpression(.path([WrittenMember(at: 0, .count(nil))])),
            name: name
        )
    }

    /// The number of items of a collection, over all rows.
    public static func count(_ path: String, as name: String) -> Self {
        Self(nil, expression: .count(path), name: name)
    }
}
