import ODataHTTP
import OfflineOData
import Testing

/// First changes of streams that were never downloaded: their ETags came with the entity (OData JSON 4.01 §§ 4.6.13, 9; `media_etag`).
@Suite struct UnreadStreamTests {
    private static let page = """
        {"value":[{"@odata.etag":"\\"e1\\"","ID":1,"@odata.mediaEtag":"\\"m1\\"","Plan@odata.mediaEtag":"\\"p1\\"",
        "Plan@odata.mediaContentType":"text/plain"}]}
        """

    private static let shortPage = """
        {"value":[{"@etag":"\\"e1\\"","ID":1,"@mediaEtag":"\\"m1\\"","Plan@mediaEtag":"\\"p1\\""}]}
        """

    private static let oldPage = """
        {"d":{"results":[{"__metadata":{"uri":"http://service.test/odata/Photos(1)","type":"M.Photo","etag":"\\"e1\\"",
        "media_src":"Photos(1)/$value","edit_media":"Photos(1)/$value","content_type":"text/plain",
        "media_etag":"\\"m1\\""},"ID":1}]}}
        """

    private func opened(_ metadata: String, _ page: String) async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: metadata)
        service.set("GET Photos", RecordedService.json(page))
        service.set("GET Photos?$format=json", RecordedService.json(page))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Photos"])
        service.clearLog()
        return (service, provider)
    }

    private func put(
        _ provider: OfflineODataProvider,
        _ url: String,
        _ text: String = "mine",
        method: String = "PUT"
    ) async throws {
        let request = HTTPRequest(
            method: method,
            url: url,
            headers: ["Content-Type": "text/plain"],
            body: Array(text.utf8)
        )
        let answer = await provider.respond(to: request)
        try #require(answer.isSuccess, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    private func conditions(_ service: RecordedService, _ method: String = "PUT") -> [String] {
        service.log.filter { $0.method == method }.map { $0.headers["If-Match"] ?? "none" }
    }

    private static let cases: [(String, String, String, String)] = [
        (PhotoModel.document, page, "Photos(1)/$value", "\"m1\""),
        (PhotoModel.document, page, "Photos(1)/Plan", "\"p1\""),
        (PhotoModel.document, shortPage, "Photos(1)/$value", "\"m1\""),
        (PhotoModel.document, shortPage, "Photos(1)/Plan", "\"p1\""),
        (PhotoModel.old, oldPage, "Photos(1)/$value", "\"m1\""),
    ]

    @Test(arguments: cases)
    func sendsTheETagThatTheEntityStates(
        _ metadata: String,
        _ page: String,
        _ url: String,
        _ etag: String
    ) async throws {
        let (service, provider) = try await opened(metadata, page)
        try await put(provider, url)
        service.set("PUT " + url, HTTPResponse(status: 204))
        try await provider.upload()
        #expect(conditions(service) == [etag])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// Somebody else has replaced the stream: a conflict, and their content stays.
    @Test(arguments: ["Photos(1)/$value", "Photos(1)/Plan"])
    func overwritesNoNewerStream(_ url: String) async throws {
        let (service, provider) = try await opened(PhotoModel.document, Self.page)
        try await put(provider, url)
        service.set("PUT " + url, HTTPResponse(status: 412))
        let theirs = HTTPResponse(
            status: 200,
            headers: ["Content-Type": "text/plain", "ETag": "\"x2\""],
            body: Array("theirs".utf8)
        )
        service.set("GET " + url, theirs)
        let result = try await provider.upload()
        #expect(result.failedCount == 1)
        #expect(conditions(service).count == 1)
        let message = try await provider.errorArchive().first?.failure?.message ?? ""
        #expect(message.contains("was changed at the service since"), "\(message)")
    }

    /// The stream was removed with the same condition.
    @Test func removesNothingUnseen() async throws {
        let (service, provider) = try await opened(PhotoModel.document, Self.page)
        try await put(provider, "Photos(1)/Plan", "", method: "DELETE")
        service.set("DELETE Photos(1)/Plan", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(conditions(service, "DELETE") == ["\"p1\""])
    }

    /// A later download brings another ETag while the change waits: the change was made on the one before.
    @Test func keepsTheETagOfTheVersionThatWasReplaced() async throws {
        let (service, provider) = try await opened(PhotoModel.document, Self.page)
        try await put(provider, "Photos(1)/$value")
        service.set("GET Photos", RecordedService.json(Self.page.replacing("m1", with: "m2")))
        try await provider.download()
        service.set("PUT Photos(1)/$value", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(conditions(service) == ["\"m1\""])
    }

    /// The service wants a condition and states none: the refusal says so, and not that the stream was changed.
    @Test func saysThatAConditionIsWanted() async throws {
        let page = #"{"value":[{"ID":1}]}"#
        let (service, provider) = try await opened(PhotoModel.document, page)
        try await put(provider, "Photos(1)/$value")
        service.set("PUT Photos(1)/$value", HTTPResponse(status: 428))
        service.set(
            "GET Photos(1)/$value",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "text/plain"],
                body: Array("theirs".utf8)
            )
        )
        service.set("GET Photos(1)", RecordedService.json(#"{"ID":1}"#))
        try await provider.upload()
        let message = try await provider.errorArchive().first?.failure?.message ?? ""
        #expect(!message.contains("changed at the service since"), "\(message)")
        #expect(message.contains("wants an ETag"), "\(message)")
    }
}
