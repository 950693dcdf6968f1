import Foundation
import Testing

/// `--har` and `serve --replay`: a conversation with a service, recorded and played again.
@Suite struct RecordingTests {
    private static func entries(_ text: String) throws -> [[String: Any]] {
        let har = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        )
        let log = try #require(har["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        return try #require(log["entries"] as? [[String: Any]])
    }

    private static func request(_ entry: [String: Any]) throws -> [String: Any] {
        try #require(entry["request"] as? [String: Any])
    }

    @Test func recordsWithoutCredentials() async throws {
        let (service, root, scratch) = try await Library.service("--delta")
        let opened = try await Tool.run(
            [
                "open", "library.store", "--service", root, "--query", "B=Books", "--har",
                "open.har", "--bearer", "hidden", "--cookie", "id=hidden", "--query-option",
                "access_token=hidden",
            ],
            in: scratch
        )
        #expect(opened.status == 0, "\(opened.errors)")
        _ = try await Tool.run(
            [
                "patch", "library.store", "Books(10)", #"{"Title":"Mine"}"#, "--request-header",
                "Authorization: hidden",
            ],
            in: scratch
        )
        let uploaded = try await Tool.run(
            ["upload", "library.store", "--har", "upload.har", "--user", "me:hidden"],
            in: scratch
        )
        #expect(uploaded.status == 0, "\(uploaded.errors)")

        let (open, upload) = (try scratch.read("open.har"), try scratch.read("upload.har"))
        #expect(!open.contains("hidden") && !upload.contains("hidden"))
        // The delta link in the answer repeats the option.
        #expect(open.contains("deltatoken") && open.contains("access_token=&"))
        #expect(!upload.contains("bWU6aGlkZGVu"))
        let requests = try Self.entries(open).map(Self.request)
        #expect(requests.compactMap { $0["method"] as? String }.allSatisfy { $0 == "GET" })
        #expect(
            requests.compactMap { $0["url"] as? String }.map { $0.dropFirst(root.count) }
                == ["$metadata?access_token=", "Books?access_token="]
        )
        let entry = try #require(try Self.entries(upload).first)
        let data = try #require(try Self.request(entry)["postData"] as? [String: Any])
        let text = try #require(data["text"] as? String)
        #expect(text.contains("PATCH Books(10)"))
        let response = try #require(entry["response"] as? [String: Any])
        #expect(response["status"] as? Int == 200)
        #expect((response["cookies"] as? [Any])?.isEmpty == true)
        let start = try #require(entry["startedDateTime"] as? String)
        #expect(try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(start) <= .now)
        for name in ["time", "cache", "timings"] { #expect(entry[name] != nil) }
        withExtendedLifetime(service) {}
    }

    @Test func isWholeWhereTheServiceIsAway() async throws {
        let (service, root, scratch) = try await Library.service()
        _ = await service.end()
        let opened = try await Tool.run(
            [
                "open", "library.store", "--service", root, "--query", "B=Books", "--har", "a.har",
                "--timeout", "1",
            ],
            in: scratch
        )
        #expect(opened.status == 4)
        let entries = try Self.entries(try scratch.read("a.har"))
        let response = try #require(entries.first?["response"] as? [String: Any])
        #expect(response["status"] as? Int == 0)
        #expect((entries.first?["comment"] as? String)?.isEmpty == false)
    }

    @Test func answersFromARecording() async throws {
        let (service, root, scratch) = try await Library.service()
        let line = [
            "open", "first.store", "--query", "B=Books?$expand=Author", "--har", "open.har",
        ]
        let opened = try await Tool.run(line + ["--service", root], in: scratch)
        #expect(opened.status == 0)
        _ = await service.end()

        // Some programs put a byte-order mark ahead of what they write.
        try scratch.write("\u{FEFF}" + scratch.read("open.har"), to: "open.har")
        let (replay, other) = try await RunningTool.service(["--replay", scratch.path("open.har")])
        let again = try await Tool.run(
            ["open", "second.store", "--service", other, "--query", "B=Books?$expand=Author"],
            in: scratch
        )
        #expect(again.status == 0, "\(again.errors)")
        var answers: [String] = []
        for store in ["first.store", "second.store"] {
            let read = try await Tool.run(
                ["get", store, "Books?$expand=Author&$orderby=ID", "--format", "csv"],
                in: scratch
            )
            answers.append(read.output)
        }
        #expect(answers[0].contains("10,Notes,1,1,Ada"))
        #expect(answers[0] == answers[1])
        // What was not asked then is not answered now.
        _ = try await Tool.run(
            ["query", "add", "second.store", "A=Authors"],
            in: scratch
        )
        let more = try await Tool.run(["download", "second.store", "--query", "A"], in: scratch)
        #expect(more.status != 0)
        #expect(more.errors.contains("the recording has no (further) answer to GET /Authors"))
        withExtendedLifetime(replay) {}
    }

    @Test func refusesWhatIsNoRecording() async throws {
        let scratch = try Scratch()
        try scratch.write("{}", to: "no.har")
        let outcome = try await Tool.run("serve", "--replay", "no.har", in: scratch)
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("error: no.har: this is no recording"))
        let both = try await Tool.run("serve", "x.store", "--replay", "no.har", in: scratch)
        #expect(both.status == 2)
    }

    @Test func recordsAllLinesOfAShell() async throws {
        let (service, root, scratch) = try await Library.service("--delta")
        _ = try await Tool.run(
            ["open", "library.store", "--service", root, "--query", "B=Books"],
            in: scratch
        )
        let outcome = try await Tool.run(
            ["shell", "library.store", "--har", "all.har", "--header", "X-Trial: 7"],
            input: """
                patch Books(10) {"Title":"Mine"}
                upload
                download --header 'X-Trial: 8'
                download --har own.har

                """,
            in: scratch
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let requests = try Self.entries(try scratch.read("all.har")).map(Self.request)
        #expect(requests.compactMap { $0["method"] as? String }.prefix(2) == ["POST", "GET"])
        let trials = requests.map { request in
            (request["headers"] as? [[String: String]])?.first { $0["name"] == "X-Trial" }?["value"]
        }
        #expect(trials.first == "7" && trials.last == "8")
        #expect(try !Self.entries(try scratch.read("own.har")).isEmpty)
        withExtendedLifetime(service) {}
    }

    @Test func recordsTheStoresOfAJob() async throws {
        let (service, root, scratch) = try await Library.service()
        try scratch.write(
            #"{"service":"\#(root)","stores":["a.store","b.store"],"queries":{"B":"Books"},"steps":["open"]}"#,
            to: "job.json"
        )
        let outcome = try await Tool.run(
            ["run", "job.json", "--har", "job.har", "--progress", "plain"],
            in: scratch
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n").sorted()
        #expect(lines == ["a.store: done, open", "b.store: done, open"])
        let urls = try Self.entries(try scratch.read("job.har")).map(Self.request)
            .compactMap { $0["url"] as? String }
        #expect(urls.filter { $0 == root + "Books" }.count == 2)
        withExtendedLifetime(service) {}
    }

    @Test func refusesToRecordAJobThatSendsNothing() async throws {
        let scratch = try Scratch()
        try scratch.write(
            #"{"service":"http://127.0.0.1:1/","stores":["a.store"]}"#,
            to: "job.json"
        )
        let outcome = try await Tool.run(
            ["run", "job.json", "--dry-run", "--har", "job.har"],
            in: scratch
        )
        #expect(outcome.status == 2)
        #expect(outcome.errors == "error: --dry-run sends nothing that --har could record\n")
        #expect(!scratch.exists("job.har"))
    }
}
