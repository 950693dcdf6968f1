import ODataValues
import ODataModel
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// OASIS's own cases for the grammar of primitive values.
@Suite(
    .enabled(
        if: SharedFolder.isPresent,
        Comment(rawValue: SharedFolder.absence)
    )
)
struct ABNFValueTests {
    struct Case: Decodable, Sendable {
        var rule: String
        var input: String
        var valid: Bool
    }

    static let forms: [String: ScalarForm] = [
        "binaryValue": .binary, "booleanValue": .boolean, "byteValue": .integer(.byte),
        "dateValue": .date, "dateTimeOffsetValue": .dateTimeOffset, "decimalValue": .decimalText,
        "doubleValue": .double, "singleValue": .single, "durationValue": .duration,
        "guidValue": .guid, "int16Value": .integer(.int16), "int32Value": .integer(.int32),
        "int64Value": .integer(.int64), "sbyteValue": .integer(.sbyte),
        "timeOfDayValue": .timeOfDay,
    ]

    static let cases: [Case] = {
        guard let bytes = try? SharedFolder.bytes("odata-abnf/cases.jsonl") else { return [] }
        return bytes.split(separator: 0x0A).compactMap {
            try? JSONDecoder().decode(Case.self, from: Data($0))
        }.filter { forms[$0.rule] != nil }
    }()

    @Test(arguments: cases)
    func agreesWithTheGrammar(_ test: Case) throws {
        let form = try #require(Self.forms[test.rule])
        #expect((parse(test.input, form) != nil) == test.valid, "\(test.rule) \(test.input)")
    }

    @Test func hasCases() {
        #expect(Self.cases.count > 20)
    }
}
