import OfflineOData
import ODataHTTP
import Testing

/// Updates that a read has to tell about: their answer was lost, or they were refused for an ETag.
@Suite struct LostUpdateTests {
    private static func order(_ id: Int, _ etag: Int, _ title: String, _ note: String) -> String {
        "{\"@odata.etag\":\"W/\\\"\(etag)\\\"\",\"ID\":\(id),\"Title\":\"\(title)\",\"Note\":\"\(note)\"}"
    }

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        let rows = (1...2).map { Self.order($0, 1, "a", "n") }.joined(separator: ",")
        service.set("GET Orders", RecordedService.json("{\"value\":[\(rows)]}"))
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":10,"Name":"i"}]}"#))
        let provider = try await service.opened(["Orders", "Items"])
        service.clearLog()
        return (service, provider)
    }

    private func patch(
        _ provider: OfflineODataProvider,
        _ url: String,
        _ body: String,
        transaction: String? = nil
    ) async throws {
        let options = OfflineODataRequestOptions()
        options.transactionID = transaction
        let request = HTTPRequest(
            method: "PATCH",
            url: url,
            headers: ["Content-Type": "application/json"],
            body: Array(body.utf8)
        )
        let answer = await provider.respond(to: request, options: options)
        try #require(answer.isSuccess)
    }

    private func statuses(_ provider: OfflineODataProvider) async throws -> [String] {
        try await provider.requestQueue().map(\.status.rawValue)
    }

    /// One of the values may be there since somebody else has written it: then it is a conflict, whatever has become of the request.
    @Test(
        arguments: [("mine", "theirs", 1), ("theirs", "mine", 1), ("mine", "mine", 0)]
    )
    func isCarriedOutWhereEveryValueIsThere(
        _ title: String,
        _ note: String,
        _ conflictCount: Int
    ) async throws {
        let (service, provider) = try await opened()
        try await patch(provider, "Orders(1)", #"{"Title":"mine","Note":"mine"}"#)
        service.set("POST $batch", RecordedService.lost)
        _ = try? await provider.upload()
        service.set("GET Orders(1)", RecordedService.json(Self.order(1, 2, title, note)))
        #expect(try await provider.upload().failedCount == conflictCount)
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.errorArchive().count == conflictCount)
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        #expect(order.hasConflict == (conflictCount == 1))
        #expect(service.requests.count { $0 == "POST $batch" } == 1)
        guard conflictCount == 1 else { return }
        #expect(try await provider.conflict(for: "Orders(1)").server?["Note"] == .string(note))
        try await provider.resolveConflict("Orders(1)", with: .server)
        #expect(
            try await provider.executeQuery("Orders(1)").first?["Title"] == .string(title)
        )
    }

    /// A read of the entity does not show its relations: they are asked for.
    @Test(arguments: [
        (#"{"Items@odata.bind":["Items(10)"]}"#, "a"),
        (#"{"Title":"mine","Items@odata.bind":["Items(10)"]}"#, "mine"),
    ])
    func isCarriedOutWhereTheEntityIsBound(_ body: String, _ title: String) async throws {
        let (service, provider) = try await opened()
        try await patch(provider, "Orders(1)", body)
        service.set("POST $batch", RecordedService.lost)
        _ = try? await provider.upload()
        service.set("GET Orders(1)", RecordedService.json(Self.order(1, 2, title, "n")))
        service.set("GET Orders(1)/Items(10)", RecordedService.json(#"{"ID":10,"Name":"i"}"#))
        #expect(try await provider.upload().failedCount == 0)
        #expect(service.requests.count { $0 == "POST $batch" } == 1)
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.errorArchive().isEmpty)
    }

    @Test func isSentAgainWhereTheEntityIsNotBound() async throws {
        let (service, provider) = try await opened()
        try await patch(provider, "Orders(1)", #"{"Items@odata.bind":["Items(10)"]}"#)
        service.set("POST $batch", RecordedService.lost)
        _ = try? await provider.upload()
        service.set("GET Orders(1)", RecordedService.json(Self.order(1, 1, "a", "n")))
        service.set("GET Orders(1)/Items(10)", HTTPResponse(status: 404))
        _ = try? await provider.upload()
        #expect(service.requests.count { $0 == "POST $batch" } == 2)
    }

    /// What takes effect together waits together.
    @Test func parksAChangeSetBehindItsMemberInConflict() async throws {
        let (service, provider) = try await opened()
        try await patch(provider, "Orders(1)", #"{"Title":"mine"}"#, transaction: "t")
        try await patch(provider, "Orders(2)", #"{"Title":"mine"}"#, transaction: "t")
        service.set("POST $batch", RecordedService.lost)
        _ = try? await provider.upload()
        service.set("GET Orders(1)", RecordedService.json(Self.order(1, 1, "a", "n")))
        service.set("GET Orders(2)", RecordedService.json(Self.order(2, 2, "theirs", "n")))
        _ = try await provider.upload()
        #expect(try await statuses(provider) == ["parked"])
        #expect(try await provider.errorArchive().map(\.url) == ["Orders(2)"])
        #expect(service.requests.count { $0 == "POST $batch" } == 1)
    }

    /// What the service has set in an entity created here is no change of somebody else's.
    @Test func isSentAgainOverValuesThatNoDownloadHasShown() async throws {
        let (service, provider) = try await opened()
        service.set("POST $batch", HTTPResponse(status: 404))
        try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["ID": 5, "Title": "new"])
        )
        service.set(
            "POST Orders",
            HTTPResponse(
                status: 204,
                headers: ["ETag": "W/\"1\"", "OData-EntityId": "Orders(5)"]
            )
        )
        try await provider.upload()
        try await patch(provider, "Orders(5)", #"{"Title":"mine"}"#)
        service.set(
            "PATCH Orders(5)",
            HTTPResponse(status: 412),
            HTTPResponse(status: 204, headers: ["ETag": "W/\"3\""])
        )
        service.set("GET Orders(5)", RecordedService.json(Self.order(5, 2, "new", "computed")))
        #expect(try await provider.upload().succeededCount == 1)
        let sent = service.log.filter { $0.method == "PATCH" }
        #expect(sent.map { $0.headers["If-Match"] } == ["W/\"1\"", "W/\"2\""])
    }

    /// A read shows values, not what a reference has led to.
    @Test func isNotDoneForItsValuesWhereItBindsToo() async throws {
        let (service, provider) = try await opened()
        try await patch(
            provider,
            "Orders(1)",
            #"{"Title":"mine","Items@odata.bind":["Items(10)"]}"#
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set(
            "PATCH Orders(1)",
            HTTPResponse(status: 412),
            HTTPResponse(status: 204, headers: ["ETag": "W/\"3\""])
        )
        service.set("GET Orders(1)", RecordedService.json(Self.order(1, 2, "mine", "n")))
        #expect(try await provider.upload().succeededCount == 1)
        let sent = service.log.filter { $0.method == "PATCH" }
        #expect(sent.map { $0.headers["If-Match"] } == ["W/\"1\"", "W/\"2\""])
    }

    // MARK: Later changes

    /// What others have written since the lost request is not written over by the change that waits behind it.
    @Test(arguments: [("n", true), ("theirs", false)])
    func doesNotWriteOverWhatCameSince(_ note: String, _ isSent: Bool) async throws {
        let (service, provider) = try await opened()
        try await patch(provider, "Orders(1)", #"{"Title":"mine"}"#)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Orders(1)", RecordedService.lost)
        _ = try? await provider.upload()
        try await patch(provider, "Orders(1)", #"{"Note":"mine"}"#)
        service.set("GET Orders(1)", RecordedService.json(Self.order(1, 2, "mine", note)))
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        service.clearLog()
        _ = try await provider.upload()
        #expect(service.bodies(of: "PATCH Orders(1)") == (isSent ? [#"{"Note":"mine"}"#] : []))
        #expect(try await provider.errorArchive().count == (isSent ? 0 : 1))
    }

    /// The same where a refusal for the ETag shows that the first of two changes is there already.
    @Test(arguments: [("n", true), ("theirs", false)])
    func doesNotWriteOverWhatARefusalShows(_ note: String, _ isSent: Bool) async throws {
        let (service, provider) = try await opened()
        try await patch(provider, "Orders(1)", #"{"Title":"mine"}"#)
        try await patch(provider, "Orders(1)", #"{"Note":"mine"}"#)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Orders(1)", HTTPResponse(status: 412), HTTPResponse(status: 204))
        service.set("GET Orders(1)", RecordedService.json(Self.order(1, 2, "mine", note)))
        _ = try await provider.upload()
        let bodies = service.bodies(of: "PATCH Orders(1)")
        #expect(bodies.contains(#"{"Note":"mine"}"#) == isSent)
        #expect(try await provider.errorArchive().count == (isSent ? 0 : 1))
    }

    /// The same behind a creation.
    @Test(arguments: [("null", true), ("\"theirs\"", false)])
    func doesNotWriteOverWhatCameSinceALostCreation(_ note: String, _ isSent: Bool) async throws {
        let (service, provider) = try await opened()
        try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["ID": .integer(7), "Title": "new"])
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("POST Orders", RecordedService.lost)
        _ = try? await provider.upload()
        try await patch(provider, "Orders(7)", #"{"Note":"mine"}"#)
        service.set(
            "GET Orders(7)",
            RecordedService.json(
                "{\"@odata.etag\":\"\\\"2\\\"\",\"ID\":7,\"Title\":\"new\",\"Note\":\(note)}"
            )
        )
        service.set("PATCH Orders(7)", HTTPResponse(status: 204))
        _ = try await provider.upload()
        #expect(service.bodies(of: "PATCH Orders(7)") == (isSent ? [#"{"Note":"mine"}"#] : []))
        #expect(try await provider.errorArchive().count == (isSent ? 0 : 1))
    }
}
