import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What `--log` writes, and what it never writes.
@Suite struct LogTests {
    private static let metadata = """
        <?xml version="1.0"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Club" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Person"><Key><PropertyRef Name="Name"/></Key>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
            <Property Name="Phone" Type="Edm.String"/>
          </EntityType>
          <EntityContainer Name="Container">
            <EntitySet Name="People" EntityType="Club.Person">
              <Annotation Term="Org.OData.Core.V1.OptimisticConcurrency"><Collection/></Annotation>
            </EntitySet>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// The first page fails once; the third upload loses its answer.
    private static let faults = """
        [{"match": "GET /People", "nth": 1, "action": "status", "status": 503, "retryAfter": 0},
         {"match": "POST /$batch", "nth": 3, "action": "drop-after-commit"}]
        """

    private static func service() async throws -> (RunningTool, root: String, Scratch) {
        let scratch = try Scratch()
        try scratch.makeDirectory("rows")
        try scratch.write(metadata, to: "metadata.xml")
        try scratch.write(faults, to: "faults.json")
        try scratch.write(
            #"[{"Name":"SECRET old","Phone":"1"},{"Name":"SECRET other","Phone":"SECRET-2"}]"#,
            to: "rows/People.json"
        )
        let (tool, root) = try await RunningTool.service([
            "--metadata", scratch.path("metadata.xml"), "--data", scratch.path("rows"),
            "--faults", scratch.path("faults.json"), "--token", "SECRETTOKEN", "--delta",
        ])
        return (tool, root, scratch)
    }

    /// A life of a store with a retry, a conflict, a lost answer and refusals, all of it logged.
    @Test func tellsAWholeLifeWithoutAValueOfTheData() async throws {
        let (service, root, scratch) = try await Self.service()
        func run(_ words: String...) async throws -> Tool.Outcome {
            try await Tool.run(
                words + ["--log", "life.jsonl", "--log-level", "trace"],
                in: scratch
            )
        }
        let query = "P=People?$filter=Name ne 'SECRET filter'"
        for store in ["a.store", "b.store"] {
            let opened = try await run(
                "open",
                store,
                "--service",
                root,
                "--query",
                query,
                "--bearer",
                "SECRETTOKEN"
            )
            #expect(opened.status == 0)
        }
        for (store, phone) in [("b.store", "SECRET-b"), ("a.store", "SECRET-a")] {
            _ = try await run(
                "patch",
                store,
                "People('SECRET old')",
                "{\"Phone\": \"\(phone)\"}",
                "--tag",
                "SECRETTAG"
            )
            _ = try await run(
                "post",
                store,
                "People",
                #"{"Name": "SECRET new", "Phone": "SECRET"}"#
            )
            _ = try await run("upload", store, "--bearer", "SECRETTOKEN")
        }
        for _ in 0..<2 {
            for name in ["SECRET one", "SECRET two"] {
                let body = "{\"Name\": \"\(name)\", \"Phone\": \"SECRET\"}"
                _ = try await run("post", "b.store", "People", body)
            }
            _ = try await run("upload", "b.store", "--bearer", "SECRETTOKEN")
        }
        _ = try await run("post", "a.store", "People", #"{"Name": 7, "Phone": "SECRET"}"#)
        _ = try await run("get", "a.store", "People?$filter=Phone eq 'SECRET'")
        _ = try await run("download", "a.store", "--full", "--bearer", "SECRETTOKEN")
        _ = try await run("sync", "b.store", "--bearer", "SECRETWRONG")
        _ = try await run("check", "a.store", "--against-service", "--bearer", "SECRETTOKEN")
        _ = try await run("undo", "a.store", "--all")

        let log = try scratch.read("life.jsonl")
        #expect(!log.contains("SECRET"))
        let events = Set(log.matches(of: /"event":"([^"]*)"/).map { String($0.1) })
        let expected: Set = [
            "answer.lost", "open.begin", "open.end", "download.begin", "download.end",
            "upload.begin",
            "upload.end", "upload.failed", "metadata", "request", "request.retry",
            "request.refused", "query.loaded", "merge", "conflict", "change", "change.refused",
            "answers.recorded",
        ]
        #expect(expected.subtracting(events).isEmpty)
        for line in log.split(separator: "\n") {
            #expect(line.hasPrefix("{\"time\":\"2") && line.hasSuffix("}"))
        }
        withExtendedLifetime(service) {}
    }

    @Test func leavesOutWhatIsBelowTheLevel() async throws {
        let scratch = try await Library.store()
        let change = [#"patch"#, "library.store", "Books(10)", #"{"Title": "X"}"#]

        _ = try await Tool.run(change + ["--log", "info.jsonl"], in: scratch)
        let outcome = try await Tool.run(
            change + ["--log", "-", "--log-level", "debug"],
            in: scratch
        )

        #expect(try scratch.read("info.jsonl") == "")
        #expect(outcome.errors.contains(#""level":"debug","event":"change","kind":"request"}"#))
    }

    @Test(arguments: [
        (["--log-level", "debug"], "--log-level goes with --log FILE only"),
        (["--log", "no/such/file"], "cannot write no/such/file: no such file or directory"),
        (
            ["--log", "l", "--log-level", "loud"],
            "--log-level takes one of trace, debug, info, notice, warning, error, not 'loud'"
        ),
    ])
    func refusesWrongLogOptions(_ words: [String], _ message: String) async throws {
        let scratch = try await Library.store()

        let outcome = try await Tool.run(["status", "library.store"] + words, in: scratch)

        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("error: " + message))
    }
}
