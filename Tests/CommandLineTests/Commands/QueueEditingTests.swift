import Testing

/// Taking back, correcting, moving and repeating requests.
@Suite struct QueueEditingTests {
    private static func changed() async throws -> Scratch {
        let scratch = try await Library.store()
        for change in [
            ["post", "library.store", "Authors", #"{"ID": 3, "Name": "Cy"}"#],
            ["patch", "library.store", "Books(10)", #"{"Title": "X"}"#],
            ["delete", "library.store", "Books(11)"],
        ] {
            let outcome = try await Tool.run(change, in: scratch)
            guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        }
        return scratch
    }

    private static func ids(_ scratch: Scratch, _ store: String = "library.store") async throws
        -> [String]
    {
        let queue = try await Tool.run("queue", store, "--json", in: scratch)
        return queue.output.matches(of: #/"RequestID":(\d+)/#).map { String($0.1) }
    }

    @Test func dropsARequestWithItsEffect() async throws {
        let scratch = try await Self.changed()

        let outcome = try await Tool.run("queue", "drop", "library.store", "2", in: scratch)
        let title = try await Tool.run(
            "get",
            "library.store",
            "Books(10)/Title/$value",
            in: scratch
        )

        #expect(
            outcome
                == Tool.Outcome(
                    status: 0,
                    output: "request 2 and its effect on the store are taken back\n",
                    errors: ""
                )
        )
        #expect(title.output == "Notes\n")
        #expect(try await Self.ids(scratch) == ["1", "3"])
    }

    /// What people decide about requests stands in the event log, whichever command it was.
    @Test(arguments: [
        (["queue", "drop", "library.store", "2"], "taken back: PATCH Books(10)"),
        (["undo", "library.store", "Books(10)"], "taken back: PATCH Books(10)"),
        (
            ["undo", "library.store", "--all"],
            "taken back: POST Authors, PATCH Books(10), DELETE Books(11)"
        ),
        (
            ["queue", "edit", "library.store", "2", #"{"Title": "Y"}"#],
            "edited: PATCH Books(10)"
        ),
    ])
    func notesDecisionsInTheEventLog(_ line: [String], _ details: String) async throws {
        let scratch = try await Self.changed()
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let events = try await Tool.run("events", "library.store", "--json", in: scratch)
        #expect(
            events.output.contains(#""Type":"Queue","Details":"\#(details)""#),
            "\(events.output)"
        )
    }

    @Test func showsARequestWithAllThatIsKnown() async throws {
        let scratch = try await Library.store()
        _ = try await Tool.run(
            [
                "patch", "library.store", "Books(10)", #"{"Title": "X"}"#, "--remove-after-upload",
                "--request-header", "X-Why: test", "--request-header", "X-Why: again",
            ],
            in: scratch
        )
        let shown = try await Tool.run("queue", "show", "library.store", "1", "--json", in: scratch)
        #expect(shown.output.contains(#""RequestHeaders":["X-Why: test","X-Why: again"],"ETag":"#))
        #expect(
            shown.output.hasSuffix(
                #","FirstSent":null,"RemovedAfterUpload":true,"Unmodifiable":false}"# + "\n"
            )
        )
    }

    @Test func editsABody() async throws {
        let scratch = try await Self.changed()

        let outcome = try await Tool.run(
            "queue",
            "edit",
            "library.store",
            "2",
            "-",
            input: #"{"Title": "Y"}"#,
            in: scratch
        )
        let title = try await Tool.run(
            "get",
            "library.store",
            "Books(10)/Title/$value",
            in: scratch
        )

        #expect(
            outcome == Tool.Outcome(status: 0, output: "request 2 has a new body\n", errors: "")
        )
        #expect(title.output == "Y\n")
    }

    @Test func movesARequest() async throws {
        let scratch = try await Self.changed()

        let before = try await Tool.run(
            "queue",
            "move",
            "library.store",
            "3",
            "before",
            "1",
            in: scratch
        )
        let first = try await Self.ids(scratch)
        let after = try await Tool.run(
            "queue",
            "library.store",
            "move",
            "3",
            "after",
            "2",
            in: scratch
        )

        #expect(before.output == "request 3 stands before 1\n")
        #expect(first == ["3", "1", "2"])
        #expect(after.output == "request 3 stands after 2\n")
        #expect(try await Self.ids(scratch) == ["1", "2", "3"])
    }

    @Test(
        arguments: [
            (
                ["queue", "drop", "library.store", "9"], 6,
                "error: there is no request 9 in the queue or the archive\n"
            ),
            (
                ["queue", "retry", "library.store", "1"], 1,
                "error: request 1 is pending: only refused ones can be tried again\n"
            ),
            (
                ["queue", "edit", "library.store", "1"], 2,
                "error: `edit` takes the number of a request and its new body\n"
            ),
            (
                ["queue", "move", "library.store", "1", "to", "2"], 2,
                "error: `move` takes ID before|after ID\n"
            ),
            (
                ["errors", "discard", "library.store", "1"], 6,
                "error: there is no request 1 in the error archive\n`queue STORE` and `errors STORE` list the ids.\n"
            ),
            (
                ["errors", "discard", "library.store", "1", "--all"], 2,
                "error: --all and the number of a request exclude each other\n"
            ),
            (["errors", "library.store", "--all"], 2, "error: --all goes with `discard` only\n"),
            (
                ["resolve", "library.store", "Books(10)", "mine"], 2,
                "error: 'mine' is no side: local, server or merge, behind the URL\n"
            ),
            (
                ["resolve", "library.store", "Books(10)", "merge"], 2,
                "error: `merge` needs a body: the values that are to stand in the place of mine, as JSON or @FILE\n"
            ),
            (
                ["resolve", "library.store", "Books(10)", "server"], 1,
                "error: the store knows no newer version of Books(10), so there is nothing to decide between: a download brings the version that the service has; a refused request can be tried again, edited or discarded\n"
            ),
        ] as [([String], Int32, String)]
    )
    func refusesWrongEditsOfTheQueue(_ words: [String], _ status: Int32, _ errors: String)
        async throws
    {
        let outcome = try await Tool.run(words, in: Self.changed())

        #expect(outcome == Tool.Outcome(status: status, output: "", errors: errors))
    }

    @Test func undoesTheChangesOfEntities() async throws {
        let scratch = try await Self.changed()

        let one = try await Tool.run("undo", "library.store", "~/Books(10)", in: scratch)
        let again = try await Tool.run("undo", "library.store", "Books(10)", in: scratch)
        let all = try await Tool.run("undo", "library.store", "--all", in: scratch)
        let books = try await Tool.run("get", "library.store", "Books?$select=Title", in: scratch)
        let neither = try await Tool.run("undo", "library.store", in: scratch)

        #expect(one == Tool.Outcome(status: 0, output: "taken back: 1 request\n", errors: ""))
        #expect(again.output == "nothing to take back\n")
        #expect(all.output == "taken back: 2 requests\n")
        #expect(books.output.contains(#"[{"ID":10,"Title":"Notes"},{"ID":11,"Title":"Maps"},"#))
        #expect(neither.status == 2)
    }

    @Test func repeatsAQueueInAnotherStore() async throws {
        let scratch = try await Self.changed()
        _ = try await Tool.run(
            "post",
            "library.store",
            "Authors",
            #"{"Name": "No key yet"}"#,
            in: scratch
        )
        _ = try await Tool.run(
            "import",
            "other.store",
            "--metadata",
            "metadata.xml",
            "Books.json",
            "Authors.json",
            in: scratch
        )

        let exported = try await Tool.run(
            "queue",
            "export",
            "library.store",
            "queue.json",
            in: scratch
        )
        let imported = try await Tool.run(
            "queue",
            "import",
            "other.store",
            "queue.json",
            in: scratch
        )
        let names = try await Tool.run("get", "other.store", "Authors?$select=Name", in: scratch)
        let twice = try await Tool.run("queue", "import", "other.store", "queue.json", in: scratch)

        #expect(exported.output == "exported: 4 requests\n")
        #expect(imported.output == "imported: 4 requests\n")
        #expect(names.output.contains("\"Cy\""))
        #expect(names.output.contains("\"No key yet\""))
        #expect(try await Self.ids(scratch, "other.store").count == 4)
        #expect(twice.status != 0)
        #expect(twice.errors.hasPrefix("error: request 1 of the file, POST Authors: "))
        #expect(twice.errors.hasSuffix("Nothing of the file is imported.\n"))
    }
}
