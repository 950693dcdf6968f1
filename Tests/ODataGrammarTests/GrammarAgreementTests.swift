import ODataGrammar
import ODataURL
import TestSupport
import Testing

/// Parser and grammar were written apart from each other: both give the same verdict on a text, but for differences with a name.
@Suite struct GrammarAgreementTests {
    private static let rules = [
        "filter", "expand", "select", "apply", "search", "compute", "orderby", "odataRelativeUri",
    ]

    @Test(arguments: rules)
    func agreeOnTextsThatAreBrokenInOnePlace(_ rule: String) throws {
        for seed in 0..<200 {
            let text = try GrammarSentencesTests.sentence(rule, seed: seed)
            var generator = SeededGenerator(seed: UInt64(seed))
            expectAgreement(on: Self.broken(rule, text, &generator))
        }
    }

    /// The standard's own cases of what is no URL.
    @Test(
        .enabled(if: !GrammarCasesTests.cases.isEmpty, "../shared/odata-abnf is not here"),
        arguments: GrammarCasesTests.cases.filter {
            !$0.valid && GrammarCasesTests.prefixes[$0.rule] != nil
        }
    )
    func agreeOnTheStandardsCases(_ item: GrammarCasesTests.Case) throws {
        let prefix = try #require(GrammarCasesTests.prefixes[item.rule])
        expectAgreement(on: prefix + item.input)
    }

    private func expectAgreement(on text: String) {
        let (grammar, parser) = (Self.grammarError(text), Self.parserError(text))
        if let grammar, parser == nil, ParserLeniency.of(text, grammar) == nil {
            Issue.record("only the parser reads \(text): \(grammar)")
        }
        if let parser, grammar == nil, ParserRestriction.of(text, parser) == nil {
            Issue.record("only the grammar allows \(text): \(parser)")
        }
    }

    private static func grammarError(_ text: String) -> ODataURLError? {
        do throws(ODataURLError) {
            try URLSyntax.check(text)
            return nil
        } catch {
            return error
        }
    }

    private static func parserError(_ text: String) -> ODataURLError? {
        do throws(ODataURLError) {
            _ = try WrittenRequest(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Broken texts

    /// A request with one byte left out, doubled or replaced; of an option its value only.
    private static func broken(
        _ rule: String,
        _ text: String,
        _ generator: inout SeededGenerator
    ) -> String {
        guard rule != "odataRelativeUri", let equals = text.firstIndex(of: "=") else {
            return broken(text, &generator)
        }
        let value = String(text[text.index(after: equals)...])
        return "Set?$\(rule)=" + broken(value, &generator)
    }

    private static func broken(_ text: String, _ generator: inout SeededGenerator) -> String {
        var bytes = Array(text.utf8)
        guard !bytes.isEmpty else { return text }
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(bytes[place], at: place)
        default:
            let others = Array("()',;=/$@*:.- %a1\"[]{}".utf8)
            bytes[place] = others.randomElement(using: &generator) ?? bytes[place]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
