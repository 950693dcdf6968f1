import Foundation
import Testing

/// `why`: what the store knows of an entity.
@Suite struct WhyCommandTests {
    private static func opened() async throws -> (service: RunningTool, scratch: Scratch) {
        let (service, root, scratch) = try await Library.service()
        let outcome = try await Tool.run(
            [
                "open", "library.store", "--service", root, "--query", "B=Books", "--query",
                "A=Authors",
            ],
            in: scratch
        )
        guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        return (service, scratch)
    }

    private static func why(_ url: String, _ scratch: Scratch, _ options: String...) async throws
        -> Tool.Outcome
    {
        try await Tool.run(["why", "library.store", url] + options, in: scratch)
    }

    private static func steady(_ text: String) -> String {
        text.replacing(/\d{4}-\d\d-\d\dT[0-9:.]+Z/, with: "TIME").replacing(/"\d+"/, with: "E")
            .replacing(/\\"\d+\\"/, with: "E")
    }

    @Test func namesQueryETagAndReferrers() async throws {
        let (service, scratch) = try await Self.opened()
        let outcome = try await Self.why("~/Authors(1)", scratch)

        #expect(
            Self.steady(outcome.output) == """
                Authors(1)

                set          Authors, Library.Author
                ETag         W/E
                state        as the service has it
                query        A  Authors, loaded TIME
                came         with the last download
                referred by  2 in Books/Author: Books(10), Books(12)

                """,
            "\(outcome.errors)"
        )
        withExtendedLifetime(service) {}
    }

    @Test func saysThatAnImportHasBroughtIt() async throws {
        let scratch = try await Library.store()
        let outcome = try await Self.why("Authors(1)", scratch)
        #expect(outcome.output.contains("state        as it was imported\n"), "\(outcome)")
        #expect(outcome.output.contains("came         with the last import\n"))
    }

    @Test func showsTheVersionsAndWhatWaits() async throws {
        let (service, scratch) = try await Self.opened()
        _ = try await Tool.run(
            ["patch", "library.store", "Books(10)", #"{"Title":"Mine"}"#],
            in: scratch
        )
        let outcome = try await Self.why("Books(10)", scratch)

        #expect(
            Self.steady(outcome.output) == """
                Books(10)

                set          Books, Library.Book
                ETag         W/E
                state        changed here, changes wait
                query        B  Books, loaded TIME
                came         with the last download
                base         {"ID":10,"Title":"Notes","AuthorID":1}
                here         {"ID":10,"Title":"Mine","AuthorID":1}
                server       -
                changed      Title
                request      1  PATCH Books(10), pending

                """
        )
        let json = try await Self.why("Books(10)", scratch, "--json")
        let result = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        )
        #expect((result["base"] as? [String: Any])?["Title"] as? String == "Notes")
        #expect((result["local"] as? [String: Any])?["Title"] as? String == "Mine")
        #expect(result["server"] is NSNull)
        #expect(result["changedProperties"] as? [String] == ["Title"])
        #expect(result["conflict"] as? Bool == false)
        #expect((result["requests"] as? [[String: Any]])?.map { $0["RequestID"] as? Int } == [1])
        #expect((result["state"] as? [String: Any])?["pending"] as? Bool == true)
        withExtendedLifetime(service) {}
    }

    @Test func tellsOfARefusedChangeAndTheServersVersion() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let lines = [
            ["open", "library.store", "--service", server.root, "--query", "P=Parts"],
            ["patch", "library.store", "Parts(1)", #"{"Name":"mine"}"#],
        ]
        for line in lines {
            let outcome = try await Tool.run(line, in: scratch)
            guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        }
        server.change(1, "theirs")
        let upload = try await Tool.run("upload", "library.store", in: scratch)
        #expect(upload.status == 5)
        let outcome = try await Self.why("Parts(1)", scratch)
        #expect(
            outcome.output.contains(
                "state        changed here, a change was refused, in conflict\n"
            ),
            "\(outcome.output)"
        )
        #expect(outcome.output.contains(#"server       {"ID":1,"Name":"theirs"}"#))
        #expect(outcome.output.contains("request      1  PATCH Parts(1), failed: 412"))
        server.stop()
    }

    @Test func findsWhatIsCreatedAndDeletedHere() async throws {
        let (service, scratch) = try await Self.opened()
        _ = try await Tool.run(
            ["post", "library.store", "Authors", #"{"ID":3,"Name":"Cy"}"#],
            in: scratch
        )
        _ = try await Tool.run(["delete", "library.store", "Books(11)"], in: scratch)
        let created = try await Self.why("Authors(3)", scratch)
        #expect(created.output.contains("state        created here, changes wait\n"))
        #expect(created.output.contains("query        none holds it\n"))
        let deleted = try await Self.why("Books(11)", scratch)
        #expect(deleted.output.contains("deleted here"), "\(deleted.output)\(deleted.errors)")
        let none = try await Self.why("Books(99)", scratch)
        #expect(none.status == 6)
        withExtendedLifetime(service) {}
    }
}
