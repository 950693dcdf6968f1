import Testing

@testable import ODataSQLite

@Suite struct TextPatternTests {
    @Test(arguments: [
        ("", "anything"), ("a", "cat"), ("^cat$", "cat"), ("c.t", "cut"), ("^(a|b)+$", "abba"),
        ("^a?b$", "b"),
        ("^a{2,3}$", "aaa"), ("^a{2,}$", "aaaa"), ("^[a-c]+$", "abc"), ("^[^a-c]+$", "xyz"),
        ("^\\d{3}$", "123"),
        ("^\\w+\\s\\w+$", "ab cd"), ("^[\\d-]+$", "1-2"), ("\\.", "a.b"), ("^\\u00e9$", "é"),
        ("^.$", "😀"),
        ("^(?:ab)*?$", "abab"), ("^[\\W]$", "-"), ("^()$", ""), ("a|", "b"),
    ])
    func matchesTextsThatThePatternDescribes(pattern: String, text: String) throws {
        #expect(try TextPattern(pattern).matches(text))
    }

    @Test(arguments: [
        ("b", "cat"), ("^at", "cat"), ("ca$", "cat"), ("^a{2}$", "aaa"), ("^[a-c]+$", "abd"),
        ("^.$", "\n"),
        ("^\\D$", "7"), ("^a.c$", "ac"), ("^$", "x"),
    ])
    func rejectsTextsThatThePatternDoesNotDescribe(pattern: String, text: String) throws {
        #expect(try !TextPattern(pattern).matches(text))
    }

    @Test(arguments: [
        "(", ")", "[", "[b-a]", "*", "a{2,1}", "a{x}", "\\", "\\1", "(?=a)", "\\u12", "a{99999}",
    ])
    func refusesMalformedPatterns(pattern: String) {
        #expect(throws: TextPattern.PatternError.self) { try TextPattern(pattern) }
    }

    @Test func hostilePatternsStayCheap() throws {
        let text = String(repeating: "a", count: 2_000) + "!"
        #expect(try !TextPattern("^(a+)+$").matches(text))
        #expect(try !TextPattern("^(a|aa)*b$").matches(text))
    }

    @Test func limitsDepthAndSize() throws {
        let limit = TextPattern.maximumDepth
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + String(repeating: ")", count: depth)
        }
        #expect(throws: Never.self) { try TextPattern(nested(limit - 1)) }
        #expect(throws: TextPattern.PatternError.self) { try TextPattern(nested(limit)) }
        #expect(throws: TextPattern.PatternError.self) { try TextPattern("((a{100}){100}){100}") }
    }
}
