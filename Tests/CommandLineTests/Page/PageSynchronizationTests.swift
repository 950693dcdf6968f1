import TestSupport
import Testing

/// Upload and download from the page, and what the service refuses.
@Suite struct PageSynchronizationTests {
    private static func open(_ server: PartsServer) async throws -> (PageConnection, Scratch) {
        let scratch = try Scratch()
        let outcome = try await Tool.run(
            "open",
            "parts.store",
            "--service",
            server.root,
            "--query",
            "P=Parts",
            in: scratch
        )
        try #require(outcome.status == 0, "\(outcome.errors)")
        return (try await PageConnection([scratch.path("parts.store")]), scratch)
    }

    private static func rename(_ page: PageConnection, to name: String) async throws {
        let answer = try await page.send(
            "PATCH /Parts(1)",
            ["Content-Type: application/json"],
            body: #"{"Name": "\#(name)"}"#
        )
        try #require([200, 204].contains(answer.status))
    }

    /// Starts an operation and asks until it has ended.
    private static func run(_ operation: String, _ page: PageConnection) async throws -> String {
        let started = try await page.act("sync/start", #"{"operation": "\#(operation)"}"#)
        try #require(started.status == 200, "\(started.body)")
        var state = started.body
        while state.hasPrefix(#"{"state":"running""#) { state = try await page.read("sync").body }
        return state
    }

    @Test func isIdleAtFirst() async throws {
        let (page, scratch) = try await Self.open(try PartsServer())
        #expect(
            try await page.read("sync").body
                == #"{"state":"idle","operation":null,"progress":null,"upload":null,"download":null,"refused":0,"#
                + #""remarks":[],"message":null,"details":[]}"#
        )
        withExtendedLifetime(scratch) {}
    }

    @Test func uploadsAndDownloads() async throws {
        let server = try PartsServer()
        let (page, scratch) = try await Self.open(server)
        try await Self.rename(page, to: "mine")
        server.change(2, "theirs")

        let state = try await Self.run("sync", page)

        #expect(
            state.hasPrefix(
                #"{"state":"done","operation":"sync","progress":{"operation":"download","text":"step 7 of 7, finished"#
            )
        )
        #expect(state.contains(#""upload":"uploaded: 1 carried out, "#))
        #expect(state.contains(#""download":"downloaded: 0 new, "#))
        #expect(server.parts[1]?.name == "mine")
        #expect(try await page.send("GET /Parts(2)/Name/$value").body == "theirs")
        #expect(try await page.read("queue").body == #"{"total":0,"skipped":0,"requests":[]}"#)
        #expect(try await page.read("events").body.contains(#""Type":"Download""#))
        withExtendedLifetime(scratch) {}
    }

    @Test func saysThatTheServiceIsAway() async throws {
        let server = try PartsServer()
        let (page, scratch) = try await Self.open(server)
        server.stop()
        let state = try await Self.run("download", page)
        #expect(state.hasPrefix(#"{"state":"failed","operation":"download""#))
        #expect(!state.contains(#""message":null"#))
        withExtendedLifetime(scratch) {}
    }

