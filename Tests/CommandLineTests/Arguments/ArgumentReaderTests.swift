import ODataHTTP
import Testing

@testable import CommandSupport
@testable import MetadataCommands
@testable import offline_odata

@Suite struct ArgumentReaderTests {
    private static let syntax = CommandSyntax(
        name: "try",
        summary: "Tries.",
        forms: ["A [B]"],
        operands: 1...2,
        options: [
            .flag("yes", help: "a flag"), .value("size", placeholder: "N", help: "a value"),
            .list("name", placeholder: "NAME", help: "a list"),
        ],
        examples: [.init("it", line: "try a")]
    )

    private func read(_ words: [String]) throws -> Arguments {
        try ArgumentReader.read(words[...], syntax: Self.syntax)
    }

    @Test func readsOptionsAnywhere() throws {
        let arguments = try read(["--name", "a=1", "x", "--yes", "--name=b", "--size=", "-"])

        #expect(arguments.operands == ["x", "-"])
        #expect(arguments.all("name") == ["a=1", "b"])
        #expect(arguments.value("size") == "")
        #expect(arguments.has("yes"))
        #expect(!arguments.has("no"))
    }

    @Test func takesAWordThatLooksLikeAnOptionAsAValue() throws {
        #expect(try read(["x", "--size", "--yes"]).value("size") == "--yes")
    }

    @Test(arguments: [("0", 0), ("7", 7), ("007", 7)])
    func readsNumbers(_ text: String, _ number: Int) throws {
        #expect(try read(["x", "--size", text]).number("size", in: 0...9) == number)
    }

    @Test(arguments: ["", "-1", "10", "1.0", "one", "99999999999999999999"])
    func refusesNumbers(_ text: String) throws {
        let arguments = try read(["x", "--size", text])

        #expect(throws: CommandFailure.self) { try arguments.number("size", in: 0...9) }
    }

    @Test(arguments: [("0", Duration.zero), ("1.5", .milliseconds(1_500)), ("60", .seconds(60))])
    func readsTimes(_ text: String, _ time: Duration) throws {
        #expect(try read(["x", "--size", text]).seconds("size") == time)
    }

    @Test(arguments: ["-1", "nan", "inf", "1e300", "1s"])
    func refusesTimes(_ text: String) throws {
        let arguments = try read(["x", "--size", text])

        #expect(throws: CommandFailure.self) { try arguments.seconds("size") }
    }

    @Test(arguments: ["X-A: 1", "X-A:1", "X-A:\t1"])
    func readsHeaderFields(_ text: String) throws {
        var headers = HTTPHeaders()
        try HeaderText.append(text + "\n\nX-B: a: b\r\n", to: &headers)

        #expect(headers == ["X-A": "1", "X-B": "a: b"])
    }

    @Test(arguments: ["X", ": 1", "X A: 1", "X: \u{1}", "X:\u{7F}"])
    func refusesHeaderFields(_ text: String) {
        var headers = HTTPHeaders()

        #expect(throws: CommandFailure.self) { try HeaderText.append(text, to: &headers) }
    }
}
