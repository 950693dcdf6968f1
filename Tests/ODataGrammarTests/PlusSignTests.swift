import ODataURL
import Testing

@testable import ODataGrammar

/// A `+` in a URL is a plus sign everywhere (RFC 3986 § 2.2): only HTML forms make a space of it.
@Suite struct PlusSignTests {
    @Test(arguments: [
        "Orders?$filter=Total eq +2", "Orders?$filter=Total%20eq%20+2",
        "Orders?$filter=Total eq 1e+5", "Orders?$filter=At eq 2020-01-01T00:00:00+02:00",
        "Orders?$filter=At eq 2020-01-01T00:00:00%2B02:00", "Orders(+1)",
        "Orders?$filter=contains(Name,'a+b')", "Orders?$search=a+b",
    ])
    func readsAPlusSign(_ text: String) throws {
        try URLSyntax.check(text)
        _ = try WrittenRequest(parsing: text)
    }

    @Test(arguments: [
        ("Orders?$filter=Total+eq+2", 20),
        ("Orders?$orderby=Total+desc", 21), ("Orders?$filter=not+Paid", 18),
        ("Orders?$filter=Paid+and+true", 19), ("Orders?$expand=Items,+Customer", 21),
    ])
    func saysThatASpaceIsMeant(_ text: String, _ offset: Int) throws {
        for check in [{ try URLSyntax.check(text) }, { _ = try WrittenRequest(parsing: text) }] {
            let error = try #require(throws: ODataURLError.self) { try check() }
            #expect(error.message == "'+' is a plus sign in a URL; write %20 for a space")
            #expect(error.offset == offset)
        }
    }

    @Test func keepsThePlusSignOfText() throws {
        let request = try WrittenRequest(parsing: "Orders?$filter=Name eq 'a+b'")

        #expect("\(request)".contains("a+b"))
    }

    @Test(arguments: [
        "dateTimeOffsetValueInUrl", "datetimeoffsetvalueinurl", "DATETIMEOFFSETVALUEINURL",
    ])
    func findsRulesInAnyCase(_ rule: String) throws {
        #expect(URLSyntax.hasRule(rule))
        try URLSyntax.check("2020-01-01T00:00+02:00", rule: rule)
        try URLSyntax.check("2020-01-01T00:00:00.5%2B02%3A00", rule: rule)
        try URLSyntax.check("2020-01-01T00%3A00Z", rule: rule)
        #expect(throws: ODataURLError.self) { try URLSyntax.check("2020-01-01T00:00", rule: rule) }
    }
}
