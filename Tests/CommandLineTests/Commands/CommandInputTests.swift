import Testing

/// What commands make of their words and files.
@Suite struct CommandInputTests {
    /// A body that replaces leaves nothing out that has to be there.
    @Test func saysWhatAReplacementNeeds() async throws {
        let scratch = try await Library.store()
        let outcome = try await Tool.run(
            "put",
            "library.store",
            "Books(10)",
            #"{"Title":null}"#,
            in: scratch
        )
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasSuffix("`patch` changes what its body names.\n"), "\(outcome)")
    }

    /// An export puts the metadata beside the rows, and a pattern of files names it with them.
    @Test func passesOverTheMetadataBesideTheRows() async throws {
        let scratch = try Library.files()
        try scratch.write("{}", to: "metadata.json")
        let rows = ["Authors.json", "Books.json", "metadata.json"]
        let line = ["import", "new.store", "--metadata", "metadata.xml"] + rows
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.untimed.output == "imported: 5 entities from 2 files, 0 s\n", "\(outcome)")
        let alone = ["import", "other.store", "--metadata", "metadata.xml", "metadata.json"]
        #expect(try await Tool.run(alone, in: scratch).status == 2)
    }

    @Test func refusesTwoQueriesOfOneName() async throws {
        let scratch = try Scratch()
        let line = [
            "open", "new.store", "--service", "http://127.0.0.1:1/", "--query", "A=Books",
            "--query", "A=Authors",
        ]
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 2)
        #expect(
            outcome.errors == "error: two queries are called A; give each a name of its own\n"
        )
        #expect(!scratch.exists("new.store"))
    }

    @Test(arguments: [
        (["help", "--json"], #"{"commands":[{"name":"metadata summary","#),
        (["--help", "--json"], #"{"commands":[{"name":"metadata summary","#),
        (["--version", "--json"], #"{"version":"1.0"}"#),
    ])
    func answersItselfInJSON(_ words: [String], _ start: String) async throws {
        let outcome = try await Tool.run(words)
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix(start))
    }

    @Test func answersAMultipartBatchInJSON() async throws {
        let scratch = try await Library.store()
        let batch =
            "--b\r\nContent-Type: application/http\r\n\r\nGET Books(10) HTTP/1.1\r\n\r\n\r\n--b--\r\n"
        try scratch.write(batch, to: "batch.txt")
        let outcome = try await Tool.run(
            "batch",
            "library.store",
            "@batch.txt",
            "--json",
            in: scratch
        )
        #expect(
            outcome.output.hasPrefix(#"{"responses":[{"id":"part1","status":200,"#),
            "\(outcome)"
        )
    }

    @Test func takesOneFormatOfAnAnswer() async throws {
        let scratch = try await Library.store()
        let line = ["get", "library.store", "Books", "--json", "--format", "csv"]
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 2)
        #expect(outcome.errors == "error: --json and --format csv exclude each other\n")
    }

    /// One query is right, the other mistyped: what came stays, and the way out is named; the JSON and the process say the same.
    @Test func saysWhatIsLeftOfAnOpeningInPart() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let open = ["open", "a.store", "--service", server.root, "--query", "P=Parts"]
        let outcome = try await Tool.run(open + ["--query", "W=Partz"], in: scratch)
        #expect(outcome.status == 1)
        #expect(
            outcome.untimed.output == "opened in part: 2 queries, 3 entities, 2 requests, 0 s\n"
        )
        #expect(outcome.errors.contains("`query remove a.store W` gives the query up"))

        let alone = ["open", "b.store", "--service", server.root, "--query", "W=Partz", "--json"]
        let failed = try await Tool.run(alone, in: scratch)
        #expect(failed.status == 2)
        #expect(failed.output.contains(#""error":{"exitStatus":2,"#), "\(failed.output)")
        #expect(!scratch.exists("b.store"))
    }
}
