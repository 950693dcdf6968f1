import Foundation
import ODataSQLite
import TestSupport
import Testing

/// Policies that a store keeps act on every command that changes the store or speaks to its service.
@Suite struct KeptPolicyTests {
    private let scratch: Scratch
    private let service: PartsServer

    init() throws { (scratch, service) = (try Scratch(), try PartsServer()) }

    /// Opens a store that holds the parts by a read or by a defining query, and keeps a configuration of the service's default policy.
    private func open(_ policy: String, settings: String = "", byQuery: Bool = false) async throws {
        let queries = byQuery ? ["--query", "P=Parts"] : []
        try await done(["open", "s.store", "--service", service.root] + queries)
        try await use("{\"synchronization\":{\(settings)\"defaultPolicy\":{\(policy)}}}")
        if !byQuery { try await done(["get", "s.store", "Parts"] + Self.fresh) }
        _ = service.takeAsked()
    }

    private static let fresh = ["--fetch-policy", "FETCH_FROM_SERVICE_IF_ONLINE"]

    private func use(_ configuration: String) async throws {
        try scratch.write(configuration, to: "policies.json")
        try await done(["policy", "use", "s.store", "policies.json"])
    }

    private func run(_ words: String...) async throws -> Tool.Outcome {
        try await Tool.run(words, in: scratch)
    }

    @discardableResult
    private func done(_ words: [String]) async throws -> Tool.Outcome {
        let end = try await Tool.run(words, in: scratch)
        guard end.status == 0 else { throw ToolFailure(outcome: end) }
        return end
    }

    private func name(_ id: Int) async throws -> String {
        let end = try await run("get", "s.store", "Parts(\(id))")
        return String(end.output.firstMatch(of: /"Name":"([^"]*)"/)?.1 ?? "nothing")
    }

    /// Nothing waits and nothing was refused.
    private func expectNothingLeft() async throws {
        #expect(try await run("queue", "s.store").output == "nothing is waiting\n")
        #expect(try await run("errors", "s.store").output == "nothing was refused\n")
    }

    // MARK: Conflicts

    @Test(arguments: [true, false], ["upload", "sync"])
    func theServiceWinsConflictsOfAnUpload(_ byQuery: Bool, _ command: String) async throws {
        try await open("\"conflictResolutionPolicy\":\"SERVER_WINS\"", byQuery: byQuery)
        try await done(["patch", "s.store", "Parts(1)", "{\"Name\":\"mine\"}"])
        service.change(1, "theirs")
        let sent = try await done([command, "s.store"])
        #expect(!sent.errors.contains("refused"))
        #expect(sent.output.contains("1 taken back for the service's version"))
        #expect(service.parts[1]?.name == "theirs")
        #expect(try await name(1) == "theirs")
        try await expectNothingLeft()
        #expect(try await run("events", "s.store", "--json").output.contains("mine"))
    }

    @Test(arguments: ["upload", "sync"])
    func theClientWinsConflictsOfAnUpload(_ command: String) async throws {
        try await open("\"conflictResolutionPolicy\":\"CLIENT_WINS\"")
        try await done(["patch", "s.store", "Parts(1)", "{\"Name\":\"mine\"}"])
        try await done(["delete", "s.store", "Parts(2)"])
        try await done(["post", "s.store", "Parts", "{\"ID\":9,\"Name\":\"mine\"}"])
        for id in [1, 2, 9] { service.change(id, "theirs") }
        let sent = try await done([command, "s.store", "--json"])
        let counts = try JSONValue(sent.output)
        let upload = counts["upload"] ?? counts
        #expect(upload["carriedOut"]?.text == "3")
        #expect(upload["refused"]?.text == "0")
        #expect(service.parts[1]?.name == "mine")
        #expect(service.parts[2] == nil)
        #expect(service.parts[9]?.name == "mine")
        try await expectNothingLeft()
        #expect(try await run("events", "s.store", "--json").output.contains("theirs"))
    }

