import Foundation
import ODataSQLite
import TestSupport
import Testing

/// Files that are not ours, and files that nobody else may read.
@Suite struct FileSafetyTests {
    private static let sqlite =
        "SQLite format 3\u{0}" + String(repeating: "\u{0}", count: 52) + "APPL"
        + String(repeating: "\u{0}", count: 60)

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    @Test(arguments: ["only a text", String(repeating: "text ", count: 100), sqlite])
    func leavesAFileAloneThatIsNoStore(_ content: String) async throws {
        let scratch = try Scratch()
        try scratch.write(content, to: "precious")

        for arguments in [["clear", "precious", "--force"], ["clear", "precious"]] {
            let outcome = try await Tool.run(arguments, in: scratch)
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("precious is no offline store, so it is left alone"))
        }
        #expect(try scratch.read("precious") == content)
    }

    /// SQLite follows symbolic links, and so does what stands beside a store: its lock, the pages of a download, its removal.
    @Test func knowsAStoreByEachOfItsNames() async throws {
        let scratch = try await Library.store()
        let files = FileManager.default
        try files.createDirectory(atPath: scratch.path("names"), withIntermediateDirectories: true)
        for (name, target) in [("names/first", "../library.store"), ("names/second", "first")] {
            try files.createSymbolicLink(
                atPath: scratch.path(name),
                withDestinationPath: target
            )
        }
        let download = try await Tool.run("download", "names/second", in: scratch)
        #expect(download.status != 0)
        #expect(try files.contentsOfDirectory(atPath: scratch.path("names")).count == 2)
        let cleared = try await Tool.run("clear", "names/second", "--force", in: scratch)
        #expect(cleared.status == 0, "\(cleared.errors)")
        #expect(!files.fileExists(atPath: scratch.path("library.store")))
        #expect(try files.contentsOfDirectory(atPath: scratch.path("names")) == ["first"])
    }

    /// Changes that wait in a store are nowhere else: no option that writes a file may name it.
    @Test(arguments: [
        ["get", "library.store", "Books", "--output", "library.store"],
        ["upload", "library.store", "--har", "library.store"],
        ["status", "library.store", "--log", "library.store"],
        ["queue", "export", "library.store", "library.store"],
        ["metadata", "json", "metadata.xml", "--output", "library.store"],
        ["get", "library.store", "Books", "--output", "./library.store"],
    ])
    func writesNothingOverAStore(_ line: [String]) async throws {
        let scratch = try await Library.store()
        let change = ["patch", "library.store", "Books(10)", #"{"Title":"Mine"}"#]
        try #require(try await Tool.run(change, in: scratch).status == 0)
        let before = try Data(contentsOf: scratch.url("library.store"))
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 2, "\(outcome)")
        #expect(outcome.output.isEmpty)
        #expect(try Data(contentsOf: scratch.url("library.store")) == before)
        let queue = try await Tool.run("queue", "library.store", in: scratch)
        #expect(queue.output.contains("PATCH"))
    }

    /// The file of an encrypted store has no mark by which it is known.
    @Test func writesNothingOverAFileThatTheCommandWorksOn() async throws {
        let scratch = try await Library.store()
        try scratch.write("no database", to: "other.store")
        let outcome = try await Tool.run(
            "get",
            "other.store",
            "Books",
            "--output",
            "other.store",
            in: scratch
        )
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("--output would write over other.store"))
        #expect(try scratch.read("other.store") == "no database")
    }

    @Test func clearsADamagedStore() async throws {
        let scratch = try await Library.store()
        let url = scratch.directory.appending(path: "library.store")
        var bytes = try Data(contentsOf: url)
        bytes.replaceSubrange(100..<bytes.count, with: Data(repeating: 7, count: bytes.count - 100))
        try bytes.write(to: url)

        let outcome = try await Tool.run("clear", "library.store", "--force", in: scratch)

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!scratch.exists("library.store"))
    }

    @Test func clearsADamagedStoreOfWhichTheEndIsMissing() async throws {
        let scratch = try await Library.store()
        let url = scratch.directory.appending(path: "library.store")
        let bytes = try Data(contentsOf: url)
        try bytes.prefix(bytes.count / 2).write(to: url)

        let refused = try await Tool.run("clear", "library.store", in: scratch)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("is damaged"), "\(refused.errors)")
        #expect(refused.errors.contains("--force removes it all the same"), "\(refused.errors)")
        let outcome = try await Tool.run("clear", "library.store", "--force", in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!scratch.exists("library.store"))
    }

    @Test(arguments: [["clear", "empty"], ["clear", "empty", "--force"]])
    func leavesAnEmptyFileAlone(_ arguments: [String]) async throws {
        let scratch = try Scratch()
        try scratch.write("", to: "empty")
        let outcome = try await Tool.run(arguments, in: scratch)
        #expect(outcome.status == 2)
        #expect(scratch.exists("empty"))
    }

    /// What a comparison that was killed has left is data of the service.
    @Test func clearsTheCopiesOfAStore() async throws {
        let scratch = try await Library.store()
        let copies = ["", "-wal", "-shm", "-journal", "-sync"].map {
            "library.store-check-0123456789abcdef" + $0
        }
        let others = ["library.store-check-list.txt", "other.store-check-0123456789abcdef"]
        for name in copies + others { try scratch.write("x", to: name) }
        #expect(try await Tool.run("clear", "library.store", in: scratch).status == 0)
        for name in copies { #expect(!scratch.exists(name), "\(name)") }
        for name in others { #expect(scratch.exists(name), "\(name)") }
    }

    @Test func removesTheCopyOfAComparisonThatWasKilled() async throws {
        let (tool, root, scratch) = try await Library.service()
        let line = ["open", "s.store", "--service", root, "--query", "B=Books"]
        #expect(try await Tool.run(line, in: scratch).status == 0)
        let copy = "s.store-check-0123456789abcdef"
        for suffix in ["", "-journal", "-sync"] { try scratch.write("x", to: copy + suffix) }
        let check = try await Tool.run("check", "s.store", "--against-service", in: scratch)
        #expect(check.status == 0, "\(check.errors)")
        #expect(try scratch.names().filter { $0.contains("-check-") }.isEmpty)
        withExtendedLifetime(tool) {}
    }

    @Test func leavesNothingWhereTheFirstLoadFails() async throws {
        let scratch = try Scratch()
        let line = [
            "open", "s.store", "--service", "http://127.0.0.1:9/", "--query", "A=A", "--timeout",
            "1",
        ]
        #expect(try await Tool.run(line, in: scratch).status == 4)
        #expect(try scratch.names().filter { $0 != "s.store-sync" }.isEmpty)
    }

    // MARK: Databases of the stand-alone service

    /// A database of another program, and files that are none.
    @Test(arguments: [
        ("other.db", "is a SQLite database of another program"),
        ("library.store", "is an offline store"), ("text", "is no SQLite database"),
        ("folder", "cannot open folder: it is a directory"),
        ("nowhere/x.db", "cannot open nowhere/x.db: no such file or directory"),
    ])
    func servesFromNoFileOfAnother(_ name: String, _ message: String) async throws {
        let scratch = try await Library.store()
        try scratch.write("only a text", to: "text")
        try scratch.makeDirectory("folder")
        let other = try SQLiteConnection(path: scratch.path("other.db"), mode: .create)
        try other.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let before = try scratch.names()
        let bytes = try? Data(contentsOf: scratch.url(name))

        let outcome = try await Tool.run(
            "serve",
            "--metadata",
            "metadata.xml",
            "--database",
            name,
            in: scratch
        )

        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect((try? Data(contentsOf: scratch.url(name))) == bytes)
        #expect(try scratch.names() == before)
    }

    @Test(arguments: [["clear", "folder"], ["clear", "folder", "--force"], ["status", "folder"]])
    func saysThatAPathIsADirectory(_ arguments: [String]) async throws {
        let scratch = try Scratch()
        try scratch.makeDirectory("folder")
        let outcome = try await Tool.run(arguments, in: scratch)
        #expect(outcome.status == 2)
        #expect(
            outcome.errors.contains("cannot open folder: it is a directory"),
            "\(outcome.errors)"
        )
    }

    @Test(arguments: [["status"], ["get", "Books"], ["clear", "--force"]])
    func saysThatAStoreMayNotBeRead(_ command: [String]) async throws {
        let scratch = try await Library.store()
        try scratch.makeReadable(to: 0o755)
        let store = scratch.path("library.store")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store)
        let outcome = try await Tool.runUnprivileged([command[0], store] + command.dropFirst())
        if geteuid() == 0 {
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("\(store): permission denied"), "\(outcome.errors)")
        }
    }

    @Test(arguments: [["status", "empty"], ["get", "empty", "Books"], ["queue", "empty"]])
    func makesNoStoreOfAnEmptyFile(_ arguments: [String]) async throws {
        let scratch = try Scratch()
        try scratch.write("", to: "empty")

        let outcome = try await Tool.run(arguments, in: scratch)

        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("empty is empty, no offline store"))
        #expect(try scratch.read("empty").isEmpty)
    }

    @Test func takesTheNameOfSQLitesDatabaseInMemoryForAFile() async throws {
        let scratch = try Library.files()
        let made = try await Tool.run(
            ["import", ":memory:", "--metadata", "metadata.xml", "Books.json", "Authors.json"],
            in: scratch
        )
        #expect(made.status == 0, "\(made.errors)")

        let read = try await Tool.run(["get", ":memory:", "Books(10)"], in: scratch)
        #expect(read.output.contains("Notes"), "\(read.errors)")

        let cleared = try await Tool.run(["clear", ":memory:", "--force"], in: scratch)
        #expect(cleared.status == 0, "\(cleared.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path(":memory:")))
    }

    /// A store on a medium, or in a directory, that cannot be written; the administrator writes everywhere, so somebody else reads.
    @Test(arguments: [["get", "Books?$count=true&$top=1"], ["status"], ["queue"], ["check"]])
    func readsAStoreThatCannotBeWritten(_ command: [String]) async throws {
        let scratch = try await Library.store()
        let store = scratch.path("library.store")
        let before = try scratch.names()
        try scratch.makeReadable(to: 0o555)
        defer { try? scratch.makeReadable(to: 0o755) }

        let arguments = [command[0], store] + command.dropFirst()
        let outcome = try await Tool.runUnprivileged(arguments)

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scratch.names() == before)
    }

    /// A copy that was made beside a running process, say, without the index that SQLite makes of the log.
    @Test func saysWhereALogCanBeRead() async throws {
        let scratch = try await Library.store()
        let store = scratch.path("library.store")
        try scratch.write("not empty", to: "library.store-wal")
        // The process that made the store may have left it.
        try? FileManager.default.removeItem(atPath: store + "-shm")
        try scratch.makeReadable(to: 0o555)
        defer { try? scratch.makeReadable(to: 0o755) }
        let outcome = try await Tool.runUnprivileged(["get", store, "Books"])
        #expect(outcome.status == 2)
        #expect(
            outcome.errors.contains(
                "cannot open \(store): its last changes are in \(store)-wal, and to read them SQLite needs a directory that can be written: copy both files to one"
            ),
            "\(outcome.errors)"
        )
    }

    @Test(arguments: [
        (["upload", "--dry-run", "--json"], "PATCH Parts(1) "),
        (["check", "--against-service", "--json"], #""compared":2"#),
    ])
    func asksTheServiceOfAStoreThatCannotBeWritten(_ command: [String], _ part: String) async throws
    {
        let server = try PartsServer()
        let scratch = try Scratch()
        for line in [
            ["open", "s.store", "--service", server.root, "--query", "P=Parts"],
            ["patch", "s.store", "Parts(1)", #"{"Name":"mine"}"#],
        ] {
            let outcome = try await Tool.run(line, in: scratch)
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
        // An empty log of the owner's, as commands leave it.
        try scratch.write("", to: "s.store-wal")
        let before = try scratch.names()
        try scratch.makeReadable(to: 0o555)
        defer { try? scratch.makeReadable(to: 0o755) }
        let log = scratch.path("s.store-wal")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: log)

        let store = scratch.path("s.store")
        let outcome = try await Tool.runUnprivileged([command[0], store] + command.dropFirst())

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(part), "\(outcome.output)")
        #expect(try scratch.names() == before)

        guard geteuid() == 0 else { return }
        let elsewhere = try await Tool.runUnprivileged(
            [command[0], store] + command.dropFirst(),
            temporaryDirectory: "/proc"
        )
        #expect(elsewhere.status == 2)
        #expect(
            elsewhere.errors.contains("no directory can be made in /proc for temporary files"),
            "\(elsewhere.errors)"
        )
    }

    /// What another user left beside the file, its owner could not write.
    @Test(arguments: [[], ["--force"]])
    func leavesNothingBesideAStoreOfAnotherUser(_ force: [String]) async throws {
        guard geteuid() == 0 else { return }
        let scratch = try await Library.store()
        let store = scratch.path("library.store")
        try scratch.makeReadable(to: 0o777)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store)
        let before = try scratch.names()
        let outcome = try await Tool.runUnprivileged(["clear", store] + force)
        #expect(outcome.status == 2)
        #expect(
            outcome.errors.contains("can be read, not removed: permission denied"),
            "\(outcome.errors)"
        )
        #expect(try scratch.names() == before)
    }

    /// A copy of the file alone has everything, though the process may end before SQLite has closed the file.
    @Test func leavesNothingInTheLogBesideTheFile() async throws {
        for _ in 0..<TestScale.size(4, soak: 40) {
            let scratch = try await Library.store()
            #expect((scratch.size("library.store-wal") ?? 0) == 0)
        }
    }

    @Test func refusesToChangeAStoreThatCannotBeWritten() async throws {
        let scratch = try await Library.store()
        let store = scratch.path("library.store")
        try scratch.makeReadable(to: 0o555)
        defer { try? scratch.makeReadable(to: 0o755) }

        let outcome = try await Tool.runUnprivileged(["delete", store, "Books(10)"])

        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("read-only"))
        #expect(outcome.errors.contains("library.store"))
    }

    @Test func writesFilesForTheirOwnerAlone() async throws {
        let scratch = try await Library.store()

        _ = try await Tool.run("export", "library.store", "rows-out", in: scratch)
        _ = try await Tool.run(
            "get",
            "library.store",
            "Books",
            "--output",
            "books.json",
            in: scratch
        )
        _ = try await Tool.run("queue", "library.store", "export", "queue.json", in: scratch)

        for name in ["rows-out/Books.json", "rows-out/metadata.xml", "books.json", "library.store"]
        {
            #expect(try mode(scratch.path(name)) == 0o600, "\(name)")
        }
        #expect(try mode(scratch.path("rows-out")) == 0o700)
    }

    @Test func speaksOfTheFileWithoutSQL() async throws {
        let scratch = try await Library.store()
        let url = scratch.directory.appending(path: "library.store")
        var bytes = try Data(contentsOf: url)
        let page = 4_096
        bytes.replaceSubrange(
            page..<bytes.count,
            with: Data(repeating: 7, count: bytes.count - page)
        )
        try bytes.write(to: url)
        try? FileManager.default.removeItem(
            at: scratch.directory.appending(path: "library.store-wal")
        )

        let outcome = try await Tool.run("get", "library.store", "Books", in: scratch)

        #expect(outcome.status != 0)
        #expect(!outcome.errors.contains("SELECT"))
        #expect(!outcome.errors.contains("the service failed"))
    }

    @Test func printsNoPasswordOfAServiceURL() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let secret = server.root.replacing("http://", with: "http://me:secret@")

        let line = [
            "open", "s.store", "--service", secret + "?sap-client=100", "--query", "P=Parts",
        ]
        let outcome = try await Tool.run(line, in: scratch)
        let status = try await Tool.run("status", "s.store", "--json", in: scratch)
        server.stop()
        let away = [
            "open", "t.store", "--service", "http://me:secret@127.0.0.1:9/", "--timeout", "1",
        ]
        let failed = try await Tool.run(away + ["--query", "A=A"], in: scratch)

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(failed.status == 4)
        #expect(!failed.errors.contains("secret"))
        #expect(status.output.contains("\"serviceRoot\":\"\(server.root)\""))
        #expect(!status.output.contains("secret"))
        let bytes = try Data(contentsOf: scratch.directory.appending(path: "s.store"))
        #expect(bytes.range(of: Data("secret".utf8)) == nil)
    }
}
