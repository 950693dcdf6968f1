import OfflineOData
import Testing

/// A store under a key, from the command line.
@Suite(.enabled(if: OfflineODataEncryptionKey.isAvailable, "SQLite has no cipher here"))
struct EncryptedStoreCommandTests {
    /// A directory with a plain store and files with keys.
    private func scratch() async throws -> Scratch {
        let scratch = try await Library.store()
        try scratch.write("correct horse\n", to: "key")
        try scratch.write("battery staple", to: "other")
        let digits = String(repeating: "0f", count: 32)
        try scratch.write("x'\(digits)'\n", to: "raw")
        return scratch
    }

    private func check(
        _ status: Int32,
        _ arguments: String...,
        in scratch: Scratch,
        says text: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await Tool.run(arguments, in: scratch)
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: sourceLocation)
        let said = outcome.output + outcome.errors
        #expect(text.isEmpty || said.contains(text), "\(said)", sourceLocation: sourceLocation)
        #expect(!said.contains("correct horse") && !said.contains("battery"))
    }

    @Test func encryptsAStoreChangesItsKeyAndDecryptsIt() async throws {
        let scratch = try await scratch()
        let store = "library.store"
        try await check(0, "rekey", store, "--new-key", "@key", in: scratch)
        try await check(2, "status", store, in: scratch, says: "--key @FILE|env:NAME gives the key")
        try await check(
            2,
            "status",
            store,
            "--key",
            "@other",
            in: scratch,
            says: "the key is not the one of"
        )
        try await check(0, "get", store, "Books(10)", "--key", "@key", in: scratch, says: "Notes")
        let patch = ["patch", store, "Books(10)", #"{"Title":"Zwölfboxkämpfer"}"#, "--key", "@key"]
        #expect(try await Tool.run(patch, in: scratch).status == 0)
        #expect(try PlainText.files(of: scratch, holding: "Zwölfboxkämpfer").isEmpty)
        try await check(0, "rekey", store, "--key", "@key", "--new-key", "@raw", in: scratch)
        try await check(
            2,
            "queue",
            store,
            "--key",
            "@key",
            in: scratch,
            says: "the key is not the one of"
        )
        try await check(0, "queue", store, "--key", "@raw", in: scratch, says: "Books(10)")
        try await check(0, "check", store, "--key", "@raw", in: scratch, says: "sound")
        try await check(0, "rekey", store, "--key", "@raw", "--decrypt", in: scratch)
        try await check(2, "status", store, "--key", "@raw", in: scratch, says: "is not encrypted")
        try await check(0, "get", store, "Books(10)", in: scratch, says: "Zwölfboxkämpfer")
        #expect(try PlainText.files(of: scratch, holding: "Zwölfboxkämpfer") == [store])
    }

    @Test func makesAnEncryptedStoreAndRemovesIt() async throws {
        let scratch = try await scratch()
        let files = ["--metadata", "metadata.xml", "Books.json", "Authors.json"]
        let made = try await Tool.run(
            ["import", "new.store"] + files + ["--key", "@key"],
            in: scratch
        )
        #expect(made.status == 0, "\(made.errors)")
        #expect(try PlainText.files(of: scratch, holding: "Notes").contains("new.store") == false)
        try await check(0, "export", "new.store", "rows", "--key", "@key", in: scratch)
        try await check(2, "clear", "new.store", in: scratch, says: "is encrypted")
        #expect(scratch.exists("new.store"))
        try await check(0, "clear", "new.store", "--key", "@key", in: scratch)
        #expect(!scratch.exists("new.store"))
    }

    @Test func writesNoKeyIntoTheLog() async throws {
        let scratch = try await scratch()
        try await check(
            0,
            "rekey",
            "library.store",
            "--new-key",
            "@key",
            "--log",
            "log",
            "--log-level",
            "trace",
            in: scratch
        )
        try await check(
            2,
            "status",
            "library.store",
            "--key",
            "@other",
            "--log",
            "log",
            "--log-level",
            "trace",
            in: scratch
        )
        let log = try scratch.read("log")
        let hex = "636f727265637420686f727365"
        #expect(!log.contains("correct horse") && !log.contains("battery") && !log.contains(hex))
    }

    @Test func exportsTheQueueUnderAKey() async throws {
        let scratch = try await scratch()
        try await check(0, "rekey", "library.store", "--new-key", "@key", in: scratch)
        let body = #"{"Title":"Zwölfboxkämpfer"}"#
        try await check(
            0,
            "patch",
            "library.store",
            "Books(10)",
            body,
            "--key",
            "@key",
            in: scratch
        )
        let export = ["queue", "export", "library.store", "queue.store", "--key", "@key"]
        let made = try await Tool.run(export + ["--file-key", "@other"], in: scratch)
        #expect(made.status == 0, "\(made.errors)")
        #expect(try PlainText.files(of: scratch, holding: "Zwölfboxkämpfer").isEmpty)
        let other = try await Library.store()
        try scratch.copy("queue.store", to: other)
        try scratch.copy("other", to: other)
        let refused = try await Tool.run(
            ["queue", "import", "library.store", "queue.store"],
            in: other
        )
        #expect(refused.status == 2 && refused.errors.contains("--file-key"), "\(refused.errors)")
        let taken = try await Tool.run(
            ["queue", "import", "library.store", "queue.store", "--file-key", "@other"],
            in: other
        )
        #expect(taken.status == 0, "\(taken.errors)")
        try await check(0, "get", "library.store", "Books(10)", in: other, says: "Zwölfboxkämpfer")
    }

    @Test func readsTheShellWithItsKey() async throws {
        let scratch = try await scratch()
        try await check(0, "rekey", "library.store", "--new-key", "@key", in: scratch)
        let outcome = try await Tool.run(
            ["shell", "library.store", "--key", "@key"],
            input: "get Books(10)\nqueue\n",
            in: scratch
        )
        #expect(outcome.status == 0 && outcome.output.contains("Notes"), "\(outcome.errors)")
    }
}