    @Test(arguments: ["SERVER_WINS", "CLIENT_WINS"])
    func decidesConflictsThatADownloadFinds(_ policy: String) async throws {
        try await open("\"conflictResolutionPolicy\":\"\(policy)\"", byQuery: true)
        try await done(["patch", "s.store", "Parts(1)", "{\"Name\":\"mine\"}"])
        service.change(1, "theirs")
        try await done(["download", "s.store"])
        let winner = policy == "SERVER_WINS" ? "theirs" : "mine"
        #expect(try await name(1) == winner)
        try await done(["upload", "s.store"])
        #expect(service.parts[1]?.name == winner)
        try await expectNothingLeft()
    }

    @Test func countsUpdatesOfWhatTheServiceHasDeletedAsConflicts() async throws {
        try await open("", byQuery: true)
        try await done(["patch", "s.store", "Parts(1)", "{\"Name\":\"mine\"}"])
        try await done(["delete", "s.store", "Parts(2)"])
        for id in [1, 2] { service.change(id, nil) }
        let end = try await done(["download", "s.store"])
        #expect(end.output.contains("0 removed, 1 in conflict"))
        let next = try await done(["download", "s.store"])
        #expect(next.output.contains("0 in conflict"))
    }

    @Test func preservesConflictsByDefault() async throws {
        try await open("")
        try await done(["patch", "s.store", "Parts(1)", "{\"Name\":\"mine\"}"])
        service.change(1, "theirs")
        let sent = try await run("upload", "s.store")
        #expect(sent.status == 5)
        #expect(sent.errors.contains("refused: request 1 PATCH Parts(1): 412"))
        #expect(try await name(1) == "mine")
        #expect(service.parts[1]?.name == "theirs")
    }

    @Test func obeysThePolicyOfAResourceAndOfItsCollection() async throws {
        try await open("")
        try await done([
            "policy", "set", "s.store", "Parts(1)", "conflictResolutionPolicy=CLIENT_WINS",
        ])
        try await done([
            "policy", "set", "s.store", "Parts", "conflictResolutionPolicy=SERVER_WINS",
        ])
        for id in [1, 2] {
            try await done(["patch", "s.store", "Parts(\(id))", "{\"Name\":\"mine\"}"])
            service.change(id, "theirs")
        }
        try await done(["upload", "s.store"])
        #expect(service.parts[1]?.name == "mine")
        #expect(service.parts[2]?.name == "theirs")
        let shown = try await run("policy", "show", "s.store", "Parts(2)", "--json")
        #expect(shown.output.contains("\"value\":\"SERVER_WINS\",\"level\":\"request\""))
    }

    /// A process that is killed in the first moments of an opening leaves an empty file.
    @Test func opensAStoreWhoseMakingWasCut() async throws {
        try scratch.write("", to: "s.store")
        try await done(["open", "s.store", "--service", service.root, "--query", "P=Parts"])
        #expect(try await name(1) == "one")
    }

    // MARK: Order

