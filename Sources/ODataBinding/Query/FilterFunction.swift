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
        case .concat:
            .init(
                .textOrCollection,
                .textOrCollection,
                gives: .string,
                sql: "(%1 || %2)",
                collections: .list("concat")
            )
        case .contains:
            .init(
                .textOrCollection,
                .textOrCollection,
                gives: .boolean,
                sql: "instr(%1, %2) > 0",
                collections: .list("contains")
            )
        case .endswith:
            .init(
                .textOrCollection,
                .textOrCollection,
                gives: .boolean,
                sql: "odata_ends(%1, %2)",
                collections: .list("endswith")
            )
        case .indexof:
            .init(
                .textOrCollection,
                .textOrCollection,
                gives: .integer(.int32),
                sql: "odata_indexof(%1, %2)",
                collections: .list("indexof")
            )
        case .length:
            .init(
                .textOrCollection,
                gives: .integer(.int32),
                sql: "odata_length(%1)",
                collections: "json_array_length(%1)"
            )
        case .startswith:
            .init(
                .textOrCollection,
                .textOrCollection,
                gives: .boolean,
                sql: "odata_starts(%1, %2)",
                collections: .list("startswith")
            )
        case .substring:
            .init(
                .textOrCollection,
                .wholeNumber,
                .wholeNumber,
                required: 2,
                gives: .string,
                sql: "odata_substring(%*)",
                collections: .list("substring")
            )
        case .matchesPattern: .init(.text, .text, gives: .boolean, sql: "odata_matches(%1, %2)")
        case .tolower: .init(.text, gives: .string, sql: "odata_lower(%1)")
        case .toupper: .init(.text, gives: .string, sql: "odata_upper(%1)")
        case .trim: .init(.text, gives: .string, sql: "odata_trim(%1)")
        case .year: .init(.day, gives: .integer(.int32), sql: .part("year"))
        case .month: .init(.day, gives: .integer(.int32), sql: .part("month"))
        case .day: .init(.day, gives: .integer(.int32), sql: .part("day"))
        case .hour: .init(.clock, gives: .integer(.int32), sql: .part("hour"))
        case .minute: .init(.clock, gives: .integer(.int32), sql: .part("minute"))
        case .second: .init(.clock, gives: .integer(.int32), sql: .part("second"))
        case .fractionalseconds: .init(.clock, gives: .decimalText, sql: .part("fraction"))
        case .date: .init(.instant, gives: .date, sql: .part("date"))
        case .time: .init(.instant, gives: .timeOfDay, sql: .part("time"))
        case .totaloffsetminutes: .init(.instant, gives: .integer(.int32), sql: .part("offset"))
        case .now: .init(gives: .dateTimeOffset, sql: .now)
        case .mindatetime: .init(gives: .dateTimeOffset, sql: .constant(0))
        case .maxdatetime: .init(gives: .dateTimeOffset, sql: .constant(3_155_378_975_999_999_999))
        case .totalseconds: .init(.span, gives: .decimalText, sql: .seconds)
        case .round: .init(.number, gives: nil, sql: .rounding("round"))
        case .floor: .init(.number, gives: nil, sql: .rounding("floor"))
        case .ceiling: .init(.number, gives: nil, sql: .rounding("ceiling"))
        case .hassubset:
            // No item occurs more often in the second collection than in the first (OData 4.01 Part 2 § 5.1.1.6.1).
            .init(
                .collection,
                .collection,
                gives: .boolean,
                collections: """
                    NOT EXISTS (SELECT 1 FROM json_each(%2) AS "$b" GROUP BY "$b".value HAVING count(*) > \
                    (SELECT count(*) FROM json_each(%1) AS "$a" WHERE "$a".value IS "$b".value))
                    """
            )
        case .hassubsequence:
            .init(.collection, .collection, gives: .boolean, collections: .list("hassubsequence"))
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
