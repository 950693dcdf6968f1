import ODataModelComparison
import ODataModel
import Testing

/// What the independent comparison says of a pair.
struct IndexedPair: Decodable, Sendable, CustomTestStringConvertible {
    var pair: String
    var verdict: String

    static let all = SharedData.lines(of: "metadata-pairs/index.jsonl", as: IndexedPair.self)

    var testDescription: String { pair }

    var expected: ModelComparison.Verdict? {
        switch verdict {
        case "identical": .identical
        case "additive", "conditional": .additive
        case "non-additive": .incompatible
        default: nil
        }
    }
}

@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct RealPairTests {
    @Test(arguments: IndexedPair.all)
    func agreesWithTheIndependentComparison(_ pair: IndexedPair) throws {
        let old = try SharedData.document("metadata-pairs/\(pair.pair)/old.xml")
        let new = try SharedData.document("metadata-pairs/\(pair.pair)/new.xml")

        let comparison = ModelComparison(from: old.model, to: new.model)

        #expect(comparison.verdict == pair.expected, "\(comparison.text().prefix(2_000))")
    }

    @Test(arguments: IndexedPair.all)
    func findsNoChangeFromADocumentToItself(_ pair: IndexedPair) throws {
        let document = try SharedData.document("metadata-pairs/\(pair.pair)/new.xml")

        #expect(ModelComparison(from: document.model, to: document.model).changes.isEmpty)
    }

    @Test func findsThePairs() {
        #expect(IndexedPair.all.count == 35)
    }
}
