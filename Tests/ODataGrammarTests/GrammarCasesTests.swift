import ODataGrammar
import ODataURL
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The standard's own test cases, where they lie beside the package.
@Suite struct GrammarCasesTests {
    struct Case: Decodable, CustomTestStringConvertible {
        let id: String
        let rule: String
        let input: String
        let valid: Bool
        var testDescription: String { "\(id) \(rule) \(input)" }
    }

    static let cases: [Case] = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        guard
            let data = FileManager.default.contents(
                atPath: "/" + root + "/../shared/odata-abnf/cases.jsonl"
            )
        else { return [] }
        return data.split(separator: 0x0A).compactMap {
            try? JSONDecoder().decode(Case.self, from: Data($0))
        }
    }()

    /// Refused by the standard's cases because its example model says what kind of name `Address`, `Thumbnail`,
    /// `AddressWithLocation` and `Amount` are; the grammar alone allows them.
    static let decidedByTheModel: Set = [
        "core#241", "core#243", "core#739", "aggregation#14", "aggregation#36",
    ]

    @Test(
        .enabled(if: !cases.isEmpty, "../shared/odata-abnf is not here"),
        arguments: cases.filter { !decidedByTheModel.contains($0.id) }
    )
    func agreesWithTheStandardsCases(_ item: Case) {
        do throws(ODataURLError) {
            try URLSyntax.check(item.input, rule: item.rule)
            #expect(item.valid, "accepted: \(item.input)")
        } catch {
            #expect(!item.valid, "\(error) in \(item.input)")
            #expect((0...item.input.utf8.count).contains(error.offset))
        }
    }

    /// What stands before a case so that the parser of requests can read it.
    static let prefixes = [
        "odataRelativeUri": "", "resourcePath": "", "queryOptions": "X?", "filter": "X?",
        "expand": "X?", "select": "X?", "orderby": "X?", "orderBy": "X?", "compute": "X?",
        "search": "X?", "systemQueryOption": "X?", "skiptoken": "X?", "deltatoken": "X?",
        "commonExpr": "X?$filter=", "boolCommonExpr": "X?$filter=", "firstMemberExpr": "X?$filter=",
        "propertyPathExpr": "X?$filter=", "isofExpr": "X?$filter=",
        "primitiveLiteral": "X?$filter=",
    ]

    /// `core#618` gives `$format` four times, which the grammar allows and the protocol forbids (OData 4.01 Part 1 § 11.2.1).
    @Test(
        .enabled(if: !cases.isEmpty, "../shared/odata-abnf is not here"),
        arguments: cases.filter { $0.valid && prefixes[$0.rule] != nil && $0.id != "core#618" }
    )
    func parserReadsWhatTheGrammarAllows(_ item: Case) throws {
        let prefix = try #require(Self.prefixes[item.rule])
        _ = try WrittenRequest(parsing: prefix + item.input)
    }
}
