import ODataGrammar
import ODataModel
import ODataURL
import Testing

@Suite struct URLSyntaxTests {
    private func verdict(_ text: String, _ rule: String, _ version: ODataVersion = .v401) -> String
    {
        do throws(ODataURLError) {
            try URLSyntax.check(text, rule: rule, version: version)
            return "valid"
        } catch {
            return "\(error.code)@\(error.offset)"
        }
    }

    @Test(arguments: [
        ("Products(5)?$top=3", "odataRelativeUri", "valid"),
        ("Products(5)?$top=x", "odataRelativeUri", "syntax@17"),
        ("Products?$filter=Name eq 'a", "odataRelativeUri", "syntax@27"),
        ("Products?$filter=Name%20eq%20%27a%27", "odataRelativeUri", "valid"),
        ("%50roducts", "odataRelativeUri", "valid"),
        ("2012-13-01", "date", "syntax@6"),
        ("-0003-01-01", "date", "valid"),
        ("0123456789", "int32Value", "valid"),
        ("01234567890", "int32Value", "syntax@10"),
        ("%C3%84rger", "odataIdentifier", "valid"),
        ("%C3%97x", "odataIdentifier", "syntax@0"),
        ("1a", "odataIdentifier", "syntax@0"),
        ("ALPHA", "alpha", "syntax@1"),
        ("any()", "boolCommonExpr", "syntax@4"),
        ("not a eq b", "commonExpr", "valid"),
        ("a has NS.C'x' and b", "commonExpr", "valid"),
        ("a in (1,2) or b in (c)", "commonExpr", "valid"),
        ("a in (1,x)", "commonExpr", "syntax@9"),
        ("a eq", "commonExpr", "syntax@4"),
        ("[::1]", "host", "valid"),
        ("Prefer: odata.maxpagesize=5, return=minimal", "header", "valid"),
    ])
    func decidesByRule(_ text: String, _ rule: String, _ expected: String) {
        #expect(verdict(text, rule) == expected)
    }

    @Test func olderVersionsHaveTheirOwnLiterals() {
        let url = "Products?$filter=Changed gt datetime'2012-01-01T00:00:00'"
        #expect(verdict(url, URLSyntax.defaultRule, .v2) == "valid")
        #expect(verdict(url, URLSyntax.defaultRule, .v4) == "syntax@28")
        #expect(verdict("Products?filter=x", URLSyntax.defaultRule, .v4) == "valid")
    }

    @Test func everyRuleCanBeRun() {
        for rule in URLSyntax.ruleNames {
            let result = verdict("\u{1}", rule)
            #expect(result.hasPrefix("syntax@") || rule == "stringValue", "\(rule): \(result)")
        }
        #expect(URLSyntax.ruleNames.count > 400)
    }

    @Test func namesTheNearestRule() {
        do throws(ODataURLError) {
            try URLSyntax.check("x", rule: "odataRelativURI")
            Issue.record("the rule does not exist")
        } catch {
            #expect(error.suggestion == "odataRelativeUri")
        }
    }

    @Test func saysWhatCouldHaveStoodThere() {
        do throws(ODataURLError) {
            try URLSyntax.check("2012-13-01", rule: "date")
            Issue.record("the month does not exist")
        } catch {
            #expect(error.expected == ["month"])
            #expect(error.found == "3-01")
        }
    }

    @Test func longChainsAreReadInTime() {
        let terms = Array(repeating: "ID eq 12345", count: 500).joined(separator: " or ")
        #expect(verdict("Products?$filter=" + terms, URLSyntax.defaultRule) == "valid")
    }

    @Test func nestingNeedsNoStack() {
        let depth = 500
        let text =
            String(repeating: "(", count: depth) + "true" + String(repeating: ")", count: depth)
        #expect(verdict(text, "commonExpr") == "valid")
        #expect(verdict(String(text.dropLast()), "commonExpr") == "syntax@\(2 * depth + 3)")
    }
}
