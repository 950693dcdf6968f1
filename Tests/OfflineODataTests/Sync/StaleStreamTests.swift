import OfflineOData
import ODataHTTP
import Testing

/// Streams that the store holds for a query that does not want them all.
@Suite struct StaleStreamTests {
    private static func photos(_ etag: String) -> HTTPResponse {
        RecordedService.json(
            #"{"value":[{"ID":1,"@odata.mediaEtag":"\"\#(etag)\""},{"ID":2,"@odata.mediaEtag":"\"\#(etag)\""}]}"#
        )
    }

    private static func content(_ bytes: [UInt8], _ etag: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "image/png", "ETag": "\"\(etag)\""],
            body: bytes
        )
    }

    private func bytes(_ provider: OfflineODataProvider) async throws -> [UInt8] {
        guard let stream = try await provider.stream("Photos(1)/$value") else { return [] }
        var all: [UInt8] = []
        for try await piece in stream { all += piece }
        return all
    }

    /// Only what the store holds is brought again, and only where its ETag is another one.
    @Test func bringsAStreamAgainWhoseETagHasChanged() async throws {
        let service = try RecordedService(metadata: PhotoModel.plain)
        service.set("GET Photos", Self.photos("v1"))
        service.set("GET Photos(1)/$value", Self.content([1], "v1"))
        let provider = try await service.opened(["Photos"])
        try await provider.retrieveMedia(of: "Photos(1)")
        #expect(try await bytes(provider) == [1])
        service.clearLog()
        try await provider.download()
        #expect(!service.requests.contains("GET Photos(1)/$value"))
        service.set("GET Photos", Self.photos("v2"))
        service.set("GET Photos(1)/$value", Self.content([2], "v2"))
        service.clearLog()
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Photos", "GET Photos(1)/$value"])
        #expect(try await bytes(provider) == [2])
    }

    /// What the service does not give any more is not shown as its content.
    @Test(arguments: [404, 403])
    func forgetsAStreamThatTheServiceDoesNotGiveAnyMore(_ status: Int) async throws {
        let service = try RecordedService(metadata: PhotoModel.plain)
        service.set("GET Photos", Self.photos("v1"))
        service.set("GET Photos(1)/$value", Self.content([1], "v1"))
        let provider = try await service.opened(["Photos"])
        try await provider.retrieveMedia(of: "Photos(1)")
        service.set("GET Photos", Self.photos("v2"))
        service.set("GET Photos(1)/$value", HTTPResponse(status: status))
        try await provider.download()
        #expect(try await bytes(provider).isEmpty)
    }

    /// Where the service states no ETag beside the entity, the stream of an entity that has changed is asked for under its own.
    @Test func asksForTheStreamOfAChangedEntityWithoutAnETag() async throws {
        let service = try RecordedService(
            metadata: PhotoModel.plain.replacing(
                "</EntityType>",
                with: #"<Property Name="Name" Type="Edm.String"/></EntityType>"#
            )
        )
        func photos(_ name: String) -> HTTPResponse {
            RecordedService.json("{\"value\":[{\"ID\":1,\"Name\":\"\(name)\"},{\"ID\":2}]}")
        }
        service.set("GET Photos", photos("a"))
        service.set("GET Photos(1)/$value", Self.content([1], "v1"))
        let provider = try await service.opened(["Photos"])
        try await provider.retrieveMedia(of: "Photos(1)")
        service.set("GET Photos", photos("b"))
        service.set("GET Photos(1)/$value", Self.content([2], "v2"))
        service.clearLog()
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Photos", "GET Photos(1)/$value"])
        #expect(service.log.last?.headers["If-None-Match"] == "\"v1\"")
        #expect(try await bytes(provider) == [2])
    }
}
