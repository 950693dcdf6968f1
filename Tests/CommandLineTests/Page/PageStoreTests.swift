import TestSupport
import Testing

/// What the page shows of a store, and what its buttons do.
@Suite struct PageStoreTests {
    /// A store without service, with three changes that wait.
    private static func library() async throws -> (PageConnection, Scratch) {
        let scratch = try await Library.store()
        let changes = [
            ["patch", "library.store", "Books(10)", #"{"Title": "Mine"}"#],
            [
                "patch", "library.store", "Books(11)", #"{"Title": "Y"}"#, "--tag", "t",
                "--category", "c",
            ],
            ["post", "library.store", "Authors", #"{"ID": 3, "Name": "Cy"}"#],
        ]
        for change in changes {
            let outcome = try await Tool.run(change, in: scratch)
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
        return (try await PageConnection([scratch.path("library.store")]), scratch)
    }

    private static let first =
        #"{"RequestID":1,"Status":"pending","RequestMethod":"PATCH","RequestURL":"Books(10)","#
        + #""RequestBody":"{\"Title\":\"Mine\"}","CustomTag":null,"UploadCategory":null,"TransactionID":null,"#
        + #""DependsOn":[],"AffectedEntity":"Books(10)","Labels":{"tag":null},"NeedsResolution":false}"#

    @Test func describesItself() async throws {
        let (page, scratch) = try await Self.library()
        let about = try await page.read("about")
        #expect(
            about.body
                == #"{"kind":"store","name":"library.store","version":"4.0","serviceRoot":null}"#
        )
        #expect(about.has("Content-Type: application/json; charset=utf-8"))
        #expect(about.has("Cache-Control: no-store"))
        #expect(
            try await page.read("status").body.contains(
                #""name":"Books","rows":3,"pending":2,"inError":0"#
            )
        )
        #expect(try await page.read("errors").body == #"{"total":0,"skipped":0,"requests":[]}"#)
        #expect(try await page.read("events").status == 200)
        withExtendedLifetime(scratch) {}
    }

    @Test func marksTheSetsOfTheStoreItself() async throws {
        let (page, scratch) = try await Self.library()
        let model = try await page.read("model").body
        #expect(
            model.contains(#"{"name":"Books","kind":"set","type":"Library.Book","builtIn":false}"#)
        )
        #expect(
            model.contains(
                #"{"name":"RequestQueue","kind":"set","type":"OfflineOData.QueuedRequest","builtIn":true}"#
            )
        )
        withExtendedLifetime(scratch) {}
    }

