import ODataHTTP
import OfflineOData
import Testing

/// The media ETags that a service states with its entities (OData JSON 4.01 § 4.6.14): a change of a stream is made on them, whatever the
/// answers with the bytes say.
@Suite struct StatedStreamETagTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Doc" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Body" Type="Edm.Stream"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="M.Doc"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func page(_ links: String) -> HTTPResponse {
        RecordedService.json(
            #"{"value":[{"ID":1,"@odata.etag":"W/\"2\"","@odata.mediaEtag":"\"m\"","Body@odata.mediaEtag":"\"b\""\#(links)}]}"#
        )
    }

    private static func bytes(_ etag: String?) -> HTTPResponse {
        var headers: HTTPHeaders = ["Content-Type": "text/plain"]
        headers["ETag"] = etag
        return HTTPResponse(status: 200, headers: headers, body: Array("old".utf8))
    }

    private func change(_ provider: OfflineODataProvider, _ service: RecordedService) async throws {
        for (url, etag) in [("Photos(1)/$value", "\"m\""), ("Photos(1)/Body", "\"b\"")] {
            try await provider.setStream(
                url,
                content: HTTPBody(Array("new".utf8)),
                contentType: "text/plain"
            )
            service.set("PUT \(url)", HTTPResponse(status: 204))
            try await provider.upload()
            let sent = try #require(service.log.last { $0.method == "PUT" })
            #expect(sent.headers["If-Match"] == etag)
        }
    }

    @Test func countWhereTheBytesComeWithoutOne() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Photos", Self.page(""))
        service.set("GET Photos(1)/$value", Self.bytes(nil))
        service.set("GET Photos(1)/Body", Self.bytes(nil))
        let provider = try await service.openedWithPhotos()
        try await change(provider, service)
    }

    /// A cache that the bytes are read from has ETags of its own, of which the service knows nothing.
    @Test func countWhereTheBytesComeFromAnotherServer() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let cache = "http://cache.test/of/the/photos/"
        service.set(
            "GET Photos",
            Self.page(
                #","@odata.mediaReadLink":"\#(cache)1","@odata.mediaEditLink":"Photos(1)/$value","Body@odata.mediaReadLink":"\#(cache)2","Body@odata.mediaEditLink":"Photos(1)/Body""#
            )
        )
        for number in ["1", "2"] {
            let url = (cache + number).dropFirst(service.root.count)
            service.set("GET \(url)", Self.bytes("\"cache-\(number)\""))
        }
        let provider = try await service.openedWithPhotos {
            $0.allowedOrigins = ["http://cache.test"]
        }
        let stream = try #require(try await provider.stream("Photos(1)/Body"))
        #expect(try await stream.bytes() == Array("old".utf8))
        try await change(provider, service)
    }

    /// Where the ETag is not known any more, a refusal has the stream's read, not the entity's.
    @Test func areReadAfterARefusal() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Photos", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        service.set("GET Photos(1)/$value", HTTPResponse(status: 204))
        service.set("GET Photos(1)/Body", Self.bytes(nil))
        let provider = try await service.openedWithPhotos()
        try await provider.setStream(
            "Photos(1)/Body",
            content: HTTPBody(Array("new".utf8)),
            contentType: "text/plain"
        )
        service.set(
            "GET Photos(1)",
            RecordedService.json(
                #"{"ID":1,"@odata.etag":"W/\"2\"","Body@odata.mediaEtag":"\"b\""}"#
            )
        )
        service.set(
            "PUT Photos(1)/Body",
            HTTPResponse(status: 428),
            HTTPResponse(status: 204)
        )
        #expect(try await provider.upload().succeededCount == 1)
        let sent = service.log.filter { $0.method == "PUT" }
        #expect(sent.map { $0.headers["If-Match"] } == [nil, "\"b\""])
    }
}
