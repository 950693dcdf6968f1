import Testing

@testable import CommandSupport
@testable import MetadataCommands
@testable import offline_odata

@Suite struct HelpTests {
    static let names = CommandCatalog.commands.map { $0.name }

    @Test(arguments: names)
    func teachesWithExamplesThatItsOwnReaderTakes(_ name: String) throws {
        let syntax = try #require(CommandCatalog.commands.first { $0.name == name }).syntax
        #expect(!syntax.examples.isEmpty)
        #expect(syntax.help.hasPrefix("offline-odata \(name)"))
        for example in syntax.examples {
            #expect(Self.names.contains { example.line.hasPrefix($0) })
            #expect(syntax.help.contains(example.line))
        }
        for option in syntax.allOptions { #expect(syntax.help.contains(option.form)) }
    }

    @Test func namesEachOptionOnce() {
        for command in CommandCatalog.commands {
            let names = command.syntax.allOptions.map(\.name)
            #expect(Set(names).count == names.count, "\(command.name)")
        }
    }

    @Test(arguments: [["status", "--help"], ["help", "status"], ["status", "-h"]])
    func printsTheHelpOfACommand(_ words: [String]) async throws {
        let outcome = try await Tool.run(words)

        let expected = """
            offline-odata status STORE [--json]

            Shows a store at a glance: service, queries, entities, what waits, what went
            wrong.

            Options:
              --json                one JSON document on standard output, nothing else
              --key @FILE|env:NAME  key of an encrypted store; x'64 digits' in it is a key
                                    of 32 bytes, anything else a passphrase
              --log FILE            append what the engine does as JSON lines; - for
                                    standard error
              --log-level LEVEL     trace, debug, info (default), notice, warning or error;
                                    never a value of the data

            Examples:
              # how is the store?
              offline-odata status field.store
              # how many changes wait?
              offline-odata status field.store --json | jq .queue

            """
        #expect(outcome == Tool.Outcome(status: 0, output: expected, errors: ""))
    }

    /// Examples stand in one line, so that they can be copied.
    @Test(arguments: names)
    func fitsEightyColumns(_ name: String) throws {
        let syntax = try #require(CommandCatalog.commands.first { $0.name == name }).syntax
        let text = try #require(syntax.help.split(separator: "\n\nExample", maxSplits: 1).first)
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test func listsEveryCommand() async throws {
        let outcome = try await Tool.run("--help")

        #expect(outcome.status == 0)
        for name in Self.names { #expect(outcome.output.contains("\n  \(name) ")) }
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