    @Test func listsTheQueue() async throws {
        let (page, scratch) = try await Self.library()
        let queue = try await page.read("queue").body
        #expect(queue.hasPrefix(#"{"total":3,"skipped":0,"requests":["# + Self.first + ","))
        #expect(queue.contains(#""CustomTag":"t","UploadCategory":"c""#))
        let rest = try await page.read("queue?skip=2").body
        #expect(rest.hasPrefix(#"{"total":3,"skipped":2,"requests":[{"RequestID":3,"#))
        #expect(
            try await page.read("queue?skip=99").body == #"{"total":3,"skipped":99,"requests":[]}"#
        )
        #expect(
            try await page.read("queue?skip=x").body
                == #"{"error":{"message":"'skip' is a whole number, not 'x'","details":[]}}"#
        )
        withExtendedLifetime(scratch) {}
    }

    @Test func editsARequest() async throws {
        let (page, scratch) = try await Self.library()
        let edited = try await page.act("queue/edit", #"{"id": 1, "body": "{\"Title\": \"Z\"}"}"#)
        #expect(edited.body == #"{"message":"request 1 has a new body","affected":[1]}"#)
        #expect(try await page.send("GET /Books(10)/Title/$value").body == "Z")
        withExtendedLifetime(scratch) {}
    }

    @Test func dropsARequest() async throws {
        let (page, scratch) = try await Self.library()
        let dropped = try await page.act("queue/drop", #"{"id": 1}"#)
        #expect(
            dropped.body
                == #"{"message":"request 1 and its effect on the store are taken back","affected":[1]}"#
        )
        #expect(try await page.send("GET /Books(10)/Title/$value").body == "Notes")
        withExtendedLifetime(scratch) {}
    }

    @Test func movesARequest() async throws {
        let (page, scratch) = try await Self.library()
        let before = try await page.act("queue/move", #"{"id": 3, "before": 1}"#)
        #expect(before.body == #"{"message":"request 3 stands before 1","affected":[3]}"#)
        #expect(try await page.read("queue").body.contains(#""requests":[{"RequestID":3,"#))
        let after = try await page.act("queue/move", #"{"id": 3, "after": 2}"#)
        #expect(after.body == #"{"message":"request 3 stands after 2","affected":[3]}"#)
        #expect(try await page.read("queue").body.contains(#""requests":[{"RequestID":1,"#))
        withExtendedLifetime(scratch) {}
    }

    @Test(arguments: [
        ("queue/drop", "", 400, "the body must be a JSON object such as {\\\"id\\\": 1}"),
        ("queue/drop", "[]", 400, "the body must be a JSON object"),
        ("queue/drop", "{}", 400, "'id' is missing"),
        ("queue/drop", #"{"id": "1"}"#, 400, "the body must be a JSON object"),
        ("queue/drop", #"{"id": 77}"#, 404, "77"),
        (
            "queue/move", #"{"id": 1}"#, 400,
            "give the number of another request as 'before' or 'after'"
        ),
        (
            "queue/move", #"{"id": 1, "before": 2, "after": 3}"#, 400,
            "give the number of another request"
        ),
        ("queue/edit", #"{"id": 1}"#, 400, "'body' is missing"),
        ("queue/edit", #"{"id": 1, "body": "{\"Titel\": 1}"}"#, 400, "Titel"),
        ("errors/resolve", #"{"side": "local"}"#, 400, "'url' is missing"),
        (
            "errors/resolve", #"{"url": "Books(10)", "side": "mine"}"#, 400,
            "'side' is one of local, server, merge"
        ),
        ("errors/resolve", #"{"url": "Books(10)", "side": "merge"}"#, 400, "'body' is missing"),
        (
            "sync/start", #"{"operation": "all"}"#, 400,
            "'operation' is one of upload, download, sync"
        ),
    ])
    func refusesABadBody(path: String, body: String, status: Int, message: String) async throws {
        let (page, scratch) = try await Self.library()
        let answer = try await page.act(path, body)
        #expect(answer.status == status, "\(answer.body)")
        #expect(answer.body.hasPrefix(#"{"error":{"message":""#))
        #expect(answer.body.contains(message), "\(answer.body)")
        #expect(try await page.read("queue").body.hasPrefix(#"{"total":3,"#))
        withExtendedLifetime(scratch) {}
    }

    /// `queue edit` takes @FILE; the page must not read files of this machine.
    @Test func readsNoFile() async throws {
        let (page, scratch) = try await Self.library()
        try scratch.write(#"{"Title": "from a file"}"#, to: "body.json")
        let file = "@" + scratch.path("body.json")
        let answer = try await page.act("queue/edit", #"{"id": 1, "body": "\#(file)"}"#)
        #expect(answer.status == 400)
        #expect(try await page.send("GET /Books(10)/Title/$value").body == "Mine")
    }

    /// A form of another site can send neither JSON nor an Origin of ours.
    @Test(
        arguments: [
            (["Content-Type: text/plain"], 400),
            (["Content-Type: application/x-www-form-urlencoded"], 400),
            ([], 400), (["Content-Type: application/json", "Origin: https://evil.example"], 403),
            (["Content-Type: application/json", "Origin: null"], 403),
            (["Content-Type: application/json", "Sec-Fetch-Site: cross-site"], 403),
            (["Content-Type: application/json", "Host: evil.example"], 421),
        ] as [([String], Int)]
    )
    func refusesActionsOfOthers(fields: [String], status: Int) async throws {
        let (page, scratch) = try await Self.library()
        let answer = try await page.send("POST /$page/queue/drop", fields, body: #"{"id": 1}"#)
        #expect(answer.status == status)
        #expect(try await page.read("queue").body.hasPrefix(#"{"total":3,"#))
        withExtendedLifetime(scratch) {}
    }

    @Test func showsVersions() async throws {
        let (page, scratch) = try await Self.library()
        let conflict = try await page.read("conflict?url=Books(10)")
        #expect(
            conflict.body
                == #"{"headline":"Books(10): nothing newer known of the service","resolvable":false,"properties":["#
                + #"{"path":"Title","base":"Notes","local":"Mine","server":"-","changed":"mine"}],"body":{"Title":"Mine"}}"#
        )
        let unchanged = try await page.read("conflict?url=Authors(2)")
        #expect(
            unchanged.body
                == #"{"headline":"Authors(2): no local changes, nothing newer known of the service","resolvable":false,"#
                + #""properties":[],"body":{}}"#
        )
        #expect(try await page.read("conflict").status == 400)
        #expect(try await page.read("conflict?url=Books(99)").status == 404)
        withExtendedLifetime(scratch) {}
    }
}
