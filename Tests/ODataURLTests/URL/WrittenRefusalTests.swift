import ODataBinding
import ODataModel
import ODataURL
import TestSupport
import Testing

@Suite struct WrittenRefusalTests {
    private func verdict(
        _ url: String,
        _ version: ODataVersion = .v401,
        _ limits: URLLimits = URLLimits()
    ) -> String {
        do throws(ODataURLError) {
            _ = try WrittenRequest(parsing: url, version: version, limits: limits)
            return "read"
        } catch {
            return "\(error.code)@\(error.offset)"
        }
    }

    @Test(arguments: ["http://example.org/s/Set", "https://example.org/s/Set?$top=1", "HTTP:"])
    func saysThatAnAbsoluteURLIsNotExpected(_ url: String) {
        #expect {
            _ = try WrittenRequest(parsing: url)
        } throws: { error in
            "\(error)".hasPrefix("a URL below the service root is expected, relative to it")
        }
    }

    @Test(arguments: [
        ("a == 1", "eq"), ("a => 1", "ge"), ("a > 1", "gt"), ("a != 1", "ne"), ("a gtt 1", "gt"),
        ("a eq 1 || b eq 2", "or"), ("(a = 1)", "eq"), ("c/any(x:x <> 1)", "ne"),
        ("a like 'x'", "contains(…)"), ("a eq 1 b", nil), ("a eq 1 ,", nil), ("a eq 1\u{E9}", nil),
    ])
    func namesTheOperatorThatIsMeant(_ filter: String, _ meaning: String?) throws {
        let error = #expect(throws: ODataURLError.self) {
            _ = try WrittenRequest(parsing: "Set?$filter=" + filter)
        }

        #expect(error?.suggestion == meaning)
    }

    @Test(arguments: [
        ("Set?$filter=", "syntax@12"),
        ("Set?$filter=a eq", "syntax@16"),
        ("Set?$filter=a eq 'x", "syntax@17"),
        ("Set?$filter=(a eq 1", "syntax@19"),
        ("Set?$filter=a eq 1)", "syntax@18"),
        ("Set?$filter=a eq 1 b", "syntax@19"),
        ("Set?$filter=a eq 12x", "syntax@19"),
        ("Set?$filter=a eq datetime'2020-01-01'", "syntax@17"),
        ("Set?$filter=a eq 2020-01-01T10:00:00", "syntax@36"),
        ("Set?$filter=a/any(b)", "syntax@19"),
        ("Set?$filter=a/all()", "syntax@18"),
        ("Set?$filter=[1,2", "syntax@16"),
        // A string in double quotes is an item of JSON, and no expression.
        ("Set?$filter=A eq \"x\"", "syntax@17"), ("Set?$filter=\"x\"", "syntax@12"),
        ("Set?$filter=[\"\\x\"", "syntax@15"),
        ("Set?$filter=[\"a\\u12\"", "syntax@16"),
        ("Set?$filter=[\"a%5Cud800\"", "syntax@18"),
        ("Set?$filter=[\"a\\\\", "syntax@13"),
        ("Set?$filter=[\"a\\", "syntax@16"),
        ("Set?$filter=[\"a\\\"", "syntax@13"),
        ("Set?$filter={\"a\":1,\"b\":2,\"\\u0061\":3}", "syntax@25"),
        ("Set?$filter={\"\u{E9}\":1,\"e\u{301}\":2} eq x", "read"),
        ("Set?$filter=case(a)", "syntax@18"),
        ("Set?$filter=$nope", "syntax@12"),
        ("Set?$filter=a in (1,", "syntax@20"),
        ("Set?$top=-1", "syntax@9"),
        ("Set?$top=99999999999999999999", "limit@9"),
        ("Set?$top=1&$top=2", "syntax@11"),
        ("Set?$top", "syntax@8"),
        ("Set?$count=1", "syntax@11"),
        ("Set?$inlinecount=allpages", "syntax@4"),
        ("Set?$levels=1", "syntax@4"),
        ("Set?$expand=A($levels=0)", "syntax@22"),
        ("Set?$expand=A($top=1;$top=2)", "syntax@21"),
        ("Set?$expand=A($format=json)", "syntax@14"),
        ("Set?$expand=A/$ref($select=b)", "syntax@19"),
        ("Set?$expand=A($top=1", "syntax@20"),
        ("Set?$select=", "read"),
        ("Set?$select=a,", "syntax@14"),
        ("Set?$orderby=a down", "syntax@15"),
        ("Set?$search=", "syntax@12"),
        ("Set?$search=a;b", "syntax@13"),
        ("Set?$search=(a", "syntax@14"),
        ("Set?$search=\"a", "syntax@12"),
        ("Set?$compute=a", "syntax@14"),
        ("Set?$apply=nope(a)", "syntax@11"),
        ("Set?$apply=aggregate(a with sum)", "syntax@31"),
        ("Set?@a", "syntax@6"),
        ("Set?@a=1&@a=2", "syntax@9"),
        ("Set?x=%zz", "encoding@6"),
        ("Set?x=%F", "encoding@6"),
        ("Set?x=%C0%80", "encoding@6"),
        ("Set?x=%ED%A0%80", "encoding@6"),
        ("Set?x=%F5%80%80%80", "encoding@6"),
        ("Set?x=a%C3", "encoding@7"),
        ("Set('x", "syntax@4"),
        ("Set#x", "syntax@3"),
        ("$metadata#x", "read"),
        ("//Set", "syntax@1"),
    ])
    func refusesAtTheOffset(_ url: String, _ expected: String) {
        #expect(verdict(url) == expected)
    }

    @Test func refusesBytesThatAreNotUTF8() {
        do throws(ODataURLError) {
            _ = try WrittenRequest(bytes: Array("Set?x=a".utf8) + [0xFF])
            Issue.record("0xFF is no UTF-8")
        } catch {
            #expect(error.code == .encoding)
            #expect(error.offset == 7)
        }
    }

    // MARK: Limits

    private func nested(_ depth: Int) -> String {
        "?$filter=" + String(repeating: "(", count: depth) + "a"
            + String(repeating: ")", count: depth)
    }

    @Test func limitsParentheses() {
        var limits = URLLimits()
        limits.maximumExpressionDepth = 10
        #expect(verdict(nested(9), .v4, limits) == "read")
        #expect(verdict(nested(10), .v4, limits).hasPrefix("limit@"))
        #expect(verdict(nested(10_000)).hasPrefix("limit@"))
    }

    @Test(arguments: ["a add ", "not ", "- ", "a eq ", "f(", "a/b(c=", "[", "case(a:"])
    func limitsEveryKindOfNesting(_ text: String) {
        #expect(
            verdict("?$filter=" + String(repeating: text, count: 10_000) + "a").hasPrefix("limit@")
        )
    }

    @Test func limitsSearches() {
        #expect(verdict("?$search=" + String(repeating: "(", count: 10_000)).hasPrefix("limit@"))
        #expect(verdict("?$search=" + String(repeating: "NOT ", count: 10_000)).hasPrefix("limit@"))
        #expect(verdict("?$search=" + String(repeating: "a ", count: 10_000)).hasPrefix("limit@"))
    }

    @Test(arguments: [" ", " AND ", " OR ", " AND NOT "])
    func readsSearchesOfManyTerms(_ separator: String) {
        func url(_ count: Int) -> String {
            "Set?$search=" + Array(repeating: "word", count: count).joined(separator: separator)
        }
        var limits = URLLimits()
        limits.maximumItems = 500
        #expect(verdict(url(500), .v4, limits) == "read")
        #expect(verdict(url(501), .v4, limits).hasPrefix("limit@"))
    }

    @Test func limitsLambdas() {
        var limits = URLLimits()
        limits.maximumLambdaDepth = 6
        func url(_ depth: Int) -> String {
            "?$filter=" + String(repeating: "a/any(x:", count: depth) + "true"
                + String(repeating: ")", count: depth)
        }
        #expect(verdict(url(6), .v4, limits) == "read")
        #expect(verdict(url(7), .v4, limits).hasPrefix("limit@"))
    }

    @Test func limitsExpands() {
        var limits = URLLimits()
        limits.maximumExpandDepth = 3
        func url(_ depth: Int) -> String {
            "?" + String(repeating: "$expand=A(", count: depth - 1) + "$expand=A"
                + String(repeating: ")", count: depth - 1)
        }
        #expect(verdict(url(3), .v4, limits) == "read")
        #expect(verdict(url(4), .v4, limits).hasPrefix("limit@"))
        #expect(verdict(url(5_000)).hasPrefix("limit@"))
    }

    @Test func limitsApply() {
        let text = String(repeating: "concat(", count: 10_000)
        #expect(verdict("?$apply=" + text).hasPrefix("limit@"))
    }

    @Test func limitsLengthSegmentsOptionsAndItems() {
        var limits = URLLimits()
        limits.maximumLength = 5
        #expect(verdict("abcde", .v4, limits) == "read")
        #expect(verdict("abcdef", .v4, limits) == "limit@5")
        limits = URLLimits()
        limits.maximumSegments = 3
        #expect(verdict("a/b/c", .v4, limits) == "read")
        #expect(verdict("a/b/c/d", .v4, limits) == "limit@6")
        limits.maximumOptions = 2
        #expect(verdict("a?b&c", .v4, limits) == "read")
        #expect(verdict("a?b&c&d", .v4, limits) == "limit@6")
        limits.maximumItems = 2
        #expect(verdict("a?$select=b,c", .v4, limits) == "read")
        #expect(verdict("a?$select=b,c,d", .v4, limits) == "limit@14")
    }

    @Test func readsTenThousandTerms() {
        let terms = Array(repeating: "ID eq 5", count: 10_000).joined(separator: " or ")
        #expect(verdict("Set?$filter=" + terms) == "read")
        let list = Array(repeating: "12", count: 10_000).joined(separator: ",")
        #expect(verdict("Set?$filter=ID in (" + list + ")") == "read")
    }

    @Test(arguments: [
        "'", "a", "%", "(", ")", "a eq ", "a or ", "$", "\"", "é", "1", "-", "/a", ";", "--",
    ])
    func survivesLongFilters(_ text: String) {
        let count = 100_000 / text.utf8.count
        let result = verdict("Set?$filter=" + String(repeating: text, count: count))
        #expect(!result.isEmpty)
    }

    // MARK: Mutations

    private static let seeds = [
        "Products(5)/Category/Products(3)/Name/$value?$format=json",
        "Items(OrderID=1,No=2)?$select=Quantity&$expand=Order($expand=Notes($top=3;$orderby=Number desc))",
        "Products?$filter=contains(Name,'a''b') and Price gt 3.5 or not (ID in (1,2,3))&$orderby=Name desc",
        "Products?$filter=Items/any(i:i/Quantity gt 3 and i/Order/Items/all(j:j/No ne null))&$count=true",
        "Products?$search=blue OR \"red hat\" NOT green&$skiptoken=abc%26&@p=[1,2,{\"a\":\"b\\u00e4\"}]",
        "Products?$apply=filter(Sold)/groupby((Color,Category/Name),aggregate(Price with sum as S,$count as N))",
        "Products?$filter=Updated lt 2020-01-01T10:00:00.123%2B02:00 and Lasts eq duration'PT1H' and case(Sold:1,true:2) eq 1",
    ]

    /// Nothing that differs from a good URL by a few bytes may end the program, or pass the limits of text positions.
    @Test(arguments: seeds, [ODataVersion.v401, .v4, .v2])
    func survivesMutations(_ seed: String, _ version: ODataVersion) {
        var generator = SeededGenerator(seed: UInt64(seed.utf8.count))
        let alphabet = Array("'()/,;:=&?$@%\"[]{}\\ +-.0129aeNT#\u{0}".utf8) + [0xC3, 0xA4, 0xFF]
        for _ in 0..<300 {
            var bytes = Array(seed.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0:
                    bytes[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
                case 1: bytes.remove(at: place)
                default:
                    let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
                    bytes.insert(byte, at: place)
                }
            }
            do throws(ODataURLError) {
                let written = try WrittenRequest(bytes: bytes, version: version)
                _ = written.json()
                _ = try BoundRequest(written, in: ModelSketch.shop)
            } catch {
                #expect((0...bytes.count).contains(error.offset))
                #expect(!error.description.isEmpty)
            }
        }
    }
}
