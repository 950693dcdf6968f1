import Foundation
import Testing

/// `--json` prints one JSON document with the promised members, whatever the command.
@Suite struct JSONRuleTests {
    private static func opened() async throws
        -> (service: RunningTool, root: String, scratch: Scratch)
    {
        let (service, root, scratch) = try await Library.service("--delta")
        _ = try await run(
            [
                "open", "library.store", "--service", root, "--query", "B=Books", "--query",
                "A=Authors",
            ],
            scratch
        )
        return (service, root, scratch)
    }

    @discardableResult
    private static func run(_ line: [String], _ scratch: Scratch) async throws -> Tool.Outcome {
        let outcome = try await Tool.run(line, in: scratch)
        guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        return outcome
    }

    private static func object(_ line: [String], _ scratch: Scratch) async throws -> [String: Any] {
        let text = try await run(line + ["--json"], scratch).output
        return try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            "\(text)"
        )
    }

    /// The first four never get as far as the command; the others fail in it.
    @Test(arguments: [
        ["nonsense", "--json"], ["completion", "tcsh", "--json"],
        ["status", "none.store", "--json", "--nope"], ["sets", "--json"],
        ["status", "none.store", "--json"], ["queue", "none.store", "--json"],
        ["metadata", "summary", "none.xml", "--json"], ["check", "none.store", "--json"],
    ])
    func answersAFailureInJSON(_ line: [String]) async throws {
        let outcome = try await Tool.run(line, in: try Scratch())
        let answer = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let error = try #require((answer as? [String: Any])?["error"] as? [String: Any])
        let message = try #require(error["message"] as? String)
        #expect(error["exitStatus"] as? Int == 2)
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("error: \(message)\n"))
        #expect(
            try await Tool.run(line.filter { $0 != "--json" }, in: try Scratch()).output.isEmpty
        )
    }

    @Test func wrapsTheScriptThatCompletes() async throws {
        let scratch = try Scratch()
        let answer = try await Self.object(["completion", "zsh"], scratch)
        #expect(answer["shell"] as? String == "zsh")
        #expect(
            try await Self.run(["completion", "zsh"], scratch).output == answer["script"] as? String
        )
    }

    @Test func saysWhereAServiceListens() async throws {
        let (service, _, scratch) = try await Library.service()
        let metadata = scratch.path("metadata.xml")
        let second = try RunningTool(["serve", "--metadata", metadata, "--json"])
        let line = try #require(await second.line())
        let answer = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        let url = try #require(answer?["url"].flatMap { URL(string: $0) })
        #expect(url.host() == "127.0.0.1" && url.port != nil)
        #expect(await second.end() == 8)
        withExtendedLifetime(service) {}
    }

    @Test func answersEveryLineOfAShellInJSON() async throws {
        let (service, _, scratch) = try await Self.opened()
        let outcome = try await Tool.run(
            ["shell", "library.store", "--json"],
            input: "status\nqueue --json\nwhy Books(99)\n",
            in: scratch
        )
        let answers = try outcome.output.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8))
        }
        #expect(answers.count == 3)
        #expect((answers.last as? [String: Any])?["error"] != nil)
        withExtendedLifetime(service) {}
    }

    @Test func wrapsADocumentInXML() async throws {
        let scratch = try Scratch()
        try scratch.write(#"{"$Version":"4.0","N":{}}"#, to: "m.json")
        let answer = try await Self.object(["metadata", "xml", "m.json"], scratch)
        let plain = try await Self.run(["metadata", "xml", "m.json"], scratch).output
        #expect(answer["document"] as? String == plain)
    }

    @Test(arguments: [
        ("Books(10)/Title/$value", #""A \"B\"""#), ("Books/$count", "3"),
        ("Books(10)/ID/$value", "10"),
    ])
    func answersARawValueAsJSON(_ url: String, _ json: String) async throws {
        let scratch = try await Library.store()
        let patch = ["patch", "library.store", "Books(10)", #"{"Title":"A \"B\""}"#]
        try await Self.run(patch, scratch)
        let answer = try await Self.run(["get", "library.store", url, "--json"], scratch)
        #expect(answer.output == json + "\n")
    }

    /// A change answers with what it has made; where nothing is left to show, the document is null.
    @Test func answersEveryChangeWithADocument() async throws {
        let (service, _, scratch) = try await Self.opened()
        let changed = try await Self.object(
            ["patch", "library.store", "Books(10)", #"{"Title":"X"}"#],
            scratch
        )
        #expect(changed["Title"] as? String == "X")
        let plain = ["patch", "library.store", "Books(10)", #"{"Title":"Y"}"#]
        #expect(try await Self.run(plain, scratch).output.isEmpty)
        let deletion = ["delete", "library.store", "Books(11)", "--json"]
        #expect(try await Self.run(deletion, scratch).output == "null\n")
        let queue = try await Self.run(["queue", "library.store", "--json"], scratch).output
        #expect(!queue.contains("return=representation"))
        withExtendedLifetime(service) {}
    }

    @Test func countsAConflictOnceHoweverManyQueriesBringTheEntity() async throws {
        let (service, root, scratch) = try await Self.opened()
        for line in [
            ["open", "other.store", "--service", root, "--query", "B=Books"],
            ["patch", "other.store", "Books(10)", #"{"Title":"theirs"}"#],
            ["query", "add", "library.store", "One=Books?$filter=ID eq 10"],
            ["download", "library.store"],
            ["patch", "library.store", "Books(10)", #"{"Title":"mine"}"#],
            ["upload", "other.store"],
        ] {
            try await Self.run(line, scratch)
        }
        let result = try await Self.object(["download", "library.store", "--full"], scratch)
        #expect(result["conflicts"] as? Int == 1)
        withExtendedLifetime(service) {}
    }

    @Test func namesTheQueriesThatWereAddedAndRemoved() async throws {
        let (service, _, scratch) = try await Self.opened()
        let added = try await Tool.run(
            ["query", "add", "library.store", "Few=Books?$top=1", "--json"],
            in: scratch
        )
        let few = "{\"affected\":[\"Few\"],\"seconds\":0}\n"
        #expect(added.untimed == Tool.Outcome(status: 0, output: few, errors: ""))
        let removed = try await Self.object(["query", "remove", "library.store", "Few"], scratch)
        #expect(removed["affected"] as? [String] == ["Few"])
        withExtendedLifetime(service) {}
    }

    @Test func namesTheEntitiesWhoseChangesWereTakenBack() async throws {
        let (service, _, scratch) = try await Self.opened()
        for line in [
            ["patch", "library.store", "Books(10)", #"{"Title":"X"}"#],
            ["patch", "library.store", "Books(10)", #"{"Title":"Y"}"#],
            ["delete", "library.store", "Books(11)"],
        ] {
            try await Self.run(line, scratch)
        }
        let one = try await Tool.run("undo", "library.store", "Books(10)", "--json", in: scratch)
        #expect(
            one.untimed
                == Tool.Outcome(
                    status: 0,
                    output: "{\"affected\":[\"Books(10)\"],\"requests\":[1,2],\"seconds\":0}\n",
                    errors: ""
                )
        )
        let all = try await Self.object(["undo", "library.store", "--all"], scratch)
        #expect(all["affected"] as? [String] == ["Books(11)"])
        #expect(all["requests"] as? [Int] == [3])
        let none = try await Self.object(["undo", "library.store", "--all"], scratch)
        #expect((none["affected"] as? [String])?.isEmpty == true)
        withExtendedLifetime(service) {}
    }

    @Test func namesTheRequestsThatAnActionChanged() async throws {
        let (service, _, scratch) = try await Self.opened()
        for title in ["X", "Y", "Z"] {
            let body = "{\"ID\":\(title.unicodeScalars.first?.value ?? 0),\"Title\":\"\(title)\"}"
            try await Self.run(["post", "library.store", "Books", body], scratch)
        }
        let moved = try await Self.object(
            ["queue", "move", "library.store", "3", "before", "1"],
            scratch
        )
        #expect(moved["affected"] as? [Int] == [3])
        let exported = try await Self.object(
            ["queue", "export", "library.store", "q.json"],
            scratch
        )
        #expect(exported["requests"] as? Int == 3)
        let dropped = try await Self.object(["queue", "drop", "library.store", "2"], scratch)
        #expect(dropped["affected"] as? [Int] == [2])
        withExtendedLifetime(service) {}
    }

    @Test func namesTheEntityWhoseConflictIsResolved() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        for line in [
            ["open", "parts.store", "--service", server.root, "--query", "P=Parts"],
            ["patch", "parts.store", "Parts(1)", #"{"Name":"mine"}"#],
        ] {
            try await Self.run(line, scratch)
        }
        server.change(1, "theirs")
        _ = try await Tool.run("upload", "parts.store", in: scratch)
        let resolved = try await Tool.run(
            "resolve",
            "parts.store",
            "Parts(1)",
            "server",
            "--json",
            in: scratch
        )
        #expect(
            resolved.untimed
                == Tool.Outcome(
                    status: 0,
                    output: "{\"affected\":[\"Parts(1)\"],\"seconds\":0}\n",
                    errors: ""
                )
        )
        let cleared = try await Self.object(["clear", "parts.store"], scratch)
        #expect(cleared["affected"] as? [String] == ["parts.store"])
        server.stop()
    }

    /// Rows that others deleted are counted, with delta links and without.
    @Test(arguments: [[], ["--full"]])
    func countsDeletionsOfADownload(_ options: [String]) async throws {
        let (service, root, scratch) = try await Self.opened()
        for line in [
            ["open", "other.store", "--service", root, "--query", "B=Books"],
            ["delete", "other.store", "Books(11)"], ["delete", "other.store", "Books(12)"],
            ["upload", "other.store"],
        ] {
            try await Self.run(line, scratch)
        }
        let line = ["download", "library.store"] + options
        let result = try await Self.object(line, scratch)
        #expect(result["removed"] as? Int == 2)
        #expect(result["inserted"] as? Int == 0)
        #expect(result["updated"] as? Int == 0)
        let queries = try #require(result["queries"] as? [[String: Any]])
        #expect(queries.map { $0["removed"] as? Int } == [2, 0])
        try await Self.run(["delete", "other.store", "Books(10)"], scratch)
        try await Self.run(["upload", "other.store"], scratch)
        let words = try await Self.run(line, scratch)
        #expect(
            words.output.hasPrefix("downloaded: 0 new, 0 changed, 1 removed, 0 in conflict, "),
            "\(words.output)"
        )
        withExtendedLifetime(service) {}
    }

    @Test func countsWhatImportAndExportMoved() async throws {
        let scratch = try Library.files()
        let imported = try await Self.object(
            ["import", "l.store", "--metadata", "metadata.xml", "Books.json", "Authors.json"],
            scratch
        )
        #expect(imported["sets"] as? Int == 2)
        #expect(imported["entities"] as? Int == 5)
        let exported = try await Self.object(["export", "l.store", "out"], scratch)
        #expect(exported["entities"] as? Int == 5)
        #expect(exported["streams"] as? Int == 0)
        let check = try await Self.object(["check", "l.store"], scratch)
        #expect(check["sound"] as? Bool == true)
        #expect((check["differences"] as? [Any])?.isEmpty == true)
    }
}
