import OfflineOData
import ODataHTTP
import Testing

/// Requests of one round that go out one by one: after what stops the service nothing more is sent, and nothing is in doubt.
@Suite struct SingleRoundTests {
    private func changed() async throws -> (RecordedService, OfflineODataProvider) {
        let clock = VirtualClock()
        let service = try RecordedService(metadata: PhotoModel.plain)
        service.set("GET Photos", RecordedService.json(#"{"value":[{"ID":1},{"ID":2},{"ID":3}]}"#))
        let provider = try await service.opened(["Photos"]) { $0.retryPolicy = clock.policy }
        for photo in try await provider.executeQuery("Photos?$orderby=ID") {
            try await provider.uploadMedia(of: photo, content: [1], contentType: "image/png")
        }
        for id in 1...3 {
            service.set("PUT Photos(\(id))/$value", HTTPResponse(status: 204))
        }
        service.clearLog()
        return (service, provider)
    }

    private func standing(_ provider: OfflineODataProvider) async throws -> [String] {
        try await (provider.requestQueue() + provider.errorArchive()).map {
            "\($0.id) \($0.status.rawValue)"
        }
    }

    /// What the second of three is answered, and where the three stand then.
    @Test(
        arguments: [
            (401, ["2 pending", "3 pending"]), (307, ["2 pending", "3 pending"]),
            (400, ["2 failed"]),
            (204, []),
        ] as [(Int, [String])]
    )
    func stopsWhereTheServiceStops(_ status: Int, _ expected: [String]) async throws {
        let (service, provider) = try await changed()
        service.set("PUT Photos(2)/$value", HTTPResponse(status: status))
        let isStopped = expected.count > 1
        do {
            _ = try await provider.upload()
            #expect(!isStopped)
        } catch is OfflineODataError {
            #expect(isStopped)
        }
        #expect(try await standing(provider) == expected)
        #expect(service.requests.contains("PUT Photos(3)/$value") == !isStopped)
    }

    /// An answer that did not come leaves its own request in doubt, not the ones behind it.
    @Test(arguments: 1...3)
    func leavesOnlyTheLostOneInDoubt(_ lost: Int) async throws {
        let (service, provider) = try await changed()
        service.set("PUT Photos(\(lost))/$value", RecordedService.lost)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        let behind = (1...3).filter { $0 > lost }
        #expect(
            try await standing(provider) == ["\(lost) sending"] + behind.map { "\($0) pending" }
        )
        #expect(
            !service.requests.contains { request in
                behind.contains { request == "PUT Photos(\($0))/$value" }
            }
        )
    }

    /// Streams are too large for batches: one goes by itself, after the batch of what is ready with it.
    @Test func sendsAStreamBesidesABatch() async throws {
        let service = try RecordedService(metadata: PhotoModel.plain)
        service.set("GET Photos", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        let provider = try await service.opened(["Photos"])
        let photo = try #require(try await provider.executeQuery("Photos(1)").first)
        try await provider.uploadMedia(of: photo, content: [1], contentType: "image/png")
        try await provider.send("DELETE", "Photos(2)")
        service.set("PUT Photos(1)/$value", HTTPResponse(status: 204))
        let answer = "--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No\r\n\r\n\r\n--r--"
        service.set(
            "POST $batch",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array(answer.utf8)
            )
        )
        service.clearLog()
        #expect(try await provider.upload().succeededCount == 2)
        let changes = service.requests.filter { !$0.hasPrefix("GET") }
        #expect(changes == ["POST $batch", "PUT Photos(1)/$value"])
        let batch = try #require(service.bodies(of: "POST $batch").first)
        #expect(batch.contains("DELETE Photos(2)") && !batch.contains("Photos(1)"))
    }
}
