import ODataProtocol
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
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        guard
            let data = FileManager.default.contents(
                atPath: "/" + root + "/../shared/odata-abnf/cases.jsonl"
            )
        else { return [] }
        return data.split(separator: 0x0A).compactMap {
            try? JSONDecoder().decode(Case.self, from: Data($0))
        }
    }()

    @Test(.enabled(if: !cases.isEmpty, "../shared/odata-abnf is not here"), arguments: cases)
    func agreesWithTheStandardsCases(_ item: Case) {
        do throws(ODataURLError) {
            try URLSyntax.check(item.input, rule: item.rule)
            #expect(item.valid, "accepted: \(item.input)")
        } catch {
            #expect(!item.valid, "\(error) in \(item.input)")
            #expect((0...item.input.utf8.count).contains(error.offset))
        }
    }
}
