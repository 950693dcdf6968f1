import ODataHTTP
import OfflineOData
import Testing

/// Services without ETags: what somebody else has written is not written over where it was seen.
@Suite struct SeenConflictTests {
    private static func order(_ id: Int, _ title: String) -> String {
        "{\"ID\":\(id),\"Title\":\"\(title)\"}"
    }

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        let orders = (1...3).map { Self.order($0, "base") }.joined(separator: ",")
        service.set("GET Orders", RecordedService.json("{\"value\":[\(orders)]}"))
        let provider = try await service.opened(["Orders"])
        service.set("POST $batch", HTTPResponse(status: 404))
        return (service, provider)
    }

    /// The first entity of the set is read for its ETag; the others are read for the conflict that the download has told.
    @Test(arguments: [("PATCH", #"{"Title":"mine"}"#), ("DELETE", "")])
    func readsWhatADownloadHasSeenInConflict(_ method: String, _ body: String) async throws {
        let (service, provider) = try await opened()
        for id in 1...3 { try await provider.send(method, "Orders(\(id))", body) }
        let theirs = [Self.order(1, "base"), Self.order(2, "theirs"), Self.order(3, "base")]
        service.set(
            "GET Orders",
            RecordedService.json("{\"value\":[\(theirs.joined(separator: ","))]}")
        )
        try await provider.download()
        for id in 1...3 {
            service.set("GET Orders(\(id))", RecordedService.json(theirs[id - 1]))
            service.set("\(method) Orders(\(id))", HTTPResponse(status: 204))
        }
        service.clearLog()
        let result = try await provider.upload()
        #expect([result.succeededCount, result.failedCount] == [2, 1])
        #expect(!service.requests.contains("\(method) Orders(2)"))
        #expect(try await provider.errorArchive().map(\.id) == [2])
        let message = try await provider.errorArchive().first?.failure?.message
        #expect(message?.hasPrefix("it was not sent, since a read has shown another") == true)
    }

    @Test func tellsADeletedEntityFromAChangedOne() async throws {
        let (service, provider) = try await opened()
        for id in 1...2 { try await provider.send("PATCH", "Orders(\(id))", #"{"Title":"mine"}"#) }
        service.set("GET Orders(1)", HTTPResponse(status: 404))
        let theirs = [Self.order(2, "theirs"), Self.order(3, "base")].joined(separator: ",")
        service.set("GET Orders", RecordedService.json("{\"value\":[\(theirs)]}"))
        try await provider.download()
        let gone = try await provider.conflict(for: "Orders(1)")
        #expect(gone.isDeletedAtService && gone.server == nil)
        let changed = try await provider.conflict(for: "Orders(2)")
        #expect(!changed.isDeletedAtService && changed.server?["Title"] == "theirs")
        #expect(try await !provider.conflict(for: "Orders(3)").isDeletedAtService)
    }

    /// The answer is lost; the look at the entity shows what somebody else has made of it since.
    @Test(arguments: [
        ("PATCH", #"{"Title":"mine"}"#, "theirs", 1), ("DELETE", "", "theirs", 1),
        ("PATCH", #"{"Title":"mine"}"#, "base", 0), ("DELETE", "", "base", 0),
    ])
    func isInConflictWithWhatOthersHaveWritten(
        _ method: String,
        _ body: String,
        _ found: String,
        _ conflict: Int
    ) async throws {
        let (service, provider) = try await opened()
        try await provider.send(method, "Orders(1)", body)
        service.set("GET Orders(1)", RecordedService.json(Self.order(1, "base")))
        service.set("\(method) Orders(1)", RecordedService.lost)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        service.set("GET Orders(1)", RecordedService.json(Self.order(1, found)))
        service.set("\(method) Orders(1)", HTTPResponse(status: 204))
        service.clearLog()
        let result = try await provider.upload()
        #expect([result.failedCount, result.succeededCount] == [conflict, 1 - conflict])
        #expect(service.requests.contains("\(method) Orders(1)") == (conflict == 0))
    }

    /// Only the ETag has moved, which a download takes over: a person still decides about what was refused before.
    @Test(arguments: [OfflineODataConflictSide.local, .server])
    func canBeDecidedAfterADownload(_ side: OfflineODataConflictSide) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        func answer(_ version: Int) -> String {
            "{\"@odata.etag\":\"W/\\\"\(version)\\\"\",\"ID\":1,\"Title\":\"base\"}"
        }
        service.set("GET Orders", RecordedService.json("{\"value\":[\(answer(1))]}"))
        let provider = try await service.opened(["Orders"])
        service.set("POST $batch", HTTPResponse(status: 404))
        try await provider.send("DELETE", "Orders(1)")
        service.set("DELETE Orders(1)", HTTPResponse(status: 412))
        service.set("GET Orders(1)", RecordedService.json(answer(2)))
        #expect(try await provider.upload().failedCount == 1)
        service.set("GET Orders", RecordedService.json("{\"value\":[\(answer(2))]}"))
        try await provider.download()
        try await provider.resolveConflict("Orders(1)", with: side)
        #expect(try await provider.errorArchive().isEmpty)
        service.set("DELETE Orders(1)", HTTPResponse(status: 204))
        service.clearLog()
        let result = try await provider.upload()
        let isLocal = if case .local = side { true } else { false }
        #expect(result.succeededCount == (isLocal ? 1 : 0))
        let sent = service.log.filter { $0.method == "DELETE" }
        #expect(sent.map { $0.headers["If-Match"] } == (isLocal ? ["W/\"2\""] : []))
        #expect(try await provider.executeQuery("Orders").count == (isLocal ? 0 : 1))
    }
}
