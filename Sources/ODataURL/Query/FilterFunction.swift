public import ODataPayload
import ODataModel

/// A canonical function of expressions (OData 4.01 Part 2 §§ 5.1.1.5 to 5.1.1.11), by its name in URLs.
public enum FilterFunction: String, Sendable, CaseIterable {
    case concat, contains, endswith, indexof, length, startswith, substring
    case matchesPattern, tolower, toupper, trim
    case year, month, day, hour, minute, second, fractionalseconds
    case date, time, now, mindatetime, maxdatetime, totaloffsetminutes, totalseconds
    case round, floor, ceiling
    case hassubset, hassubsequence
    case geoDistance = "geo.distance"
    case geoIntersects = "geo.intersects"
    case geoLength = "geo.length"
    /// Versions 1 to 3: the arguments of `contains` the other way round.
    case substringof
    /// Versions 1 to 3: replaces every occurrence.
    case replace

    /// How many arguments it takes.
    public var arity: ClosedRange<Int> {
        switch self {
        case .now, .mindatetime, .maxdatetime: 0...0
        case .substring: 2...3
        case .replace: 3...3
        case .concat, .contains, .endswith, .indexof, .startswith, .matchesPattern, .hassubset,
            .hassubsequence, .geoDistance, .geoIntersects, .substringof:
            2...2
        default: 1...1
        }
    }

    /// Returns the form of its value.
    public func resultForm(of arguments: [BoundExpression]) -> ScalarForm? {
        switch self {
        case .contains, .endswith, .startswith, .matchesPattern, .hassubset, .hassubsequence,
            .geoIntersects, .substringof:
            .boolean
        case .concat, .substring, .tolower, .toupper, .trim, .replace: .string
        case .indexof, .length, .year, .month, .day, .hour, .minute, .second, .totaloffsetminutes:
            .integer(.int32)
        case .fractionalseconds, .totalseconds: .decimalText
        case .date: .date
        case .time: .timeOfDay
        case .now, .mindatetime, .maxdatetime: .dateTimeOffset
        case .round, .floor, .ceiling: arguments.first?.form
        case .geoDistance, .geoLength: .double
        }
    }
}
