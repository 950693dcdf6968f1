import Testing

@testable import ODataText

@Suite struct JSONTreeTests {
    @Test func findsMembersAndTheirText() throws {
        let tree = try #require(
            JSONTree(Array(#" {"a" : [1, "\u00e9\n\ud83d\ude00"], "b":{"c":null}} "#.utf8))
        )
        let list = try #require(tree.member("a"))
        guard case .array(let items) = list.value, case .string(let text) = items[1].value else {
            Issue.record("no array with a string")
            return
        }
        #expect(text == "é\n😀")
        #expect(String(decoding: tree.text(list), as: UTF8.self) == #"[1, "\u00e9\n\ud83d\ude00"]"#)
        #expect(tree.member("c", of: tree.member("b")) != nil)
        #expect(tree.member("c") == nil)
    }

    @Test(arguments: ["0", "-1.5e+3", "1E5", "true", "null", "[]", "{}", "\"\"", "[[1],{\"a\":2}]"])
    func takesValues(text: String) {
        #expect(JSONTree(Array(text.utf8)) != nil)
    }

    @Test(arguments: [
        "", "01", "1.", ".5", "+1", "1e", "tru", "nul", "[1,]", "[1", "{\"a\"}", "{\"a\":}",
        "{a:1}", "{\"a\":1,}",
        "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "1 2", "\"a\nb\"",
        "[1]]", #"{"a":1,"a":2}"#,
    ])
    func refusesWhatIsNoJSON(text: String) {
        #expect(JSONTree(Array(text.utf8)) == nil)
    }

    /// Names are compared as bytes, not by canonical equivalence as `String` does.
    @Test func tellsComposedAndDecomposedNamesApart() throws {
        let tree = try #require(JSONTree(Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8)))
        #expect(tree.member("e\u{301}")?.word == "2")
    }

    @Test func refusesASecondNameThatIsEscaped() {
        #expect(JSONTree(Array(#"{"a":1,"\u0061":2}"#.utf8)) == nil)
    }

    @Test func writesEscapesAsEverywhere() {
        var json = IndentedJSON()
        json.object { $0.string("a\u{8}\u{C}", value: "\"\u{1F}\u{E9}") }
        #expect(json.text == "{\n  \"a\\b\\f\": \"\\\"\\u001f\u{E9}\"\n}")
    }

    @Test func refusesBytesThatAreNoUTF8() {
        #expect(JSONTree([0x22, 0xFF, 0x22]) == nil)
    }

    @Test func limitsItsDepth() {
        let limit = JSONTree.maximumDepth
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8
            )
        }
        #expect(JSONTree(nested(limit)) != nil)
        #expect(JSONTree(nested(limit + 1)) == nil)
    }
}
