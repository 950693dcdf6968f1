import Foundation
@testable import OfflinePolicies
import ODataHTTP
import OfflineOData
import TestSupport
import Testing

@testable import OfflineResources

/// What must not, or cannot, be kept.
@Suite struct UnstoredTests {
    private static let secret = "4929-1234-5678-9012"

    private static func card(_ headers: HTTPHeaders = [:]) -> HTTPResponse {
        LiteralService.json(
            """
            {"@odata.context":"http://service.localhost/odata/$metadata#Cards","value":[{"ID":1,"Name":"\(secret)"}]}
            """,
            headers
        )
    }

    private func expectNothingOnDisk(_ bench: PolicyBench) throws {
        #expect(try bench.bytesOnDisk().count > 10_000)
        #expect(try bench.bytesOnDisk().firstRange(of: Array(Self.secret.utf8)) == nil)
    }

    @Test func neverWritesResourcesWithNoCache() async throws {
        var configuration = BackendConfiguration()
        let pattern = try #require(PathPattern("/Cards/**"))
        configuration.policies = [
            PathPolicy(pattern: pattern, policy: ResourcePolicy(noCache: true))
        ]
        var options = PolicyEngineOptions()
        options.configuration = configuration
        let bench = try await PolicyBench(options) { _ in Self.card() }
        let answer = try await bench.engine.read("Cards")
        #expect(answer.entities?.first?["Name"] == .string(Self.secret))
        #expect(answer.origin.place == .service)
        #expect(answer.policy?.noCache == ResolvedPolicy(true, from: .path, pattern: "/Cards/**"))
        try expectNothingOnDisk(bench)
        bench.network.set(isReachable: false)
        #expect(try await bench.engine.read("Cards").entities == nil)
        #expect(try await bench.engine.storedResources().isEmpty)
    }

    /// What must not be stored is not stored inside of others, either, nor left where it was stored before.
    @Test func neverWritesEntitiesWithNoCacheInsideOfOthers() async throws {
        let bench = try await PolicyBench { _ in
            LiteralService.json(
                """
                {"@odata.context":"http://service.localhost/odata/$metadata#Items(Cards())","value":[
                {"ID":1,"Name":"a","Cards":[{"ID":9,"Name":"\(Self.secret)"}]}]}
                """
            )
        }
        _ = try await bench.engine.read("Items?$expand=Cards")
        var configuration = BackendConfiguration()
        let pattern = try #require(PathPattern("Cards/**"))
        configuration.policies = [
            PathPolicy(pattern: pattern, policy: ResourcePolicy(noCache: true))
        ]
        try await bench.engine.keep(configuration: configuration)
        try expectNothingOnDisk(bench)
        let answer = try await bench.engine.read("Items?$expand=Cards")
        #expect(answer.entities?.first?["Cards"]?.items?.count == 1)
        try expectNothingOnDisk(bench)
        _ = try await bench.engine.read("Items?$select=ID")
        #expect(try await bench.engine.storedResources().map(\.url) == ["Items?$select=ID"])
    }

