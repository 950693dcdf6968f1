import OfflineOData
import Testing

@testable import CommandSupport
@testable import MetadataCommands
@testable import offline_odata

/// What words of the shell can become.
@Suite struct ShellWordsTests {
    private static func words() async throws -> ShellWords {
        let scratch = try await Library.store()
        let provider = try OfflineODataProvider(storeFile: scratch.path("library.store"))
        let sets = try await provider.setDescriptions()
        try await provider.close(force: true)
        let commands = ShellLine.commands.map { $0.syntax }
        return ShellWords(
            commands: commands,
            sets: sets.filter { !$0.isBuiltIn },
            keys: { $0 == "Books" ? ["Books(10)", "Books(11)"] : [] },
            operands: { command, action in
                ["queue drop": ["7", "12"], "query remove": ["B"]]["\(command) \(action)"] ?? []
            }
        )
    }

    @Test(arguments: [
        ("sy", "sy", ["sync"]), ("exp", "exp", ["export"]), (".", ".", [".help", ".quit"]),
        (".help sta", "sta", ["status"]), ("get ", "", ["Authors", "Books"]),
        ("get B", "B", ["Books"]), ("get Books(", "Books(", ["Books(10)", "Books(11)"]),
        ("get Books?$filter=Ti", "Ti", ["Title"]),
        ("get Books?$filter=Title eq 'x' and A", "A", ["Author", "AuthorID"]),
        ("get Books?$sel", "$sel", ["$select"]), ("get Books --form", "--form", ["--format"]),
        ("queue sh", "sh", ["show"]), ("nothing x", "x", []),
        ("queue A", "A", []), ("resolve Books(10) m", "m", ["merge"]),
        ("get Books --format n", "n", ["ndjson"]), ("get Books/$c", "$c", ["$count"]),
        ("post Authors @Na", "@Na", []), ("queue drop 1", "1", ["12"]), ("queue move 1", "1", []),
        ("query remove ", "", ["B"]),
    ])
    func completesTheLastWordOfALine(_ line: String, _ typed: String, _ candidates: [String])
        async throws
    {
        let found = try await Self.words().candidates(for: line)
        #expect(found.typed == typed)
        #expect(found.candidates == candidates)
    }

    @Test(arguments: [
        ("get Books?$fi", "="), ("get Bo", ""), ("get Books(10", ""), ("stat", " "),
        ("get Books --form", " "), ("post Authors {\"Na", "\":"), ("get Books?$filter=Ti", ""),
        ("get Books/$c", ""),
    ])
    func endsAWordOnlyWhereItIsComplete(_ line: String, _ ending: String) async throws {
        let found = try await Self.words().candidates(for: line)
        #expect(found.candidates.count == 1, "\(found)")
        #expect(found.ending == ending)
    }

    @Test func asksWhatWasMeantAndRunsBatchesAndExports() async throws {
        let scratch = try await Library.store()
        try scratch.write(
            #"{"requests":[{"id":"1","method":"get","url":"Books(10)"}]}"#,
            to: "batch.json"
        )
        let input = "stauts\nexti\nbatch @batch.json\nexport out\nimport Books.json\n"
        let outcome = try await Tool.run("shell", "library.store", input: input, in: scratch)
        #expect(
            outcome.errors.contains("'stauts' is no command of the shell; did you mean `status`?")
        )
        #expect(outcome.errors.contains("'exti' is no command of the shell; did you mean `exit`?"))
        #expect(outcome.output.contains("Notes"))
        #expect(outcome.output.contains("exported: 2 entity sets to out (5 entities), "))
        #expect(outcome.output.contains("imported: 3 entities from 1 file, "))
        #expect(outcome.status == 2)
    }

    /// A mistake is an answer too where answers are JSON.
    @Test func answersMistakesInJSON() async throws {
        let scratch = try await Library.store()
        let input = "pathc Books(10) {}\n.help me\n"
        let line = ["shell", "library.store", "--json"]
        let outcome = try await Tool.run(line, input: input, in: scratch)
        let lines = outcome.output.split(separator: "\n")

        #expect(lines.count == 2, "\(outcome.output)")
        let first = #"{"error":{"exitStatus":2,"message":"'pathc' is no"#
        #expect(lines.first?.hasPrefix(first) == true)
        #expect(lines.last?.hasPrefix(#"{"error":{"exitStatus":2,"#) == true)
    }
}
