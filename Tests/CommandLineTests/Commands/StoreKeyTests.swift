import OfflineOData
import Testing

@testable import CommandSupport
@testable import MetadataCommands
@testable import offline_odata

/// The key of an encrypted store on the command line.
@Suite struct StoreKeyTests {
    /// Commands that open a store, each with operands that it takes.
    static let commands = CommandCatalog.commands.map { $0.syntax }.filter { syntax in
        syntax.forms.contains { $0.contains("STORE") }
    }

    @Test func everyCommandThatOpensAStoreTakesAKey() {
        #expect(Self.commands.count > 25)
        for syntax in Self.commands {
            #expect(syntax.option(named: "key") != nil, "\(syntax.name)")
        }
        for name in ["metadata diff", "url check", "demo"] {
            let syntax = CommandCatalog.commands.map { $0.syntax }.first { $0.name == name }
            #expect(syntax != nil && syntax?.option(named: "key") == nil)
        }
    }

    @Test(arguments: ["correct-horse", "x'00'", ""])
    func refusesTheKeyItselfAndDoesNotRepeatIt(text: String) async throws {
        let scratch = try await Library.store()
        let outcome = try await Tool.run("status", "library.store", "--key", text, in: scratch)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("--key takes @FILE or env:NAME"))
        #expect(text.isEmpty || !outcome.errors.contains(text))
    }

    @Test func namesWhatIsNotThere() async throws {
        let scratch = try await Library.store()
        try scratch.write("\n", to: "empty")
        for (value, message) in [
            ("env:NO_SUCH_VARIABLE_HERE", "there is no variable NO_SUCH_VARIABLE_HERE"),
            ("@no-such-file", "no-such-file"), ("@empty", "the key is empty"),
        ] {
            let outcome = try await Tool.run("status", "library.store", "--key", value, in: scratch)
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains(message))
        }
    }

    @Test(.enabled(if: !OfflineODataEncryptionKey.isAvailable, "SQLite has a cipher here"))
    func saysThatSQLiteCannotEncrypt() async throws {
        let scratch = try Library.files()
        try scratch.write("correct horse\n", to: "key")
        let outcome = try await Tool.run(
            "import",
            "library.store",
            "--metadata",
            "metadata.xml",
            "Books.json",
            "--key",
            "@key",
            in: scratch
        )
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("has no cipher"))
        #expect(!outcome.errors.contains("correct horse"))
        #expect(!scratch.exists("library.store"))
    }
}
