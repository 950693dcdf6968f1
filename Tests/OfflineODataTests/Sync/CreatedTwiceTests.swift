import OfflineOData
import OfflineStore
import ODataHTTP
import Testing

/// Creations of an entity that somebody else has created at the service in the meantime, with the same key.
///
/// The service is asked and answers with bytes that are written here.
@Suite struct CreatedTwiceTests {
    private static let theirs =
        #"{"@odata.etag":"W/\"7\"","ID":5,"Title":"theirs","Note":"kept"}"#
    private static let refusal = #"{"error":{"code":"dup","message":"there already"}}"#

    /// A store with a refused creation of `Orders(5)`, and its service, which sees each request by itself.
    private func refused(
        _ status: Int = 409,
        _ given: KeyValuePairs<String, ODataValue> = ["ID": 5, "Title": "mine"]
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        service.set("GET Items", RecordedService.json(#"{"value":[]}"#))
        service.set("POST Orders", RecordedService.json(Self.refusal, status: status))
        service.set("GET Orders(5)", RecordedService.json(Self.theirs))
        let provider = try await service.opened(["Orders", "Items"])
        service.clearLog()
        try await provider.createEntity(EntityValue(entitySet: "Orders", given))
        return (service, provider)
    }

    private func text(_ provider: OfflineODataProvider, _ property: String) async throws -> String?
    {
        try await provider.executeQuery("Orders(5)").first?[property]?.stringValue
    }

    /// A status says little: what tells is whether the entity is there.
    @Test(arguments: [400, 403, 409, 412, 422, 500])
    func readsWhatStandsInTheWay(_ status: Int) async throws {
        let (service, provider) = try await refused(status)
        #expect(try await provider.upload().failedCount == 1)
        #expect(service.requests.suffix(2) == ["POST Orders", "GET Orders(5)"])
        let order = try #require(try await provider.executeQuery("Orders(5)").first)
        #expect(order.hasConflict && order.inErrorState)
        let conflict = try await provider.versions(of: "Orders(5)")
        #expect(conflict.base == nil)
        #expect(conflict.server?.contains("theirs") == true)
    }

    @Test func leavesARefusedCreationThatStandsAloneAsItIs() async throws {
        let (service, provider) = try await refused(400)
        service.set("GET Orders(5)", HTTPResponse(status: 404))
        #expect(try await provider.upload().failedCount == 1)
        let order = try #require(try await provider.executeQuery("Orders(5)").first)
        #expect(order.inErrorState && !order.hasConflict)
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [400])
    }

    @Test func asksNothingWhereTheServiceGivesTheKey() async throws {
        let (service, provider) = try await refused(409, ["Title": "mine"])
        #expect(try await provider.upload().failedCount == 1)
        #expect(service.requests.last == "POST Orders")
    }

    @Test func insistsByAChangeOfTheirs() async throws {
        let (service, provider) = try await refused()
        try await provider.upload()
        try await provider.resolveConflict("Orders(5)", with: .local)
        #expect(try await text(provider, "Title") == "mine")
        #expect(try await text(provider, "Note") == "kept")
        let waiting = try await provider.requestQueue()
        #expect(waiting.map(\.method) == ["PATCH"])
        #expect(waiting.map(\.url) == ["Orders(5)"])
        service.set("PATCH Orders(5)", HTTPResponse(status: 204, headers: ["ETag": "W/\"8\""]))
        service.clearLog()
        #expect(try await provider.upload().succeededCount == 1)
        let sent = try #require(service.log.last)
        #expect(sent.method == "PATCH" && sent.url.hasSuffix("/Orders(5)"))
        #expect(sent.headers["If-Match"] == "W/\"7\"")
        #expect(String(decoding: sent.body, as: UTF8.self) == #"{"Title":"mine"}"#)
        let order = try #require(try await provider.executeQuery("Orders(5)").first)
        #expect(!order.hasPendingChanges && !order.hasConflict && !order.inErrorState)
    }

    /// What was created here is no version of the service, whatever was changed since.
    @Test func showsNoVersionThatTheServiceNeverHad() async throws {
        let (_, provider) = try await refused()
        var order = try #require(try await provider.executeQuery("Orders(5)").first)
        order["Title"] = "changed"
        try await provider.updateEntity(order)
        try await provider.upload()
        let conflict = try await provider.conflict(for: "Orders(5)")
        #expect(conflict.base == nil)
        #expect(conflict.local?["Title"]?.stringValue == "changed")
        #expect(conflict.server?["Title"]?.stringValue == "theirs")
    }

    @Test func sendsFurtherValuesOfAMerge() async throws {
        let (service, provider) = try await refused()
        try await provider.upload()
        let request = try #require(try await provider.errorArchive().first)
        try await provider.resolveConflict(
            "ErrorArchive(\(request.id))/AffectedEntity",
            with: .merge(body: #"{"Note":"both"}"#)
        )
        #expect(try await text(provider, "Note") == "both")
        service.set("PATCH Orders(5)", HTTPResponse(status: 204))
        service.set(
            "GET Orders(5)",
            RecordedService.json(Self.theirs.replacing("theirs", with: "mine"))
        )
        try await provider.upload()
        let bodies = service.bodies(of: "PATCH Orders(5)")
        #expect(bodies == [#"{"Title":"mine","Note":"both"}"#])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// Taken back afterwards, the entity is theirs.
    @Test func isTheirsWhereTheChangeIsTakenBack() async throws {
        let (_, provider) = try await refused()
        try await provider.upload()
        try await provider.resolveConflict("Orders(5)", with: .local)
        try await provider.undoAllPendingChanges()
        #expect(try await text(provider, "Title") == "theirs")
        #expect(try await text(provider, "Note") == "kept")
        let order = try #require(try await provider.executeQuery("Orders(5)").first)
        #expect(!order.hasPendingChanges && !order.isLocal)
    }

    /// What was changed since goes after it, and what hangs on it keeps its place.
    @Test func letsLaterRequestsFollow() async throws {
        let (service, provider) = try await refused()
        try await provider.upload()
        var order = try #require(try await provider.executeQuery("Orders(5)").first)
        try await provider.createRelatedEntity(
            EntityValue(entitySet: "Items", ["ID": 1, "Name": "bolt"]),
            in: order,
            property: "Items"
        )
        #expect(try await provider.requestQueue().map(\.status) == [.parked])
        try await provider.resolveConflict("Orders(5)", with: .local)
        order = try #require(try await provider.executeQuery("Orders(5)").first)
        order["Note"] = "later"
        try await provider.updateEntity(order)
        service.set("PATCH Orders(5)", HTTPResponse(status: 204, headers: ["ETag": "W/\"8\""]))
        service.set(
            "POST Orders(5)/Items",
            RecordedService.json(#"{"ID":1,"Name":"bolt"}"#, status: 201)
        )
        service.clearLog()
        try await provider.upload()
        let writes = service.requests.filter { !$0.hasPrefix("GET") && !$0.hasSuffix("$batch") }
        #expect(writes.sorted() == ["PATCH Orders(5)", "PATCH Orders(5)", "POST Orders(5)/Items"])
        #expect(writes.first == "PATCH Orders(5)")
        #expect(try await text(provider, "Note") == "later")
    }

    /// The conflict is known from a download, and nothing was sent before.
    @Test func insistsBeforeAnythingWasSent() async throws {
        let (service, provider) = try await refused()
        service.set("GET Orders", RecordedService.json("{\"value\":[\(Self.theirs)]}"))
        try await provider.download()
        #expect(try await provider.executeQuery("Orders(5)").first?.hasConflict == true)
        try await provider.resolveConflict("Orders(5)", with: .local)
        service.set("PATCH Orders(5)", HTTPResponse(status: 204, headers: ["ETag": "W/\"8\""]))
        service.clearLog()
        #expect(try await provider.upload().succeededCount == 1)
        #expect(!service.requests.contains("POST Orders"))
        let mine = Self.theirs.replacing("theirs", with: "mine").replacing(
            "W/\\\"7",
            with: "W/\\\"8"
        )
        service.set("GET Orders", RecordedService.json("{\"value\":[\(mine)]}"))
        try await provider.download()
        let all = try await provider.executeQuery("Orders")
        #expect(all.map { $0["Title"]?.stringValue } == ["mine"])
        #expect(all.first?.isLocal == false)
    }

    /// An upsert that was to create and nothing else loses its condition with it.
    @Test func insistsOnAnUpsert() async throws {
        let (service, provider) = try await refused()
        try await provider.undoAllPendingChanges()
        let upsert = HTTPRequest(
            method: "PATCH",
            url: "Orders(5)",
            headers: ["Content-Type": "application/json", "If-None-Match": "*"],
            body: Array(#"{"Title":"mine"}"#.utf8)
        )
        #expect(await provider.respond(to: upsert).status == 201)
        service.set("PATCH Orders(5)", RecordedService.json(Self.refusal, status: 412))
        #expect(try await provider.upload().failedCount == 1)
        try await provider.resolveConflict("Orders(5)", with: .local)
        service.set("PATCH Orders(5)", HTTPResponse(status: 204, headers: ["ETag": "W/\"8\""]))
        #expect(try await provider.upload().succeededCount == 1)
        let sent = try #require(service.log.last)
        #expect(sent.headers["If-Match"] == "W/\"7\"")
        #expect(sent.headers["If-None-Match"] == nil)
        #expect(String(decoding: sent.body, as: UTF8.self) == #"{"Title":"mine"}"#)
    }

    /// The answer was lost, and what stands there is not what was sent.
    @Test func insistsWhereTheOutcomeIsUnknown() async throws {
        let (service, provider) = try await refused()
        service.set("POST Orders", RecordedService.lost)
        _ = try? await provider.upload()
        try await provider.upload()
        #expect(try await provider.requestQueue().map(\.status) == [.unknownOutcome])
        await #expect(throws: OfflineODataError.self) {
            try await provider.resolveConflict("Orders(5)", with: .local)
        }
        try await provider.resolveConflict("Orders(5)", with: .local, includingUnknownOutcome: true)
        service.set("PATCH Orders(5)", HTTPResponse(status: 204, headers: ["ETag": "W/\"8\""]))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(service.bodies(of: "PATCH Orders(5)") == [#"{"Title":"mine"}"#])
    }

    @Test func refusesToInsistOnSeveralCreationsAtOnce() async throws {
        let (_, provider) = try await refused()
        try await provider.undoAllPendingChanges()
        let answer = await provider.respond(
            to: HTTPRequest(
                method: "POST",
                url: "Orders",
                headers: ["Content-Type": "application/json"],
                body: Array(#"{"ID":5,"Title":"mine","Items":[{"ID":1}]}"#.utf8)
            )
        )
        #expect(answer.status == 201)
        try await provider.upload()
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.resolveConflict("Orders(5)", with: .local)
        }
        #expect(error?.message.contains("creates more than the entity") == true)
        #expect(try await provider.errorArchive().map(\.method) == ["POST"])
        #expect(try await text(provider, "Title") == "mine")
    }

    @Test func letsTheirsStand() async throws {
        let (service, provider) = try await refused()
        service.set("GET Orders", RecordedService.json("{\"value\":[\(Self.theirs)]}"))
        try await provider.upload()
        try await provider.download()
        try await provider.resolveConflict("Orders(5)", with: .server)
        #expect(try await text(provider, "Title") == "theirs")
        #expect(try await provider.requestQueueIsEmpty())
    }
}
