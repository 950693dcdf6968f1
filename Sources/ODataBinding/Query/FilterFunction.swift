public import ODataValues
import ODataModel

/// A canonical function of expressions (OData 4.01 Part 2 §§ 5.1.1.5 to 5.1.1.11), by its name in URLs.
///
/// What each takes, gives and is in SQL stands in one row of `signature`; a new function is a case and its row.
public enum FilterFunction: String, Sendable, CaseIterable {
    /// Functions of strings and collections (OData 4.01 Part 2 § 5.1.1.5).
    case concat, contains, endswith, indexof, length, startswith, substring
    /// Functions of strings (OData 4.01 Part 2 § 5.1.1.7).
    case matchesPattern, tolower, toupper, trim
    /// Parts of dates and times (OData 4.01 Part 2 § 5.1.1.8).
    case year, month, day, hour, minute, second, fractionalseconds
    /// Functions of dates and times (OData 4.01 Part 2 § 5.1.1.8).
    case date, time, now, mindatetime, maxdatetime, totaloffsetminutes, totalseconds
    /// Functions of numbers (OData 4.01 Part 2 § 5.1.1.9).
    case round, floor, ceiling
    /// Functions of collections (OData 4.01 Part 2 § 5.1.1.6).
    case hassubset, hassubsequence
    /// The distance of two points (OData 4.01 Part 2 § 5.1.1.11).
    case geoDistance = "geo.distance"
    /// Whether a point lies in a polygon (OData 4.01 Part 2 § 5.1.1.11).
    case geoIntersects = "geo.intersects"
    /// The length of a line (OData 4.01 Part 2 § 5.1.1.11).
    case geoLength = "geo.length"
    /// Versions 1 to 3: the arguments of `contains` the other way round.
    case substringof
    /// Versions 1 to 3: replaces every occurrence.
    case replace

    /// What the function takes and gives, and the SQL that computes it.
    package var signature: FunctionSignature {
        switch self {
        case .concat: .init(.textOrCollection, .textOrCollection, gives: .string, sql: "(%1 || %2)")
        case .contains:
            .init(.textOrCollection, .textOrCollection, gives: .boolean, sql: "instr(%1, %2) > 0")
        case .endswith:
            .init(.textOrCollection, .textOrCollection, gives: .boolean, sql: "odata_ends(%1, %2)")
        case .indexof:
            .init(
                .textOrCollection,
                .textOrCollection,
                gives: .integer(.int32),
                sql: "odata_indexof(%1, %2)"
            )
        case .length: .init(.textOrCollection, gives: .integer(.int32), sql: "odata_length(%1)")
        case .startswith:
            .init(
                .textOrCollection,
                .textOrCollection,
                gives: .boolean,
                sql: "odata_starts(%1, %2)"
            )
        case .substring:
            .init(
                .textOrCollection,
                .wholeNumber,
                .wholeNumber,
                required: 2,
                gives: .string,
                sql: "odata_substring(%*)"
            )
        case .matchesPattern: .init(.text, .text, gives: .boolean, sql: "odata_matches(%1, %2)")
        case .tolower: .init(.text, gives: .string, sql: "odata_lower(%1)")
        case .toupper: .init(.text, gives: .string, sql: "odata_upper(%1)")
        case .trim: .init(.text, gives: .string, sql: "odata_trim(%1)")
        case .year, .month, .day: .init(.day, gives: .integer(.int32))
        case .hour, .minute, .second: .init(.clock, gives: .integer(.int32))
        case .fractionalseconds: .init(.clock, gives: .decimalText)
        case .date: .init(.instant, gives: .date)
        case .time: .init(.instant, gives: .timeOfDay)
        case .totaloffsetminutes: .init(.instant, gives: .integer(.int32))
        case .now, .mindatetime: .init(gives: .dateTimeOffset)
        case .maxdatetime: .init(gives: .dateTimeOffset, sql: "3155378975999999999")
        case .totalseconds: .init(.span, gives: .decimalText)
        case .round, .floor, .ceiling: .init(.number, gives: nil)
        case .hassubset, .hassubsequence: .init(.collection, .collection, gives: .boolean)
        case .geoDistance: .init(.shape, .shape, gives: .double)
        case .geoIntersects: .init(.shape, .shape, gives: .boolean)
        case .geoLength: .init(.shape, gives: .double)
        case .substringof:
            .init(.text, .text, gives: .boolean, sql: "instr(%2, %1) > 0", isOld: true)
        case .replace:
            .init(.text, .text, .text, gives: .string, sql: "odata_replace(%*)", isOld: true)
        }
    }

    /// How many arguments it takes.
    public var arity: ClosedRange<Int> {
        let signature = signature
        return signature.required...signature.arguments.count
    }

    /// Returns the form of its value.
    public func resultForm(of arguments: [BoundExpression]) -> ScalarForm? {
        signature.result ?? arguments.first?.form
    }
}
