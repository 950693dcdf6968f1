import Testing

@testable import ODataModel

/// The spellings of names in CSDL XML, which are written out beside the cases.
@Suite struct SpellingTests {
    @Test func spellsEachElementAsItsCase() {
        #expect(ElementName.spellings == ElementName.allCases.map { Self.capitalized("\($0)") })
    }

    @Test func spellsEachAttributeAsItsCase() {
        let names = AttributeName.allCases.map { $0 == .srid ? "SRID" : Self.capitalized("\($0)") }
        #expect(AttributeName.spellings == names)
    }

    private static func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
