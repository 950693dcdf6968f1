import OfflineOData
import Synchronization
import Testing

/// Jobs of an application: outcomes, retries, restarts.
@Suite struct JobRunnerTests {
    /// A job in a directory of its own, over a scripted service.
    private final class Workplace: Sendable {
        let service = ScriptedService.shop()
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "job-" + UUID().uuidString
        )

        init() throws {
            try FileManager.default.createDirectory(
                at: directory,
                withIntermediateDirectories: true
            )
        }

        deinit { try? FileManager.default.removeItem(at: directory) }

        func path(_ name: String) -> String { directory.appending(path: name).path() }

        func job(_ stores: [String], _ members: String = "") throws -> OfflineODataJob {
            let list = stores.map { "\"\($0)\"" }.joined(separator: ",")
            return try OfflineODataJob(
                json: Array(
                    """
                    {"service":"\(ScriptedService.root)","stores":[\(list)],"queries":{"Items":"Items"},
                    "retries":{"count":1,"delay":0}\(members)}
                    """.utf8
                ),
                directory: directory.path()
            )
        }

        func runner(
            _ job: OfflineODataJob,
            _ change: (inout OfflineODataJobRunner.Handlers) -> Void = { _ in }
        ) -> OfflineODataJobRunner {
            var handlers = OfflineODataJobRunner.Handlers()
            let service = service
            handlers.prepare = { _, parameters in
                parameters.transport = service
                parameters.retryPolicy = .never
            }
            change(&handlers)
            return OfflineODataJobRunner(job: job, name: "shop", handlers: handlers)
        }
    }

    @Test func worksOnEachStoreOnce() async throws {
        let place = try Workplace()
        let runner = place.runner(try place.job(["a", "b", "c"]))
        let first = try await runner.run(reportFile: place.path("report"))
        let asked = place.service.requests.count
        let second = try await runner.run(reportFile: place.path("report"))

        #expect(first.outcomes.map(\.status) == [.done, .done, .done])
        #expect(first.outcomes.first?.steps.map(\.name) == ["open", "upload", "download"])
        #expect(
            first.outcome(of: "b")?.steps.first?.counts == [
                "entities": 2, "queries": 1, "requests": 2,
            ]
        )
        #expect(second.count(of: .done) == 3)
        #expect(place.service.requests.count == asked)
    }

    @Test func doesStoresAnewWhenAsked() async throws {
        let place = try Workplace()
        let runner = place.runner(try place.job(["a"]))
        let first = try await runner.run(reportFile: place.path("report"))
        let second = try await runner.run(reportFile: place.path("report"), startsAnew: true)
        #expect(second.outcomes.count == 1)
        #expect(first.outcomes != second.outcomes)
    }

    @Test func triesUnreachableStoresAgain() async throws {
        let place = try Workplace()
        let failures = Mutex(1)
        place.service.answer { request in
            guard request.url.hasSuffix("Items") else { return nil }
            let fails = failures.withLock { count in
                count -= 1
                return count >= 0
            }
            return fails ? HTTPResponse(status: 503) : nil
        }
        let report = try await place.runner(try place.job(["a"])).run()
        #expect(report.outcomes.map(\.status) == [.done])
        #expect(report.outcomes.map(\.attempts) == [2])
    }

    /// A run does not wait for an hour: the next one goes on.
    @Test func leavesAServiceThatAsksForALongPause() async throws {
        let place = try Workplace()
        place.service.answer { request in
            guard request.url.hasSuffix("Items") else { return nil }
            return HTTPResponse(status: 429, headers: ["Retry-After": "3600"])
        }
        let report = try await place.runner(try place.job(["a"])).run()
        #expect(report.outcomes.map(\.attempts) == [1])
        #expect(report.outcomes.map(\.status) == [.unreachable])
        #expect(report.outcomes[0].failure?.message.hasSuffix("alone for 3600 s") == true)
    }

    @Test func reportsUnreachableStoresAndGoesOnWithThem() async throws {
        let place = try Workplace()
        let isDown = Mutex(true)
        place.service.answer { _ in
            isDown.withLock { $0 } ? HTTPResponse(status: 503) : nil
        }
        let runner = place.runner(try place.job(["a"]))
        let first = try await runner.run(reportFile: place.path("report"))
        isDown.withLock { $0 = false }
        let second = try await runner.run(reportFile: place.path("report"))

        #expect(first.outcomes.map(\.status) == [.unreachable])
        #expect(first.outcomes.map(\.attempts) == [2])
        #expect(first.outcomes.first?.failure?.step == "open")
        #expect(second.outcomes.map(\.status) == [.done])
    }

    @Test func reportsRefusedChanges() async throws {
        let place = try Workplace()
        let runner = place.runner(try place.job(["a"]))
        _ = try await runner.run()
        try await Self.changeBadly(place.path("a"))
        let report = try await runner.run()
        #expect(report.outcomes.map(\.status) == [.refused])
        #expect(report.outcomes.first?.steps[1].counts["refused"] == 1)
        #expect(report.outcomes.first?.refusedRequestIDs == [1])
    }

    /// Makes a change that the service refuses.
    private static func changeBadly(_ store: String) async throws {
        let provider = try OfflineODataProvider(storeFile: store)
        _ = await provider.respond(
            to: HTTPRequest(
                method: "PATCH",
                url: "Items(1)",
                headers: ["Content-Type": "application/json"],
                body: Array(#"{"Name":"bad"}"#.utf8)
            )
        )
        try await provider.close(force: true)
    }

    /// What was refused waits for a person, whether the next upload is due or not.
    @Test func reportsRefusedChangesUntilTheyAreDecided() async throws {
        let place = try Workplace()
        _ = try await place.runner(try place.job(["a"])).run()
        try await Self.changeBadly(place.path("a"))
        let steps = #","every":"1h","steps":["open",{"do":"upload","every":"1h"},"download"]"#
        let runner = place.runner(try place.job(["a"], steps))
        for isSkipped in [false, true] {
            let report = try await runner.run(reportFile: place.path("report"))
            #expect(report.outcomes.map(\.status) == [.refused])
            #expect(report.outcomes.first?.steps[1].isSkipped == isSkipped)
            #expect(report.outcomes.first?.refusedRequestIDs == [1])
            // The store is due again, its upload is not.
            let text = try String(contentsOfFile: place.path("report"), encoding: .utf8)
            let older = text.replacing(/"started":"[0-9]{4}/, with: "\"started\":\"2020")
            try older.write(toFile: place.path("report"), atomically: true, encoding: .utf8)
        }
    }

    @Test func removesStoresAfterTheirUpload() async throws {
        let place = try Workplace()
        let job = try place.job(["a"], #","afterUpload":"clear""#)
        let report = try await place.runner(job).run()
        #expect(report.outcomes.map(\.isCleared) == [true])
        #expect(!FileManager.default.fileExists(atPath: place.path("a")))
    }

    @Test func sendsCredentialsFromTheirPlace() async throws {
        let place = try Workplace()
        try Data("token-of-a\n".utf8).write(to: place.directory.appending(path: "a.token"))
        let seen = Mutex<Set<String>>([])
        place.service.answer { request in
            seen.withLock { _ = $0.insert(request.headers["Authorization"] ?? "none") }
            return nil
        }
        let job = try place.job(["a"], #","credentials":{"bearer":"@{name}.token"}"#)
        _ = try await place.runner(job).run()
        #expect(seen.withLock { $0 } == ["Bearer token-of-a"])
    }

    @Test func beginsNothingWithoutItsCredentials() async throws {
        let place = try Workplace()
        let job = try place.job(["a"], #","credentials":{"user":"@missing"}"#)
        let error = await #expect(throws: OfflineODataError.self) {
            try await place.runner(job).run()
        }
        #expect(error?.category == .invalidInput)
        #expect(error?.message.hasPrefix("@missing cannot be read") == true)
        #expect(place.service.requests.isEmpty)
    }

    @Test func runsHooksAroundTheWork() async throws {
        let place = try Workplace()
        let called = Mutex<[String]>([])
        let job = try place.job(
            ["a"],
            #","hooks":{"before":["mount","{name}"],"after":["./copy"],"failed":["mail"]}"#
        )
        let runner = place.runner(job) { handlers in
            handlers.hook = { hook in
                let status = hook.environment["OFFLINE_ODATA_STATUS"] ?? "-"
                called.withLock {
                    $0.append(
                        "\(hook.moment.rawValue) \(hook.words[0].split(separator: "/").last ?? "") \(status)"
                    )
                }
            }
        }
        _ = try await runner.run()
        #expect(called.withLock { $0 } == ["before mount -", "after copy done"])
    }

    @Test func failsWhereAHookFails() async throws {
        let place = try Workplace()
        let job = try place.job(["a"], #","hooks":{"before":["mount"]}"#)
        let runner = place.runner(job) { handlers in
            handlers.hook = { _ in throw OfflineODataError(.preconditionFailed, "not mounted") }
        }
        let report = try await runner.run()
        #expect(report.outcomes.map(\.status) == [.failed])
        #expect(report.outcomes.first?.failure?.message == "not mounted")
        #expect(report.outcomes.first?.failure?.step == "before")
        #expect(place.service.requests.isEmpty)
    }

    @Test func plansWhatIsDueByTime() throws {
        let place = try Workplace()
        let job = try place.job(
            ["old", "new", "failed", "never"],
            #","every":"1h","steps":["open",{"do":"check","every":"7d"}]"#
        )
        let now = Date()
        func time(_ seconds: Double) -> String {
            now.addingTimeInterval(-seconds).formatted(
                Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            )
        }
        let former = try #require(
            OfflineODataJobReport(
                json: Array(
                    """
                    {"job":"shop","shards":[],"stores":4,"outcomes":[
                    {"store":"old","status":"done","started":"\(time(3_700))","seconds":1.000,"steps":[
                      {"do":"check","finished":"\(time(3_700))","seconds":0.100}]},
                    {"store":"new","status":"refused","started":"\(time(3_000))","seconds":1.000,"steps":[]},
                    {"store":"failed","status":"failed","started":"\(time(10))","seconds":1.000,"steps":[
                      {"do":"check","finished":"\(time(700_000))","seconds":0.100}]}
                    ]}
                    """.utf8
                )
            )
        )
        let plan = try place.runner(job).plan(after: former)
        #expect(plan.map(\.store.path) == ["old", "failed", "never"])
        #expect(plan.map(\.steps) == [["open"], ["open", "check"], ["open", "check"]])
    }

    @Test func refusesTheReportOfAnotherJob() async throws {
        let place = try Workplace()
        let path = place.path("report")
        try Data(#"{"job":"other","shards":["1/2"],"stores":1,"outcomes":[]}"#.utf8)
            .write(to: place.directory.appending(path: "report"))
        let error = await #expect(throws: OfflineODataError.self) {
            try await place.runner(try place.job(["a"])).run(reportFile: path)
        }
        #expect(
            error?.message == "\(path) is the report of other, shard 1/2; name another file"
        )
    }

    @Test func neverOverwritesWhatIsNoReport() async throws {
        let place = try Workplace()
        try Data("precious".utf8).write(to: place.directory.appending(path: "notes"))
        await #expect(throws: OfflineODataError.self) {
            try await place.runner(try place.job(["a"])).run(reportFile: place.path("notes"))
        }
        let text = try String(contentsOf: place.directory.appending(path: "notes"), encoding: .utf8)
        #expect(text == "precious")
    }
}
