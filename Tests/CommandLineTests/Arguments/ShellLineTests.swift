import Testing

@testable import CommandSupport
@testable import MetadataCommands
@testable import offline_odata

/// A line of the shell and the words that it is cut into.
struct CutLine: Sendable, CustomTestStringConvertible {
    var line: String
    var words: [String]

    var testDescription: String { line }
}

@Suite struct ShellLineTests {
    @Test(arguments: [
        CutLine(line: "", words: []), CutLine(line: "   ", words: []),
        CutLine(line: "# a remark", words: []),
        CutLine(line: "queue", words: ["queue"]),
        CutLine(line: "  queue   show 12 ", words: ["queue", "show", "12"]),
        CutLine(
            line: "query add M='Books?$filter=Title eq x'",
            words: ["query", "add", "M=Books?$filter=Title eq x"]
        ),
        CutLine(
            line: "get Books?$filter=Title eq 'A -- {B} @c'&$top=1",
            words: ["get", "Books?$filter=Title eq 'A -- {B} @c'&$top=1"]
        ),
        CutLine(line: "get Books --output 'a b'", words: ["get", "Books", "--output", "a b"]),
        CutLine(
            line: "get Books?$filter=ID eq @p&@p=1",
            words: ["get", "Books?$filter=ID eq @p&@p=1"]
        ),
        CutLine(
            line: "post Books {\"Title\": \"--tag\", \"N\": [1, 2]} --tag x",
            words: ["post", "Books", "{\"Title\": \"--tag\", \"N\": [1, 2]}", "--tag", "x"]
        ),
        CutLine(line: "put Books(1) @my.json", words: ["put", "Books(1)", "@my.json"]),
        CutLine(line: "post Books -", words: ["post", "Books", "-"]),
        CutLine(
            line: "queue edit 12 {\"Title\": \"a b\"} --even-if-unknown",
            words: ["queue", "edit", "12", "{\"Title\": \"a b\"}", "--even-if-unknown"]
        ),
        CutLine(
            line: "resolve Books(Name='a b') merge {\"N\": 1}",
            words: ["resolve", "Books(Name='a b')", "merge", "{\"N\": 1}"]
        ),
        CutLine(line: "resolve Books(1) server", words: ["resolve", "Books(1)", "server"]),
        CutLine(line: "get 'Books(1)' --json", words: ["get", "Books(1)", "--json"]),
        CutLine(
            line: #"get "Books?\$filter=Title eq 'a b'&\$top=1""#,
            words: ["get", "Books?$filter=Title eq 'a b'&$top=1"]
        ),
        CutLine(
            line: #"post 'Books' '{"Title": "A b"}' --tag x"#,
            words: ["post", "Books", #"{"Title": "A b"}"#, "--tag", "x"]
        ),
        CutLine(
            line: #"patch Books(1) '{"Title": "A b"}' --tag x"#,
            words: ["patch", "Books(1)", #"{"Title": "A b"}"#, "--tag", "x"]
        ),
        CutLine(
            line: #"post Books "{\"Title\": \"it's\"}""#,
            words: ["post", "Books", #"{"Title": "it's"}"#]
        ),
        CutLine(
            line: #"put Books(1)/Title 'abc'"#,
            words: ["put", "Books(1)/Title 'abc'"]
        ),
        CutLine(line: "undo --all", words: ["undo", "--all"]),
        CutLine(line: "delete Books(Name='a b')", words: ["delete", "Books(Name='a b')"]),
    ])
    func cutsALine(_ cut: CutLine) {
        #expect(ShellLine.words(of: cut.line) == cut.words)
    }

    @Test(arguments: [
        ("queue", [String](), ["s"]), ("queue", ["--json"], ["s", "--json"]),
        ("queue", ["show", "1"], ["show", "s", "1"]), ("query", [], ["list", "s"]),
        ("query", ["add", "A=B"], ["add", "s", "A=B"]), ("get", ["Books"], ["s", "Books"]),
    ])
    func putsTheStoreInItsPlace(_ name: String, _ words: [String], _ expected: [String]) {
        #expect(ShellLine.operands(words, of: name, store: "s") == expected)
    }
}