    @Test func sendsPinnedChangesFirstThenByKind() async throws {
        try await open("")
        try await done(["delete", "s.store", "Parts(3)"])
        try await done(["patch", "s.store", "Parts(1)", "{\"Name\":\"a\"}"])
        try await done(["patch", "s.store", "Parts(2)", "{\"Name\":\"b\"}"])
        try await done(["post", "s.store", "Parts", "{\"ID\":9}"])
        try await done(["policy", "set", "s.store", "Parts(2)", "--pin", "high"])
        try await done(["upload", "s.store"])
        #expect(
            service.takeAsked() == [
                "PATCH /Parts(2) \"1\"", "POST /Parts", "PATCH /Parts(1) \"1\"",
                "DELETE /Parts(3) \"1\"",
            ]
        )
    }

    // MARK: Changes

    private static let large = "{\"ID\":9,\"Name\":\"\(String(repeating: "x", count: 1_200_000))\"}"

    @Test(arguments: ["post", "patch", "put", "batch", "import", "edit"])
    func refusesChangesThatDoNotFit(_ command: String) async throws {
        try await open("", settings: "\"maxStoreSize\":1,")
        let isCreated = ["post", "import"].contains(command)
        try scratch.write(
            isCreated ? Self.large : Self.large.replacing("\"ID\":9,", with: ""),
            to: "large.json"
        )
        let target = ["post": "Parts"][command] ?? "Parts(1)"
        var words = [command, "s.store", target, "@large.json"]
        if command == "batch" {
            try scratch.write(
                "{\"requests\":[{\"id\":\"1\",\"method\":\"POST\",\"url\":\"Parts\",\"body\":\(Self.large)}]}",
                to: "batch.json"
            )
            words = ["batch", "s.store", "@batch.json"]
        } else if command == "import" {
            try await done(["open", "t.store", "--service", service.root])
            try await done(["post", "t.store", "Parts", "@large.json"])
            try await done(["queue", "export", "t.store", "queue.json"])
            words = ["queue", "import", "s.store", "queue.json"]
        } else if command == "edit" {
            try await done(["patch", "s.store", "Parts(1)", "{\"Name\":\"one\"}"])
            words = ["queue", "edit", "s.store", "1", "@large.json"]
        }
        let end = try await Tool.run(words, in: scratch)
        #expect(
            (end.output + end.errors).contains("does not fit into the store (maxStoreSize: 1 MB)")
        )
        if command == "batch" {
            #expect(end.output.contains("\"status\":507"))
        } else {
            #expect(end.status == 1)
        }
        #expect(try await name(1) == "one")
        if command == "edit" { try await done(["queue", "drop", "s.store", "1"]) }
        try await expectNothingLeft()
    }

    @Test func sendsAtOnceWhatMustNotWait() async throws {
        try await open("\"updatePolicy\":\"UPDATE_IF_ONLINE\"")
        try await done(["patch", "s.store", "Parts(1)", "{\"Name\":\"mine\"}"])
        try await done(["post", "s.store", "Parts", "{\"ID\":9,\"Name\":\"new\"}"])
        try await done(["delete", "s.store", "Parts(2)"])
        #expect(
            service.parts == [
                1: .init(name: "mine", version: 2), 3: .init(name: "three"), 9: .init(name: "new"),
            ]
        )
        try await expectNothingLeft()
        service.change(1, "theirs")
        #expect(try await run("patch", "s.store", "Parts(1)", "{\"Name\":\"again\"}").status == 5)
        #expect(service.parts[1]?.name == "theirs")
    }

    /// 100 is the key that the service gives.
    @Test func showsWhatTheServiceHasMadeOfAChangeThatMustNotWait() async throws {
        try await open("\"updatePolicy\":\"UPDATE_IF_ONLINE\"")
        let created = try await done(["post", "s.store", "Parts", "{\"Name\":\"new\"}"])
        #expect(created.output.contains("\"ID\":100"))
        #expect(try await name(100) == "new")
        let changed = try await done([
            "patch", "s.store", "Parts(1)", "{\"Name\":\"mine\"}", "--json",
        ])
        #expect(changed.output.contains("\"Name\":\"mine\""))
        #expect(try await done(["delete", "s.store", "Parts(1)", "--json"]).output == "null\n")
    }

    @Test func takesBackWhatMustNotWaitWhereTheServiceIsAway() async throws {
        try await open("\"updatePolicy\":\"UPDATE_IF_ONLINE\"")
        service.stop()
        for words in [
            ["patch", "s.store", "Parts(1)", "{\"Name\":\"mine\"}"],
            ["post", "s.store", "Parts", "{\"ID\":9}"], ["delete", "s.store", "Parts(1)"],
        ] {
            #expect(try await Tool.run(words, in: scratch).status == 4)
        }
        #expect(try await name(1) == "one")
        #expect(try await name(9) == "nothing")
        try await expectNothingLeft()
    }

    @Test func refusesInBatchesWhatMustNotWait() async throws {
        try await open("")
        try await use(
            "{\"synchronization\":{\"policies\":[{\"path\":\"Parts(1)\",\"updatePolicy\":\"UPDATE_IF_ONLINE\"}]}}"
        )
        try scratch.write(
            """
            {"requests":[{"id":"1","method":"PATCH","url":"Parts(2)","body":{"Name":"mine"}},
            {"id":"2","method":"PATCH","url":"Parts(1)","body":{"Name":"mine"}}]}
            """,
            to: "batch.json"
        )
        let end = try await run("batch", "s.store", "@batch.json")
        #expect(end.output.contains("\"id\":\"2\",\"status\":503"))
        #expect(end.output.contains("do not let the change wait in the queue"))
        #expect(try await name(1) == "one")
        #expect(try await name(2) == "mine")
    }

    @Test func writesNothingOfWhatMustNotBeStored() async throws {
        try await open("\"noCache\":true")
        let created = try await done(["post", "s.store", "Parts", "{\"ID\":9,\"Name\":\"SECRET\"}"])
        #expect(created.output.contains("SECRET"))
        try await done(["patch", "s.store", "Parts(1)", "{\"Name\":\"SECRET too\"}"])
        #expect(service.parts[9]?.name == "SECRET")
        #expect(service.parts[1]?.name == "SECRET too")
        #expect(service.takeAsked() == ["POST /Parts", "PATCH /Parts(1) *"])
        for name in try scratch.names() where name.hasPrefix("s.store") {
            let bytes = try Data(contentsOf: scratch.url(name))
            #expect(bytes.firstRange(of: Data("SECRET".utf8)) == nil, "\(name)")
        }
        service.stop()
        #expect(try await run("post", "s.store", "Parts", "{\"ID\":10}").status == 4)
        try await expectNothingLeft()
    }

    @Test func leavesStoresWithoutPoliciesAsTheyWere() async throws {
        try await done(["open", "s.store", "--service", service.root, "--query", "P=Parts"])
        try await done(["delete", "s.store", "Parts(3)"])
        try await done(["post", "s.store", "Parts", "{\"ID\":9}"])
        _ = service.takeAsked()
        try await done(["upload", "s.store"])
        #expect(service.takeAsked() == ["DELETE /Parts(3) \"1\"", "POST /Parts"])
    }

    // MARK: Refreshing

    @Test func saysWhichReadsWereNotRefreshed() async throws {
        try await open("\"expirationPolicy\":\"EXPIRE_AFTER\",\"expireAfter\":0")
        try await done(["get", "s.store", "Parts(1)"] + Self.fresh)
        service.fail(500)
        let failed = try await run("policy", "refresh", "s.store")
        #expect(failed.status == 1)
        #expect(failed.output == "0 reads refreshed\n")
        #expect(failed.errors.contains("2 of 2 reads not refreshed"))
        #expect(failed.errors.contains("Parts(1): "))
        #expect(failed.errors.contains("not today"))
        let json = try await run("policy", "refresh", "s.store", "--json")
        #expect(json.status == 1)
        let report = try JSONValue(json.output)
        #expect(report["refreshed"]?.text == "0")
        #expect(report["failed"]?.items.count == 2)
        #expect(report["failed"]?.items.first?["error"]?.text.contains("not today") == true)
        service.fail(nil)
        service.change(1, nil)
        let partly = try await run("policy", "refresh", "s.store", "Parts", "Parts(1)")
        #expect(partly.status == 0)
        #expect(partly.output == "1 read refreshed, 1 entity gone: Parts(1)\n")
        let never = try await run("policy", "refresh", "s.store", "Parts", "Parts(1)")
        #expect(never.status == 6)
        #expect(never.output == "1 read refreshed\n")
        service.stop()
        let away = try await run("policy", "refresh", "s.store")
        #expect(away.status == 4)
        #expect(away.output == "0 reads refreshed\n")
    }

    @Test func saysWhatARefreshBesideAReadHasMet() async throws {
        try await open("")
        service.fail(500)
        let read = try await run(
            "get",
            "s.store",
            "Parts",
            "--fetch-policy",
            "FETCH_FROM_CACHE_SCHEDULE_REFRESH"
        )
        #expect(read.status == 0)
        #expect(read.errors.contains("Parts was not refreshed: "))
    }

    // MARK: Names and headers

    @Test func refusesMistypedNames() async throws {
        try await open("")
        #expect(try await run("policy", "set", "s.store", "Nope(1)", "noCache=true").status != 0)
        #expect(try await run("policy", "set", "s.store", "Parts(1", "--pin", "high").status == 2)
        #expect(
            try await run("policy", "set", "s.store", "Parts/$count", "noCache=true").status == 2
        )
        #expect(try await run("policy", "evict", "s.store", "Parts(99)").status == 6)
        #expect(try await run("policy", "evict", "s.store", "--set", "Nope").status == 6)
        #expect(try await run("policy", "evict", "s.store", "--entity", "Parts(99)").status == 6)
        #expect(try await run("policy", "evict", "s.store", "--set", "Parts").status == 0)
    }

    @Test(arguments: [true, false])
    func countsStandardCacheHeadersWhereAskedTo(_ isAsked: Bool) async throws {
        try await done(["open", "s.store", "--service", service.root])
        service.setHeaders("Cache-Control: no-store\r\n")
        let option = isAsked ? ["--standard-cache-headers"] : []
        try await done(["get", "s.store", "Parts(1)"] + Self.fresh + option)
        let kept = try await run("policy", "show", "s.store").output
        #expect((kept == "no read is kept\n") == isAsked)
    }

    @Test func keepsThatStandardCacheHeadersCount() async throws {
        try await open("", settings: "\"usesStandardCacheHeaders\":true,")
        service.setHeaders("Cache-Control: no-store\r\n")
        try await done(["get", "s.store", "Parts(1)"] + Self.fresh)
        #expect(try await !run("policy", "show", "s.store").output.contains("Parts(1)"))
    }

    // MARK: Damage

    @Test func aDamagedConfigurationStopsChangesOnlyUntilItIsReplaced() async throws {
        try await open("\"updatePolicy\":\"QUEUE_IF_OFFLINE\"", byQuery: true)
        do {
            let file = try SQLiteConnection(path: scratch.path("s.store"), mode: .readWrite)
            try file.execute(
                #"UPDATE "$meta" SET "value" = '{' WHERE "key" = 'policyConfiguration'"#
            )
        }
        #expect(try await run("status", "s.store").status == 0)
        #expect(try await name(1) != "nothing")
        try scratch.write(
            #"{"requests":[{"id":"1","method":"DELETE","url":"Parts(1)"}]}"#,
            to: "batch.json"
        )
        for command in [["delete", "s.store", "Parts(1)"], ["batch", "s.store", "batch.json"]] {
            let refused = try await Tool.run(command, in: scratch)
            #expect(refused.status != 0, "\(command)")
            #expect(refused.errors.contains("cannot be read: line 1: "), "\(refused.errors)")
            #expect(refused.errors.contains("policy use"))
        }
        #expect(try await run("queue", "s.store").output == "nothing is waiting\n")
        try await use("{\"synchronization\":{}}")
        try await done(["delete", "s.store", "Parts(1)"])
    }

    // MARK: Comparing

    @Test func comparesReadsWithTheService() async throws {
        try await open("")
        let same = try await run("check", "s.store", "--against-service")
        #expect(same.untimed.output == "the same as the service: 3 entities, 0 s\n")
        #expect(service.takeAsked() == ["GET /Parts"])
        service.change(1, "theirs")
        service.change(2, nil)
        service.change(7, "new")
        let other = try await run("check", "s.store", "--against-service", "--json")
        #expect(other.status == 1)
        let kinds = try JSONValue(other.output)["differences"]?.items.compactMap {
            $0["kind"]?.text
        }
        #expect(kinds?.sorted() == ["'different'", "'extra'", "'missing'"])
    }
}