    /// A logon page is no answer to a change.
    @Test func takesNoWebPageForAnAnswer() async throws {
        let bench = try await PolicyBench { _ in
            HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: [0x3C])
        }
        try await bench.engine.setPolicy(ResourcePolicy(noCache: true), for: "Cards(3)")
        let request = HTTPRequest(method: "DELETE", url: "Cards(3)")
        let error = await #expect(throws: OfflineODataError.self) {
            _ = try await bench.engine.sendPastStore(request)
        }
        #expect(error?.category == .communication)
        #expect(error?.message.contains("logon page") == true)
    }

    /// Nothing is sent that the metadata refuses.
    @Test(arguments: [#"{"Nope":1}"#, #"{"Name":7}"#])
    func checksWhatIsSentPastTheStore(_ body: String) async throws {
        let bench = try await PolicyBench { _ in HTTPResponse(status: 204) }
        try await bench.engine.setPolicy(ResourcePolicy(noCache: true), for: "Cards(3)")
        let request = HTTPRequest(method: "PATCH", url: "Cards(3)", body: Array(body.utf8))
        await #expect(throws: OfflineODataError.self) {
            _ = try await bench.engine.sendPastStore(request)
        }
        #expect(bench.service.asked.isEmpty)
    }

    /// The service gives the key.
    @Test func sendsACreationWithoutAKeyPastTheStore() async throws {
        let bench = try await PolicyBench { _ in
            LiteralService.json("{\"ID\":3,\"Name\":\"\(Self.secret)\"}", status: 201)
        }
        let options = ResourceChangeOptions(policy: ResourcePolicy(noCache: true))
        let card = EntityValue(entitySet: "Cards", ["Name": .string(Self.secret)])
        let created = try await bench.engine.create(card, options: options)
        #expect(created.state == .sent)
        #expect(created.entity?["ID"]?.integerValue == 3)
        #expect(bench.service.asked == ["POST Cards"])
        try expectNothingOnDisk(bench)
    }

    @Test func sendsChangesOfSuchResourcesPastTheStore() async throws {
        let bench = try await PolicyBench { request in
            request.method == "POST"
                ? LiteralService.json("{\"ID\":3,\"Name\":\"\(Self.secret)\"}", status: 201)
                : request.method == "DELETE" ? HTTPResponse(status: 412) : HTTPResponse(status: 204)
        }
        let options = ResourceChangeOptions(policy: ResourcePolicy(noCache: true))
        var card = EntityValue(entitySet: "Cards", ["ID": 3, "Name": .string(Self.secret)])
        let created = try await bench.engine.create(card, options: options)
        #expect(created.state == .sent)
        #expect(created.entity?["ID"]?.integerValue == 3)
        card["Note"] = .string(Self.secret)
        #expect(try await bench.engine.update(card, options: options).state == .sent)
        #expect(try await bench.engine.delete(card, options: options).state == .conflict)
        #expect(bench.service.asked == ["POST Cards", "PATCH Cards(3)", "DELETE Cards(3)"])
        try expectNothingOnDisk(bench)
        #expect(try await bench.provider.requestQueueIsEmpty())
        bench.network.set(isReachable: false)
        let waiting = card
        await #expect(throws: OfflineODataError.self) {
            try await bench.engine.update(waiting, options: options)
        }
        try expectNothingOnDisk(bench)
    }

    /// As after an upload: without the service's own error a status of the 500s may come from a gateway, after the change was made.
    @Test(arguments: [
        (500, false, true), (500, true, false), (501, false, true), (501, true, false),
        (502, true, true), (504, false, true), (507, false, true), (400, false, false),
    ])
    func doesNotKnowTheOutcomeWhereAnUploadDoesNot(
        _ status: Int,
        _ hasErrorBody: Bool,
        _ isOpen: Bool
    ) async throws {
        let error = #"{"error":{"code":"X","message":"no"}}"#
        let bench = try await PolicyBench { _ in
            hasErrorBody
                ? LiteralService.json(error, status: status) : HTTPResponse(status: status)
        }
        let options = ResourceChangeOptions(policy: ResourcePolicy(noCache: true))
        let card = EntityValue(entitySet: "Cards", ["ID": 3])
        do {
            let state = try await bench.engine.create(card, options: options).state
            #expect(!isOpen, "\(state)")
        } catch let error as OfflineODataError {
            #expect((error.code == .unknownOutcome) == isOpen, "\(error)")
        }
    }

    enum Change: CaseIterable { case update, delete }

    /// A change past the store is made on the version that was read, unless the client is to win.
    @Test(arguments: Change.allCases, [true, false])
    func overwritesOtherVersionsOnlyWhereTheClientWins(_ change: Change, _ wins: Bool) async throws
    {
        var configuration = BackendConfiguration()
        configuration.policies = [
            PathPolicy(
                pattern: try #require(PathPattern("/Items/**")),
                policy: ResourcePolicy(
                    conflictResolutionPolicy: wins ? .clientWins : .preserveConflict,
                    noCache: true
                )
            )
        ]
        var options = PolicyEngineOptions()
        options.configuration = configuration
        let items = VersionedItems()
        let bench = try await PolicyBench(options, items.answer)
        var item = try #require(try await bench.engine.read("Items(2)").entities?.first)
        items.change(2) { $0.note = "theirs" }
        item["Name"] = "mine"
        let result =
            switch change {
            case .update: try await bench.engine.update(item)
            case .delete: try await bench.engine.delete(item)
            }
        #expect(result.state == (wins ? .sent : .conflict))
        #expect(bench.transport.requests.last?.headers["If-Match"] == (wins ? "*" : "\"1\""))
    }

    @Test func neverWritesAnswersThatForbidIt() async throws {
        let bench = try await PolicyBench { _ in
            Self.card(["Oracle-Mobile-Sync-No-Store": "true"])
        }
        let answer = try await bench.engine.read("Cards")
        #expect(answer.entities?.first?["Name"] == .string(Self.secret))
        #expect(bench.service.asked.count == 1)
        try expectNothingOnDisk(bench)
        #expect(try await bench.engine.storedResources().isEmpty)
    }

    @Test func dropsTheCopyOfWhatMustNotBeStoredAnyMore() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        bench.service.set { _ in
            LiteralService.items([1], ["Oracle-Mobile-Sync-No-Store": "TRUE"])
        }
        #expect(try await bench.engine.read("Items").ids == [1])
        #expect(try await bench.provider.executeQuery("Items").isEmpty)
    }

    @Test(arguments: [true, false])
    func countsStandardHeadersOnlyWhereSwitchedOn(_ isOn: Bool) async throws {
        var options = PolicyEngineOptions()
        options.usesStandardCacheHeaders = isOn
        let bench = try await PolicyBench(options) { _ in
            LiteralService.items([1], ["Cache-Control": "no-store"])
        }
        _ = try await bench.engine.read("Items")
        #expect(try await bench.engine.storedResources().isEmpty == isOn)
    }

    /// A proxy may write a line of its own (RFC 9110 § 5.3).
    @Test func obeysCacheControlInSeveralLines() async throws {
        var options = PolicyEngineOptions()
        options.usesStandardCacheHeaders = true
        let bench = try await PolicyBench(options) { _ in
            LiteralService.items([1], ["Cache-Control": "public", "Cache-Control": "no-store"])
        }
        _ = try await bench.engine.read("Items")
        #expect(try await bench.engine.storedResources().isEmpty)
    }

    @Test func aCopyTakesThePlaceOfItsOwnOldOne() async throws {
        var options = PolicyEngineOptions()
        options.configuration = BackendConfiguration()
        options.configuration?.maxStoreSize = 1
        let name = String(repeating: "x", count: 600_000)
        let bench = try await PolicyBench(options) { _ in LiteralService.item(1, name: name) }
        for _ in 0..<2 {
            bench.clock.advance(1)
            _ = try await bench.engine.read("Items(1)")
            #expect(try await bench.engine.storedResource("Items(1)")?.fetched == bench.clock.now)
        }
    }

    @Test func storesNothingBeyondTheMaximum() async throws {
        var options = PolicyEngineOptions()
        var configuration = BackendConfiguration()
        configuration.maxStoreSize = 1
        options.configuration = configuration
        let bench = try await PolicyBench(options) { request in
            let isLarge = request.url.contains("Cards")
            return LiteralService.item(
                1,
                name: String(repeating: "x", count: isLarge ? 1 << 20 : 700_000)
            )
        }
        let large = try await bench.engine.read("Cards(1)")
        #expect(large.entity?["Name"]?.stringValue?.count == 1 << 20)
        #expect(try await bench.engine.storedResource("Cards(1)")?.fetched == nil)
        _ = try await bench.engine.read("Items(1)")
        #expect(try await bench.engine.storedResource("Items(1)")?.byteCount ?? 0 > 700_000)
        // The copy that is replaced makes room for its successor.
        _ = try await bench.engine.read("Items(1)")
        #expect(try await bench.engine.storedResource("Items(1)")?.fetched != nil)
    }

    private func cardsConfiguration() throws -> BackendConfiguration {
        var configuration = BackendConfiguration()
        let pattern = try #require(PathPattern("Cards/**"))
        configuration.policies = [
            PathPolicy(pattern: pattern, policy: ResourcePolicy(noCache: true))
        ]
        return configuration
    }

    private enum Wish: CaseIterable { case resource, configuration, start }

    @Test(arguments: ["short", "long"], Wish.allCases)
    private func wipesTheCopiesOfWhatMustNotBeStoredAnyMore(_ length: String, _ wish: Wish)
        async throws
    {
        // What is longer than a page of the file stands in pages of its own.
        let filler = length == "long" ? String(repeating: "x", count: 20_000) : ""
        let bench = try await PolicyBench { _ in
            LiteralService.json(
                """
                {"@odata.context":"http://service.localhost/odata/$metadata#Cards/$entity","ID":1,"Name":"\(filler)\(Self.secret)"}
                """
            )
        }
        _ = try await bench.engine.read("Cards(1)")
        #expect(try bench.bytesOnDisk().firstRange(of: Array(Self.secret.utf8)) != nil)
        let policy = ResourcePolicy(noCache: true)
        switch wish {
        case .resource:
            try await bench.engine.pin("Cards(1)", priority: .high)
            try await bench.engine.setPolicy(policy, for: "Cards(1)")
            #expect(try await bench.engine.storedResource("Cards(1)")?.pinPriority == .high)
            #expect(try await bench.engine.storedResource("Cards(1)")?.ownPolicy == policy)
        case .configuration:
            try await bench.engine.keep(configuration: cardsConfiguration())
        case .start:
            var options = PolicyEngineOptions()
            options.configuration = try cardsConfiguration()
            let other = try await PolicyBench(after: bench, options)
            try await other.engine.start()
        }
        #expect(try await bench.provider.executeQuery("Cards").isEmpty)
        try expectNothingOnDisk(bench)
    }

    @Test func wipesWhatWasCreatedHereOnceItIsUploaded() async throws {
        var options = PolicyEngineOptions()
        options.configuration = try cardsConfiguration()
        let bench = try await PolicyBench(options) { request in
            if request.url.hasSuffix("$batch") { return HTTPResponse(status: 501) }
            let set = request.url.hasSuffix("Cards") ? "Cards" : "Items"
            return LiteralService.json(
                "{\"ID\":3,\"Name\":\"\(Self.secret)\"}",
                ["Location": "http://service.localhost/odata/\(set)(3)"],
                status: 201
            )
        }
        let name = String(repeating: "x", count: 20_000) + Self.secret
        for set in ["Cards", "Items"] {
            try await bench.provider.createEntity(
                EntityValue(
                    entitySet: set,
                    ["ID": 3, "Name": .string(set == "Cards" ? name : "-")]
                )
            )
        }
        // Until then it stays.
        #expect(try await bench.engine.wipeUnstorable() == 0)
        #expect(try await bench.provider.executeQuery("Cards").count == 1)
        try await bench.provider.upload()
        #expect(try await bench.provider.executeQuery("Cards").isEmpty)
        #expect(try await bench.provider.executeQuery("Items").count == 1)
        try expectNothingOnDisk(bench)
    }

    @Test func keepsWhatDefiningQueriesBringOfSuchResources() async throws {
        var options = PolicyEngineOptions()
        options.configuration = try cardsConfiguration()
        let bench = try await PolicyBench(queries: ["Cards"], options) { _ in Self.card() }
        try await bench.engine.start()
        try await bench.provider.upload()
        #expect(try await bench.provider.executeQuery("Cards").count == 1)
    }
}
