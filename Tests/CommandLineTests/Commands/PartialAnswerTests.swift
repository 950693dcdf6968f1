import Foundation
import TestSupport
import Testing

/// Work that comes to a part of its end says so in JSON as all failures do, beside what was done.
@Suite struct PartialAnswerTests {
    private static func answer(_ outcome: Tool.Outcome) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any],
            "\(outcome.output)"
        )
    }

    private static func error(_ answer: [String: Any]) throws -> [String: Any] {
        try #require(answer["error"] as? [String: Any])
    }

    /// A store with a change that waits.
    private static func changed() async throws -> Scratch {
        let (service, root, scratch) = try await Library.service()
        _ = try await Tool.run(
            ["open", "library.store", "--service", root, "--query", "B=Books"],
            in: scratch
        )
        _ = try await Tool.run(
            ["patch", "library.store", "Books(10)", #"{"Title":"Mine"}"#],
            in: scratch
        )
        withExtendedLifetime(service) {}
        return scratch
    }

    @Test(arguments: ["upload", "sync"])
    func namesWhyTheServiceWasNotReached(_ command: String) async throws {
        // Nothing listens there, while the port of a service that has ended may be another's by now.
        let proxy = ["--proxy", "http://127.0.0.1:1"]
        let outcome = try await Tool.run(
            [command, "library.store", "--json", "--timeout", "2"] + proxy,
            in: try await Self.changed()
        )
        #expect(outcome.status == 4)
        let answer = try Self.answer(outcome)
        let error = try Self.error(answer)
        #expect(error["exitStatus"] as? Int == 4)
        #expect((error["message"] as? String)?.contains("cannot be reached") == true)
        let upload = command == "sync" ? answer["upload"] as? [String: Any] : answer
        #expect(upload?["carriedOut"] as? Int == 0)
        #expect(upload?["waiting"] as? Int == 1)
    }

    @Test func namesTheQueriesThatAnOpeningDidNotLoad() async throws {
        let (service, root, scratch) = try await Library.service()
        let outcome = try await Tool.run(
            [
                "open", "library.store", "--service", root, "--query", "B=Books", "--query",
                "N=Nothing", "--json",
            ],
            in: scratch
        )
        #expect(outcome.status != 0)
        let error = try Self.error(try Self.answer(outcome))
        #expect(error["exitStatus"] as? Int == Int(outcome.status))
        withExtendedLifetime(service) {}
    }

    /// Wherever a file is damaged, a check of it says that it is not sound.
    @Test func isNotSoundWhereverAPageIsDamaged() async throws {
        let scratch = try await Library.store()
        let whole = try Data(contentsOf: scratch.url("library.store"))
        let pageSize = 4_096
        for page in stride(from: 1, to: whole.count / pageSize, by: 7) {
            var damaged = whole
            let range = page * pageSize..<(page + 1) * pageSize
            damaged.replaceSubrange(range, with: Data(repeating: 0xFF, count: pageSize))
            try damaged.write(to: scratch.url("d.store"))
            let outcome = try await Tool.run("check", "d.store", "--json", in: scratch)
            let answer = try Self.answer(outcome)
            #expect(
                answer["sound"] as? Bool == (outcome.status == 0),
                "page \(page): \(outcome.output)"
            )
            for suffix in ["-wal", "-shm", "-sync"] {
                try? FileManager.default.removeItem(at: scratch.url("d.store" + suffix))
            }
        }
    }

    @Test func goesOnBehindAWordThatTheShellDoesNotExplain() async throws {
        let scratch = try await Library.store()
        let outcome = try await Tool.run(
            "shell",
            "library.store",
            input: ".help foo\nget Books/$count\n",
            in: scratch
        )
        #expect(outcome.status == 2)
        #expect(outcome.output == "3\n" || outcome.output == "2\n", "\(outcome.output)")
        #expect(outcome.errors.hasSuffix("`.help` lists the commands.\n"), "\(outcome.errors)")
    }

    @Test(arguments: [("", "the --token is empty"), ("tök", "--token takes printable ASCII")])
    func refusesATokenThatNoRequestCanCarry(_ token: String, _ message: String) async throws {
        let scratch = try await Library.store()
        let outcome = try await Tool.run(
            ["serve", "library.store", "--token", token],
            in: scratch
        )
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(message))
    }

    @Test func namesAMissingDataFileBeforeItsSet() async throws {
        let scratch = try await Library.store()
        let outcome = try await Tool.run("import", "library.store", "none.json", in: scratch)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("none.json"))
        #expect(outcome.errors.contains("no such file"))
    }
    @Test func namesTheFileThatAnAnswerWentInto() async throws {
        let scratch = try await Library.store()
        let outcome = try await Tool.run(
            ["get", "library.store", "Books(10)", "--output", "book.json", "--json"],
            in: scratch
        )
        #expect(outcome.output == "{\"output\":\"book.json\"}\n")
        #expect(try scratch.read("book.json").contains("\"ID\":10"))
    }
}
