import Testing

@testable import OfflineResources

/// URLs that ask for the same have one copy.
@Suite struct URLSpellingTests {
    @Test(
        arguments: [
            ("Items", "Items"), ("Items?$top=2", "Items?$top=2"),
            ("Items?%24top=2", "Items?$top=2"),
            ("Items?$filter=Name eq 'ä'", "Items?$filter=Name%20eq%20'%C3%A4'"),
            ("Items?$filter=Name%20eq%20%27%c3%a4%27", "Items?$filter=Name%20eq%20'%C3%A4'"),
            ("Items?$top=2&$filter=ID gt 1", "Items?$filter=ID%20gt%201&$top=2"),
            ("Items?b=2&a=2&a=1", "Items?a=2&a=1&b=2"), ("Names('a%2Fb')", "Names('a%2Fb')"),
            ("Names(%27a%26b%27)", "Names('a%26b')"), ("a?b=1%2B1", "a?b=1%2B1"),
            ("a?b=1+1", "a?b=1+1"), ("a?b=%", "a?b=%"), ("a?b=%+1&", "a?b=%+1"),
        ]
    )
    func hasOneSpelling(_ url: String, _ common: String) {
        #expect(URLSpelling.common(url) == common)
        #expect(URLSpelling.common(common) == common)
    }

    @Test func answersOfflineHoweverTheQueryIsWritten() async throws {
        let bench = try await PolicyBench { _ in LiteralService.items([2, 3]) }
        _ = try await bench.engine.read("Items?$top=2&$filter=ID%20gt%201")
        #expect(bench.service.asked == ["GET Items?$top=2&$filter=ID%20gt%201"])
        bench.network.set(isReachable: false)
        for url in [
            "Items?$top=2&$filter=ID gt 1", "Items?%24filter=ID%20gt%201&$top=2",
            "/Items?$filter=ID gt 1&$top=2",
        ] {
            #expect(try await bench.engine.read(url).ids == [2, 3])
        }
        try await bench.engine.evict("Items?$filter=ID gt 1&$top=2")
        #expect(try await bench.engine.storedResources().isEmpty)
    }
}
