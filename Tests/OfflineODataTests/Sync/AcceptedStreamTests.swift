import ODataHTTP
import OfflineOData
import Testing

/// Streams that the service answers later (202, OData 4.01 Part 1 § 11.6): "accepted" is no empty content.
@Suite struct AcceptedStreamTests {
    private let clock = VirtualClock()

    private static func content(_ text: String, _ fields: HTTPHeaders = [:]) -> HTTPResponse {
        var headers = fields
        headers["Content-Type"] = "text/plain"
        return HTTPResponse(status: 200, headers: headers, body: Array(text.utf8))
    }

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: PhotoModel.document)
        service.set("GET Photos", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        service.set("GET Photos(1)/$value", Self.content("old"))
        let provider = try await service.openedWithPhotos { [clock] in
            $0.retryPolicy = clock.policy
        }
        #expect(try await text(provider) == "old")
        return (service, provider)
    }

    private func text(_ provider: OfflineODataProvider) async throws -> String {
        let stream = try #require(try await provider.stream("Photos(1)/$value"))
        var bytes: [UInt8] = []
        for try await piece in stream { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func areWaitedFor() async throws {
        let (service, provider) = try await opened()
        service.set(
            "GET Photos(1)/$value",
            HTTPResponse(
                status: 202,
                headers: ["Location": service.root + "job", "Retry-After": "1"]
            )
        )
        service.set("GET job", Self.content("new", ["AsyncResult": "200"]))
        try await provider.download()
        #expect(try await text(provider) == "new")
    }

    @Test func areKeptWhereTheServiceDoesNotSayWhereTheAnswerComes() async throws {
        let (service, provider) = try await opened()
        service.set("GET Photos(1)/$value", HTTPResponse(status: 202))
        let error = await #expect(throws: OfflineODataError.self) { try await provider.download() }
        #expect(error?.message.contains("answered 202 to GET") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("does not say where its answer comes") == true)
        #expect(try await text(provider) == "old")
    }
}
