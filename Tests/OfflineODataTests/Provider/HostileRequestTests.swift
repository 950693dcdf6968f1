import ODataHTTP
import OfflineOData
import TestSupport
import Testing

/// Requests such as a stranger sends, asked of a whole store: each gets an answer within the limits, and the store is as before.
@Suite struct HostileRequestTests {
    /// Sends a filter as the body of `/$query`, where it may be long.
    private func filter(_ text: String, _ store: SmallStore) async -> HTTPResponse {
        await store.provider.respond(
            to: HTTPRequest(
                method: "POST",
                url: "Parts/$query",
                headers: ["Content-Type": "text/plain"],
                body: Array("$select=Number&$filter=\(escaped(text))".utf8)
            )
        )
    }

    private func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = byte < 0x7F && byte > 0x20 && !"%&#+".utf8.contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain
                ? String(Unicode.Scalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    /// Whether an answer is one that a client can act on: an entity or a clear refusal, never a fault of ours.
    private func expectClear(_ response: HTTPResponse, _ request: String) {
        let text = String(decoding: response.body.prefix(400), as: UTF8.self)
        #expect(
            (200..<500).contains(response.status) || response.status == 501,
            "\(request.prefix(80)): \(text)"
        )
        if response.status >= 400 { #expect(text.contains("\"message\":\""), "\(text)") }
    }

    private func expectUntouched(_ store: SmallStore) async throws {
        #expect(try await store.provider.executeQuery("Parts").count == 3)
        #expect(try await store.provider.executeQuery("WorkOrders").count == 2)
        #expect(try await store.provider.executeQuery("RequestQueue").isEmpty)
    }

    /// Terms of one property become a list; these have nothing in common.
    private static let unlikeTerms = [
        "InStock add %d eq 10004", "contains(Name,'%d')", "(InStock gt %d and UnitPrice lt 5)",
        "not (InStock lt %d)", "length(Name) eq %d",
    ]

    @Test(arguments: TestScale.sample(unlikeTerms, of: 2))
    func answersTenThousandTermsThatMakeNoList(_ term: String) async throws {
        let store = try await SmallStore()
        let terms = (0..<10_000).map { term.replacing("%d", with: "\($0)") }
        let response = await filter(terms.joined(separator: " or "), store)
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(response.status == 200, "\(text.prefix(300))")
        #expect(text.contains("P1") == !term.contains("contains"), "\(text.prefix(300))")
    }

    private static let pieces = [
        "'", "a", "(", ")", "InStock eq ", "1 or ", "$", "\"", "é", "-", "/a", ";", "--", "''",
        "not ", "Name eq '';", "1,", "(1),", "[", "{\"a\":", "\\", "/*", "\0", "@a", "null and ",
    ]

    @Test(arguments: TestScale.sample(pieces, of: 8))
    func answersLongFilters(_ piece: String) async throws {
        let store = try await SmallStore()
        let text = String(repeating: piece, count: 100_000 / piece.utf8.count)
        expectClear(await filter(text, store), text)
        expectClear(
            await store.provider.respond(
                to: HTTPRequest(method: "GET", url: "Parts?$filter=" + escaped(text))
            ),
            text
        )
        try await expectUntouched(store)
    }

    @Test(arguments: [
        "(", "not (", "length(concat('a',", "(Name eq (", "-(", "cast((", "[[", "{\"a\":[",
    ])
    func refusesTenThousandLevels(_ opening: String) async throws {
        let store = try await SmallStore()
        let response = await filter(String(repeating: opening, count: 10_000) + "1", store)
        expectClear(response, opening)
        #expect(response.status == 400)
        try await expectUntouched(store)
    }

    @Test(arguments: [
        "WorkOrders?$expand=*($levels=max)",
        "WorkOrders?$expand=Tasks($expand=WorkOrder($levels=99))",
        "WorkOrders?$expand=Tasks($expand=*($levels=max;$expand=*($levels=max)))",
        "WorkOrders?$expand=Tasks($levels=99999999999999999999)",
        "Parts?$top=99999999999999999999", "Parts?$skip=9223372036854775807",
        "Parts?$top=9223372036854775807&$skip=9223372036854775807", "Parts?$skip=-1",
        "Parts?$filter=InStock eq 1e999999999", "Parts?$filter=UnitPrice mul 1e308 mul 1e308 gt 1",
        "Parts?$filter=InStock mul 9223372036854775807 gt 9223372036854775807",
        "Parts?$filter=InStock div 0 eq 1", "Parts?$filter=InStock mod 0 eq 1",
        "Parts?$filter=substring(Name,9223372036854775807,9223372036854775807) eq ''",
        "Parts?$filter=round(1e300) eq 1", "Parts(%27P1%27)/$value/$value/$value",
        "Parts?$orderby=Name,Name,Name desc,Name",
        "Parts?$apply=concat(concat(identity,identity),identity)",
        "Parts?$filter=%C0%AF eq 1", "Parts?$filter=Name eq '%FF%FE'", "Parts('%C0%80')",
        "Parts?$filter=Name eq '%ED%A0%80'", "Parts?$filter=Name eq '%F5%80%80%80'", "Parts%00",
        "Parts?%00=%00", "Parts?$filter=Name eq '%00'", "%2e%2e/%2e%2e/etc/passwd", "../../Parts",
        "Parts?$filter=Name eq 'a%0D%0ASet-Cookie: x'",
        "Parts?$skiptoken='; DROP TABLE \"Parts\"; --",
        "Parts?$filter=%", "Parts?$filter=%4", "Parts?$filter=%zz", "\"$meta\"", "$meta",
        "sqlite_master",
        "Parts?$select=\"$id\"", "Parts?$orderby=\"$id\"", "Parts?$select=$id",
        "Parts?$filter=$state eq 0",
    ])
    func answersOddRequests(_ url: String) async throws {
        let store = try await SmallStore()
        expectClear(
            await store.provider.respond(to: HTTPRequest(method: "GET", url: url)),
            url
        )
        try await expectUntouched(store)
    }

    /// Whatever stands in a literal or a name is a value, and no SQL.
    @Test(arguments: [
        "'; DROP TABLE \"Parts\"; --", "x' OR '1'='1", "\"; DELETE FROM \"Parts\"; --", "') --",
        "' UNION SELECT * FROM \"$meta\" --", "%' OR 1=1 /*", "?1", ":x", "@p", "$q",
    ])
    func takesSQLForText(_ text: String) async throws {
        let store = try await SmallStore()
        let literal = "'" + text.replacing("'", with: "''") + "'"
        for condition in [
            "Name eq \(literal)", "contains(Name,\(literal))", "Name in (\(literal),'y')",
            "startswith(Name,\(literal))", "matchesPattern(Name,\(literal))",
        ] {
            let response = await filter(condition, store)
            expectClear(response, condition)
            if response.status == 200 {
                #expect(!String(decoding: response.body, as: UTF8.self).contains("P1"))
            }
        }
        for place in ["$select=", "$orderby=", "$expand=", "$search=", "$apply=", "$compute=", ""] {
            let url = "Parts?\(place)\(escaped(text))"
            expectClear(
                await store.provider.respond(to: HTTPRequest(method: "GET", url: url)),
                url
            )
        }
        expectClear(
            await store.provider.respond(
                to: HTTPRequest(method: "GET", url: "Parts(\(escaped(literal)))")
            ),
            literal
        )
        try await expectUntouched(store)
    }
}
