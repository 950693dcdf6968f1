import Testing

@testable import ODataGrammar

/// The recogniser's work is counted in steps, which do not depend on the machine.
@Suite struct GrammarEffortTests {
    private func stepsPerByte(_ text: String, _ rule: String) throws -> Int {
        let bytes = Array(text.utf8)
        let limit = 100_000_000
        var recognizer = GrammarRecognizer(.odata, bytes: bytes, steps: limit)
        let number = try #require(Grammar.odata.number(of: rule))
        #expect(recognizer.run(number) == .accepted)
        return (limit - recognizer.budget) / bytes.count
    }

    @Test(arguments: [
        (String(repeating: "ID eq 12345 or ", count: 200) + "true", "commonExpr"),
        (
            "Products(5)/Category?$filter=contains(Name,'abc')&$expand=Items($top=3)",
            "odataRelativeUri"
        ),
        ("$search=" + String(repeating: "word ", count: 100) + "end", "search"),
        ("Set('" + String(repeating: "a", count: 2_000) + "')", "odataRelativeUri"),
    ])
    func textsOfPeopleCostLittle(_ text: String, _ rule: String) throws {
        let steps = try stepsPerByte(text, rule)
        #expect(steps < 50, "\(steps) steps for each byte of \(text.prefix(40))")
    }

    @Test func effortGrowsWithTheLengthOnly() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "1" + String(repeating: ")", count: depth)
        }
        let short = try stepsPerByte(nested(100), "commonExpr")
        #expect(try stepsPerByte(nested(800), "commonExpr") <= short + 10)
    }
}
