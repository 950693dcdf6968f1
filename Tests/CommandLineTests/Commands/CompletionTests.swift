import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import MetadataCommands
@testable import offline_odata

/// `completion`: the scripts, run by the shells that they are for.
@Suite struct CompletionTests {
    /// What bash offers for the last word of a line.
    private static func offers(_ line: String...) async throws -> [String] {
        try await offers(line)
    }

    private static func offers(_ line: [String]) async throws -> [String] {
        let scratch = try Scratch()
        let script = try await Tool.run("completion", "bash")
        #expect(script.status == 0)
        let words = (["offline-odata"] + line).map { "'\($0)'" }.joined(separator: " ")
        try scratch.write(
            script.output + "\nCOMP_WORDS=(\(words)); COMP_CWORD=\(line.count)\n_offline_odata\n"
                + "printf '%s\\n' \"${COMPREPLY[@]}\"\n",
            to: "try.bash"
        )
        let process = try SpawnedProcess(
            "/bin/bash",
            ["--norc", scratch.path("try.bash")],
            input: .null,
            output: .file(scratch.path("output")),
            errors: .file(scratch.path("errors"))
        )
        #expect(try await process.status() == 0)
        #expect(try scratch.read("errors").isEmpty)
        return try scratch.read("output").split(separator: "\n").map(String.init)
    }

    @Test func offersEachWordOnce() throws {
        let completion = ShellCompletion(commands: CommandCatalog.commands.map { $0.syntax })
        let replies = completion.bash.split(separator: "\n").filter { $0.contains("reply=\"") }
        #expect(replies.count > 50)
        for reply in replies {
            let words =
                reply.split(separator: "\"").last { $0 != " ;;" }?.split(separator: " ") ?? []
            #expect(Set(words).count == words.count, "\(reply)")
        }
    }

    @Test func completesCommands() async throws {
        #expect(try await Self.offers("qu") == ["query", "queue"])
        #expect(
            try await Self.offers("metadata", "") == [
                "summary", "diff", "matrix", "rules", "sql", "json", "xml",
            ]
        )
        #expect(try await Self.offers("policy", "re") == ["refresh"])
        let all = try await Self.offers("")
        let first = CommandCatalog.commands.map { $0.name.prefix { $0 != " " } }
        for name in first { #expect(all.contains(String(name))) }
    }

    @Test func completesActionsAndOptions() async throws {
        #expect(try await Self.offers("query", "l") == ["list"])
        #expect(try await Self.offers("queue", "dr") == ["drop"])
        #expect(try await Self.offers("upload", "work.store", "--dr") == ["--dry-run"])
        #expect(
            try await Self.offers("metadata", "diff", "a.xml", "--al") == [
                "--allow", "--allow-origin",
            ]
        )
    }

    @Test func completesTheValuesOfOptions() async throws {
        #expect(
            try await Self.offers("get", "work.store", "Parts", "--format", "")
                == ["json", "table", "csv", "ndjson"]
        )
        #expect(try await Self.offers("metadata", "diff", "a", "b", "--format", "s") == ["sarif"])
        #expect(try await Self.offers("upload", "work.store", "--batch-format", "j") == ["json"])
        #expect(try await Self.offers("sync", "work.store", "--log-level", "w") == ["warning"])
        #expect(
            try await Self.offers("get", "work.store", "Parts", "--fetch-policy", "FETCH_W")
                == ["FETCH_WITH_REFRESH"]
        )
        #expect(
            try await Self.offers("url", "check", "Parts", "--version", "")
                == ["1.0", "2.0", "3.0", "4.0", "4.01"]
        )
        #expect(try await Self.offers("resolve", "work.store", "Parts(1)", "ser") == ["server"])
        #expect(try await Self.offers("queue", "move", "work.store", "2", "be") == ["before"])
    }

    /// Where nothing is begun, bash completes files.
    @Test(arguments: [["status"], ["metadata", "summary"], ["serve", "--metadata"]])
    func leavesFilesToTheShell(_ words: [String]) async throws {
        #expect(try await Self.offers(words + [""]).isEmpty)
    }

    /// Every option of every command is offered.
    @Test(arguments: CommandCatalog.commands.map { $0.name })
    func knowsEveryOption(_ name: String) throws {
        let syntax = try #require(CommandCatalog.commands.first { $0.name == name }).syntax
        let script = ShellCompletion(commands: CommandCatalog.commands.map { $0.syntax })
        let line = try #require(
            script.bash.split(separator: "\n").first {
                $0.contains("\"\(name)\") reply=") && $0.contains("--help")
            }
        )
        for option in syntax.allOptions { #expect(line.contains("--\(option.name)")) }
        #expect(script.zsh.contains(line))
    }

    @Test func refusesOtherShells() async throws {
        let outcome = try await Tool.run("completion", "fish")
        #expect(
            outcome
                == Tool.Outcome(
                    status: 2,
                    output: "",
                    errors: "error: must be bash or zsh, not 'fish'\n"
                )
        )
    }
}
