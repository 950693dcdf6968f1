import Foundation
import TestSupport
import Testing

/// Conflicts on the command line: shown by property, and never sent into a second refusal.
@Suite struct ConflictCommandTests {
    /// A store whose change of part 1 was refused, since somebody else has changed it.
    private static func refused() async throws -> (server: PartsServer, scratch: Scratch) {
        let server = try PartsServer()
        let scratch = try Scratch()
        for line in [
            ["open", "a.store", "--service", server.root, "--query", "P=Parts"],
            ["patch", "a.store", "Parts(1)", #"{"Name":"mine"}"#],
        ] {
            let outcome = try await Tool.run(line, in: scratch)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        server.change(1, "theirs")
        #expect(try await Tool.run("upload", "a.store", in: scratch).status == 5)
        #expect(try await Tool.run("download", "a.store", in: scratch).status == 0)
        return (server, scratch)
    }

    @Test func showsALineForEachProperty() async throws {
        let (_, scratch) = try await Self.refused()
        let outcome = try await Tool.run("conflict", "a.store", "Parts(1)", in: scratch)
        #expect(
            outcome.output == """
                Parts(1)

                property  before  mine  service's  changed by
                Name      one     mine  theirs     both

                """
        )
    }

    /// A deletion changes no property: what the service has changed stands out.
    @Test func showsWhatTheServiceHasChangedOfADeletedEntity() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let query = ["--query", "P=Parts"]
        _ = try await Tool.run(
            ["open", "a.store", "--service", server.root] + query,
            in: scratch
        )
        #expect(try await Tool.run("delete", "a.store", "Parts(1)", in: scratch).status == 0)
        server.change(1, "theirs")
        #expect(try await Tool.run("upload", "a.store", in: scratch).status == 5)
        let outcome = try await Tool.run("conflict", "a.store", "Parts(1)", in: scratch)
        #expect(
            outcome.output == """
                Parts(1): deleted here

                property  before  mine  service's  changed by
                Name      one     -     theirs     service's

                """
        )
    }

    @Test func showsWhatIsChangedHereAlone() async throws {
        let scratch = try await Library.store()
        let line = ["patch", "library.store", "Books(10)", #"{"Title": "X", "AuthorID": null}"#]
        _ = try await Tool.run(line, in: scratch)
        let outcome = try await Tool.run("conflict", "library.store", "Books(10)", in: scratch)
        #expect(
            outcome.output == """
                Books(10): nothing newer known of the service

                property  before  mine  service's  changed by
                Title     Notes   X     -          mine
                AuthorID  1       null  -          mine

                """
        )
    }

    /// No version of the entity shows its links.
    @Test(arguments: [
        ["patch", "library.store", "Books(10)", #"{"Author@odata.bind": "Authors(2)"}"#],
        ["put", "library.store", "Books(10)/Author/$ref", #"{"@odata.id": "Authors(2)"}"#],
    ])
    func namesTheLinksThatAreChangedHere(_ line: [String]) async throws {
        let scratch = try await Library.store()
        #expect(try await Tool.run(line, in: scratch).status == 0)
        // The same entity, however it is written.
        let outcome = try await Tool.run("conflict", "library.store", "Books(ID=10)", in: scratch)
        #expect(
            outcome.output.hasSuffix(
                "the link Author is changed here: Authors(2); the versions do not show which one the service has\n"
            ),
            "\(outcome.output)"
        )
        let json = try await Tool.run(
            ["conflict", "library.store", "Books(10)", "--json"],
            in: scratch
        )
        #expect(json.output.contains(#""links":[{"property":"Author","mine":"Authors(2)"}]"#))
    }

    @Test func keepsTheDigitsOfNumbers() async throws {
        let scratch = try Scratch()
        try scratch.write(Self.prices, to: "m.xml")
        try scratch.write(#"[{"ID":1,"Price":2.50}]"#, to: "Parts.json")
        for line in [
            ["import", "a.store", "--metadata", "m.xml", "Parts.json"],
            ["patch", "a.store", "Parts(1)", #"{"Price":12.50}"#],
        ] {
            #expect(try await Tool.run(line, in: scratch).status == 0)
        }
        let outcome = try await Tool.run("conflict", "a.store", "Parts(1)", in: scratch)
        #expect(outcome.output.contains("Price     2.50    12.50  -"), "\(outcome.output)")
    }

    private static let prices = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Price" Type="Edm.Decimal" Scale="2"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Parts" EntityType="M.Part"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let photos = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="M.Photo"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// No property differs: it is the stream that stands against the entity.
    @Test func namesAStreamWhoseChangeWasRefused() async throws {
        let server = try RawServer(
            RawServer.answer(Self.photos, type: "application/xml"),
            RawServer.answer(#"{"value":[{"ID":1,"@odata.mediaEtag":"\"m1\""}]}"#),
            RawServer.answer("", status: "412 Precondition Failed"),
            RawServer.answer("theirs", type: "text/plain", etag: "\"m2\"")
        )
        defer { server.stop() }
        let scratch = try Scratch()
        for line in [
            ["open", "p.store", "--service", server.root, "--query", "P=Photos"],
            ["put", "p.store", "Photos(1)/$value", "mine", "--content-type", "text/plain"],
        ] {
            let outcome = try await Tool.run(line, in: scratch)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try await Tool.run("upload", "p.store", in: scratch).status == 5)
        let words = try await Tool.run("conflict", "p.store", "Photos(1)", in: scratch)
        #expect(
            words.output == """
                Photos(1)
                the stream Photos(1)/$value has other content at the service: `resolve p.store 'Photos(1)' local` sends mine over it, \
                `resolve p.store 'Photos(1)' server` takes it back

                """
        )
        let json = try await Tool.run("conflict", "p.store", "Photos(1)", "--json", in: scratch)
        #expect(json.output.contains(#""streams":["$value"]"#), "\(json.output)")
    }

    @Test func saysWhereNothingIsChanged() async throws {
        let scratch = try await Library.store()
        let outcome = try await Tool.run("conflict", "library.store", "Books(10)", in: scratch)
        #expect(
            outcome.output
                == "Books(10): no local changes, nothing newer known of the service\n"
        )
    }

    @Test(arguments: [
        (["retry", "a.store", "1"], "local|server|merge"),
        (["edit", "a.store", "1", #"{"Name":"other"}"#], "merge BODY"),
    ])
    func leadsToResolveAfter412(_ words: [String], _ choice: String) async throws {
        let (server, scratch) = try await Self.refused()
        let outcome = try await Tool.run(["errors"] + words, in: scratch)
        #expect(
            outcome.errors == """
                error: request 1 would be refused again: another client has changed Parts(1) (412)
                `conflict a.store 'Parts(1)'` shows the versions, `resolve a.store 'Parts(1)' \(choice)` decides.

                """
        )
        #expect(outcome.status == 1)

        let resolve = ["resolve", "a.store", "Parts(1)", "local"]
        #expect(try await Tool.run(resolve, in: scratch).status == 0)
        #expect(try await Tool.run("upload", "a.store", in: scratch).status == 0)
        #expect(server.parts[1]?.name == "mine")
    }

    /// Any condition of the service's own may be the reason of a 412 (RFC 9110 § 15.5.13): without a newer version there is nothing to
    /// decide between.
    @Test(arguments: [
        (["retry", "a.store", "1"], "mine"),
        (["edit", "a.store", "1", #"{"Name":"other"}"#], "other"),
    ])
    func triesAgainAfter412WithoutANewerVersion(_ words: [String], _ name: String) async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        for line in [
            ["open", "a.store", "--service", server.root, "--query", "P=Parts"],
            ["patch", "a.store", "Parts(1)", #"{"Name":"mine"}"#],
        ] { #expect(try await Tool.run(line, in: scratch).status == 0) }
        server.fail(412)
        #expect(try await Tool.run("upload", "a.store", in: scratch).status == 5)
        server.fail(nil)
        let outcome = try await Tool.run(["errors"] + words, in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await Tool.run("upload", "a.store", in: scratch).status == 0)
        #expect(server.parts[1]?.name == name)
    }

    @Test(arguments: [["retry", "a.store", "1"], ["edit", "a.store", "1", #"{"Name":"other"}"#]])
    func leadsToResolveAfterADeletion(_ words: [String]) async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let open = ["open", "a.store", "--service", server.root, "--query", "P=Parts"]
        #expect(try await Tool.run(open, in: scratch).status == 0)
        let patch = ["patch", "a.store", "Parts(1)", #"{"Name":"mine"}"#]
        #expect(try await Tool.run(patch, in: scratch).status == 0)
        server.change(1, nil)
        #expect(try await Tool.run("upload", "a.store", in: scratch).status == 5)

        let outcome = try await Tool.run(["errors"] + words, in: scratch)

        #expect(outcome.status == 1)
        #expect(
            outcome.errors == """
                error: request 1 would be refused again: the service has deleted Parts(1)
                `resolve a.store 'Parts(1)' local` creates it anew, `resolve a.store 'Parts(1)' server` lets the deletion stand; \
                where it is back at the service, `download` brings it.

                """
        )
    }

    /// Each decision is in the event log, whatever has happened at the service.
    @Test(
        arguments: ["theirs", nil],
        [["local"], ["server"], ["merge", #"{"Name":"both"}"#]]
    )
    func notesDecisionsInTheEventLog(_ name: String?, _ decision: [String]) async throws {
        let (server, scratch) = try await Self.refused()
        server.change(1, name)
        #expect(try await Tool.run("download", "a.store", in: scratch).status == 0)
        let before = try await Tool.run("events", "a.store", in: scratch)
        let line = ["resolve", "a.store", "Parts(1)"] + decision
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let after = try await Tool.run("events", "a.store", in: scratch)
        #expect(!before.output.contains("Conflict"))
        #expect(after.output.contains("Conflict"), "\(after.output)")
        #expect(after.output.contains("Parts(1)"))
    }

    @Test func notesDiscardedErrorsInTheEventLog() async throws {
        let (_, scratch) = try await Self.refused()
        #expect(try await Tool.run("errors", "discard", "a.store", "1", in: scratch).status == 0)
        let events = try await Tool.run("events", "a.store", in: scratch)
        #expect(events.output.contains("Queue     taken back: PATCH Parts(1)"), "\(events.output)")
    }

    @Test func countsRefusedApartFromWaiting() async throws {
        let (_, scratch) = try await Self.refused()
        _ = try await Tool.run("patch", "a.store", "Parts(2)", #"{"Name":"x"}"#, in: scratch)
        let text = try await Tool.run("status", "a.store", in: scratch)
        #expect(text.output.contains("waiting      1 change\nrefused      1 request\n"))
        #expect(text.output.contains("Parts              3        1        1\n"))
        let json = try await Tool.run("status", "a.store", "--json", in: scratch)
        #expect(json.output.contains(#"{"name":"Parts","rows":3,"pending":1,"inError":1}"#))
        #expect(json.output.contains(#""queue":1,"errors":1,"interrupted":null"#))
    }

    @Test(arguments: ["P=Partz", "P=Parts?$filter=("])
    func leavesNoStoreOfAMistypedOpen(_ query: String) async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let line = ["open", "a.store", "--service", server.root, "--query", query]
        let outcome = try await Tool.run(line, in: scratch)
        #expect([1, 2].contains(outcome.status), "\(outcome.errors)")
        #expect(!scratch.exists("a.store"))
        let right = ["open", "a.store", "--service", server.root, "--query", "P=Parts"]
        #expect(try await Tool.run(right, in: scratch).status == 0)
    }

    @Test func knowsARunningOpenFromACutOne() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let (stalled, continuation) = AsyncStream.makeStream(of: Void.self)
        let relay = try TCPRelay(to: server.port) { continuation.yield() }
        // In the metadata.
        relay.add(.stallResponse(after: 200))
        let line = [
            "open", scratch.path("a.store"), "--service", "http://127.0.0.1:\(relay.port)/",
            "--query",
            "P=Parts", "--map-links", "--progress", "plain",
        ]
        let tool = try RunningTool(line)
        for await _ in stalled { break }
        let running = try await Tool.run("status", scratch.path("a.store"), "--json")
        #expect(running.output.contains(#""interrupted":null,"running":"open""#), "\(running)")
        let text = try await Tool.run("status", scratch.path("a.store"))
        #expect(text.output.contains("running      another process carries out `open`"))

        #expect(await tool.end(SIGKILL) == 137)
        let cut = try await Tool.run("status", scratch.path("a.store"), "--json")
        #expect(cut.output.contains(#""interrupted":"open","events":["#), "\(cut.output)")
    }

    @Test func answersPoliciesAsJSON() async throws {
        let scratch = try await Library.store()
        try scratch.write(
            #"{"synchronization":{"policies":[{"path":"a/*","fetchPolicy":"FETCH_FROM_CACHE"}]}}"#,
            to: "p.json"
        )
        let lines: [([String], String)] = [
            (["policy", "use", "library.store", "p.json"], #"{"paths":1,"templates":0}"#),
            (
                ["policy", "set", "library.store", "Books", "fetchPolicy=FETCH_FROM_CACHE"],
                #"{"affected":["Books"]}"#
            ),
            (["policy", "evict", "library.store", "--all"], #"{"reads":0,"entities":0}"#),
        ]
        for (line, answer) in lines {
            let outcome = try await Tool.run(line + ["--json"], in: scratch)
            #expect(outcome.output == answer + "\n", "\(outcome.errors)")
        }
    }
}
