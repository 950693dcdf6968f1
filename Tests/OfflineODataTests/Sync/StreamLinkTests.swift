import ODataHTTP
import OfflineOData
import Testing

/// Where streams are read and changed: the links that the service states go before those of the convention (OData JSON 4.01 § 4.6.12;
/// `media_src` and `edit_media`, JSON Verbose § 6.2; `edit-media`, RFC 5023 § 11.1).
@Suite struct StreamLinkTests {
    private static func stream(_ text: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "text/plain"],
            body: Array(text.utf8)
        )
    }

    /// A store with the streams of the photos of one page.
    private func opened(
        _ page: String,
        _ streams: [String: String] = [:],
        metadata: String = PhotoModel.document
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: metadata)
        service.set("GET Photos", RecordedService.json(page))
        service.set("GET Photos?$format=json", RecordedService.json(page))
        service.set("POST $batch", HTTPResponse(status: 404))
        for (url, text) in streams { service.set("GET " + url, Self.stream(text)) }
        let provider = try await service.openedWithPhotos()
        service.clearLog()
        return (service, provider)
    }

    private func put(_ provider: OfflineODataProvider, _ url: String) async throws {
        let request = HTTPRequest(
            method: "PUT",
            url: url,
            headers: ["Content-Type": "text/plain"],
            body: Array("mine".utf8)
        )
        let answer = await provider.respond(to: request)
        try #require(answer.isSuccess, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    private static let cases: [(String, String, String)] = [
        (#""@odata.mediaEditLink":"edit/1""#, "$value", "edit/1"),
        (#""@mediaEditLink":"edit/1""#, "$value", "edit/1"),
        (#""Plan@odata.mediaEditLink":"edit/plan""#, "Plan", "edit/plan"),
        (
            #""Plan@mediaEditLink":"http://service.test/odata/edit/plan""#,
            "Plan",
            "edit/plan"
        ),
        // Beside the entity's own link, and without a link of the stream.
        (
            #""@odata.editLink":"e/1","@odata.mediaEditLink":"edit/1""#,
            "$value", "edit/1"
        ),
        (#""@odata.editLink":"e/1""#, "$value", "e/1/$value"),
        (#""@odata.editLink":"e/1""#, "Plan", "e/1/Plan"),
        // Changes go to no other origin.
        (
            #""@odata.mediaEditLink":"http://other.test/1""#, "$value",
            "Photos(1)/$value"
        ),
    ]

    @Test(arguments: cases)
    func changesAStreamWhereTheServiceSays(
        _ links: String,
        _ stream: String,
        _ url: String
    ) async throws {
        let (service, provider) = try await opened(
            "{\"value\":[{\(links),\"ID\":1}]}"
        )
        try await put(provider, "Photos(1)/" + stream)
        service.set("PUT " + url, HTTPResponse(status: 204))
        try await provider.upload()
        #expect(service.requests.filter { $0.hasPrefix("PUT") } == ["PUT " + url])
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test(arguments: ["edit/1", "http://service.test/odata/edit/1"])
    func changesAStreamOfVersion2WhereTheServiceSays(_ link: String) async throws {
        let page = """
            {"d":{"results":[{"__metadata":{"uri":"http://service.test/odata/Photos(1)","type":"M.Photo",
            "media_src":"read/1","edit_media":"\(link)","content_type":"text/plain"},"ID":1}]}}
            """
        let (service, provider) = try await opened(
            page,
            ["read/1": "theirs"],
            metadata: PhotoModel.old
        )
        try await put(provider, "Photos(1)/$value")
        service.set("PUT edit/1", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(service.requests.filter { $0.hasPrefix("PUT") } == ["PUT edit/1"])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// What becomes of the entity is not for the store to say: versions 2 and 3 know no deletion by the address of the content.
    @Test func deletesTheContentOfAMediaEntityOfVersion2Alone() async throws {
        let (service, provider) = try await opened(
            """
            {"d":{"results":[{"__metadata":{"uri":"http://service.test/odata/Photos(1)","type":"M.Photo"},"ID":1}]}}
            """,
            ["Photos(1)/$value": "theirs"],
            metadata: PhotoModel.old
        )
        try await provider.deleteMedia(of: try #require(provider.executeQuery("Photos(1)").first))
        #expect(try await provider.executeQuery("Photos").count == 1)
        service.set("DELETE Photos(1)/$value", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(service.requests.contains("DELETE Photos(1)/$value"))
        #expect(try await provider.executeQuery("Photos").count == 1)
    }

    @Test(arguments: [
        (#""Plan@odata.mediaReadLink":"read/p","Plan@odata.mediaEditLink":"edit/p""#, "read/p"),
        (#""Plan@mediaReadLink":"read/p""#, "read/p"),
        (#""Plan@mediaEditLink":"edit/p""#, "edit/p"),
    ])
    func readsANamedStreamWhereTheServiceSays(_ links: String, _ url: String) async throws {
        let (_, provider) = try await opened(
            "{\"value\":[{\(links),\"ID\":1}]}",
            [url: "plan"]
        )
        let stream = try #require(try await provider.stream("Photos(1)/Plan"))
        var bytes: [UInt8] = []
        for try await piece in stream { bytes += piece }
        #expect(String(decoding: bytes, as: UTF8.self) == "plan")
    }

    /// A stream guarded by the ETag of its entity: the entity is read where it is, not above the link of the stream.
    @Test func asksTheEntityForItsETag() async throws {
        let entity = #"{"@odata.etag":"\"e2\"","ID":1}"#
        let (service, provider) = try await opened(
            #"{"value":[{"@odata.mediaEtag":"\"e1\"","@odata.mediaEditLink":"edit/1","ID":1}]}"#
        )
        service.set("GET edit/1", HTTPResponse(status: 204, headers: ["ETag": "\"e1\""]))
        service.set("GET Photos(1)", RecordedService.json(entity))
        try await put(provider, "Photos(1)/$value")
        service.set("PUT edit/1", HTTPResponse(status: 412), HTTPResponse(status: 204))
        try await provider.upload()
        #expect(!service.requests.contains("GET edit"))
    }

    /// What the service does not have is told: the store has no content there.
    @Test func tellsOfStreamsThatAreNotThere() async throws {
        let page = #"{"value":[{"ID":1,"Plan@odata.mediaReadLink":"read/p"},{"ID":2}]}"#
        let (service, provider) = try await opened(
            page,
            ["Photos(2)/$value": "x"]
        )
        let result = try await provider.download()
        let remarks = result.queries.flatMap(\.remarks)
        #expect(
            remarks == [
                "the service has no stream at Photos(1)/$value and 2 more (404): the store has no content there"
            ],
            "\(remarks)"
        )
        withExtendedLifetime(service) {}
    }
}