    @Test func cancelsWhatRuns() async throws {
        let faults = try Scratch()
        try faults.write(
            #"[{"match":"GET /Books","nth":2,"action":"delay","milliseconds":60000}]"#,
            to: "faults.json"
        )
        let (service, root, scratch) = try await Library.service(
            "--faults",
            faults.path("faults.json")
        )
        let opened = try await Tool.run(
            ["open", "library.store", "--service", root, "--query", "B=Books"],
            in: scratch
        )
        try #require(opened.status == 0)
        let page = try await PageConnection([scratch.path("library.store")])

        let started = try await page.act("sync/start", #"{"operation": "download"}"#)
        let second = try await page.act("sync/start", #"{"operation": "upload"}"#)
        let cancelled = try await page.act("sync/cancel", "{}")
        var state = cancelled.body
        while state.hasPrefix(#"{"state":"cancelling""#) {
            state = try await page.read("sync").body
        }

        #expect(started.body.hasPrefix(#"{"state":"running","operation":"download""#))
        #expect(second.status == 409)
        #expect(second.body.contains("a synchronisation runs already: wait for it, or cancel it"))
        #expect(cancelled.status == 200)
        #expect(state.hasPrefix(#"{"state":"cancelled","operation":"download""#))
        withExtendedLifetime(service) {}
    }

    /// The signal ends the synchronisation too.
    @Test func endsWhileItSynchronises() async throws {
        let faults = try Scratch()
        try faults.write(
            #"[{"match":"GET /Books","nth":2,"action":"delay","milliseconds":60000}]"#,
            to: "faults.json"
        )
        let (service, root, scratch) = try await Library.service(
            "--faults",
            faults.path("faults.json")
        )
        _ = try await Tool.run(
            ["open", "library.store", "--service", root, "--query", "B=Books"],
            in: scratch
        )
        let page = try await PageConnection([scratch.path("library.store")])
        _ = try await page.act("sync/start", #"{"operation": "download"}"#)
        #expect(await page.tool.end() == 8)
        withExtendedLifetime(service) {}
    }

    @Test func sendsItsCredentials() async throws {
        let (service, root, scratch) = try await Library.service("--token", "secret")
        let opened = try await Tool.run(
            [
                "open", "library.store", "--service", root, "--query", "B=Books", "--bearer",
                "secret",
            ],
            in: scratch
        )
        try #require(opened.status == 0)
        let without = try await PageConnection([scratch.path("library.store")])
        #expect(try await Self.run("download", without).contains(#""state":"failed""#))
        _ = await without.tool.end()
        let with = try await PageConnection([scratch.path("library.store"), "--bearer", "secret"])
        #expect(try await Self.run("download", with).contains(#""state":"done""#))
        withExtendedLifetime(service) {}
    }

    // MARK: - Refused requests

    /// A part renamed here and at the service: the upload is refused with 412.
    private static func conflict() async throws -> (PageConnection, PartsServer, Scratch) {
        let server = try PartsServer()
        let (page, scratch) = try await open(server)
        try await rename(page, to: "mine")
        server.change(1, "theirs")
        let state = try await run("upload", page)
        try #require(state.contains(#""refused":1"#), "\(state)")
        return (page, server, scratch)
    }

    @Test func showsTheVersionsOfARefusedChange() async throws {
        let (page, _, scratch) = try await Self.conflict()
        let errors = try await page.read("errors").body
        #expect(
            errors.hasPrefix(
                #"{"total":1,"skipped":0,"requests":[{"RequestID":1,"Status":"failed","#
            )
        )
        #expect(errors.contains(#""AffectedEntity":"Parts(1)","HTTPStatusCode":412,"#))
        #expect(errors.hasSuffix(#""NeedsResolution":true}]}"#))
        #expect(
            try await page.read("conflict?url=Parts(1)").body
                == #"{"headline":"Parts(1)","resolvable":true,"properties":[{"path":"Name","base":"one","local":"mine","#
                + #""server":"theirs","changed":"both"}],"body":{"Name":"mine"}}"#
        )
        withExtendedLifetime(scratch) {}
    }

    @Test(arguments: [
        ("errors/retry", #"{"id": 1}"#, "resolve the conflict"),
        ("errors/edit", #"{"id": 1, "body": "{}"}"#, "merge both versions"),
    ])
    func leadsFromRepeatingToResolving(path: String, body: String, advice: String) async throws {
        let (page, _, scratch) = try await Self.conflict()
        let answer = try await page.act(path, body)
        #expect(answer.status == 409)
        #expect(answer.body.contains("(412): \(advice)"))
        withExtendedLifetime(scratch) {}
    }

    @Test(arguments: [
        (#"{"url": "Parts(1)", "side": "local"}"#, "mine"),
        (#"{"url": "Parts(1)", "side": "server"}"#, "theirs"),
        (#"{"url": "Parts(1)", "side": "merge", "body": "{\"Name\": \"both\"}"}"#, "both"),
    ])
    func resolvesAConflict(body: String, name: String) async throws {
        let (page, server, scratch) = try await Self.conflict()
        let answer = try await page.act("errors/resolve", body)
        #expect(answer.body == #"{"message":"the conflict of Parts(1) is resolved","affected":[]}"#)
        #expect(try await page.read("errors").body.hasPrefix(#"{"total":0,"#))
        #expect(try await Self.run("sync", page).hasPrefix(#"{"state":"done""#))
        #expect(server.parts[1]?.name == name)
        #expect(try await page.send("GET /Parts(1)/Name/$value").body == name)
        withExtendedLifetime(scratch) {}
    }

    @Test func discardsARefusedRequest() async throws {
        let (page, _, scratch) = try await Self.conflict()
        let answer = try await page.act("errors/discard", #"{"id": 1}"#)
        #expect(answer.body.hasSuffix(#""affected":[1]}"#))
        #expect(try await page.read("errors").body.hasPrefix(#"{"total":0,"#))
        withExtendedLifetime(scratch) {}
    }

    @Test(arguments: [
        ("errors/retry", #"{"id": 1}"#, "mine"),
        ("errors/edit", #"{"id": 1, "body": "{\"Name\": \"better\"}"}"#, "better"),
    ])
    func repeatsARefusedRequest(path: String, body: String, name: String) async throws {
        let server = try PartsServer()
        let (page, scratch) = try await Self.open(server)
        try await Self.rename(page, to: "mine")
        server.fail(400)
        _ = try await Self.run("upload", page)
        #expect(try await page.read("errors").body.contains(#""Message":"not today""#))
        server.fail(nil)

        #expect(try await page.act(path, body).status == 200)
        #expect(try await page.read("errors").body.hasPrefix(#"{"total":0,"#))
        #expect(
            try await Self.run("upload", page).contains(#""upload":"uploaded: 1 carried out, "#)
        )
        #expect(server.parts[1]?.name == name)
        withExtendedLifetime(scratch) {}
    }
}
