import ODataHTTP
import OfflineOData
import Testing

/// The bytes of a stream that lost in a conflict are kept with the event that tells of it, whoever lost.
@Suite struct LostStreamTests {
    private static func photo(_ etag: String, name: String) -> String {
        #"{"@odata.etag":"\"\#(etag)\"","ID":1,"Name":"\#(name)"}"#
    }

    private static func content(_ text: String, _ etag: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "text/plain", "ETag": "\"\(etag)\""],
            body: Array(text.utf8)
        )
    }

    private static let streams = ["Photos(1)/$value", "Photos(1)/Plan"]

    /// A local content was refused, since the service has another one.
    private func conflicting(_ url: String) async throws -> (RecordedService, OfflineODataProvider)
    {
        let service = try RecordedService(metadata: PhotoModel.document)
        service.set(
            "GET Photos",
            RecordedService.json("{\"value\":[\(Self.photo("1", name: "a"))]}")
        )
        for url in Self.streams { service.set("GET " + url, Self.content("first", "s1")) }
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.openedWithPhotos()
        let put = HTTPRequest(
            method: "PUT",
            url: url,
            headers: ["Content-Type": "text/plain"],
            body: Array("mine".utf8)
        )
        try #require(await provider.respond(to: put).isSuccess)
        service.set("PUT " + url, HTTPResponse(status: 412))
        service.set("GET " + url, Self.content("theirs", "s2"))
        try await provider.upload()
        try #require(try await provider.errorArchive().count == 1)
        return (service, provider)
    }

    private func kept(_ provider: OfflineODataProvider) async throws -> [String] {
        var found: [String] = []
        for event in try await provider.eventLog() {
            guard let stream = try await provider.stream(of: event) else { continue }
            found.append(String(decoding: try await stream.bytes(), as: UTF8.self))
            #expect(event.type == "Conflict")
        }
        return found
    }

    private func text(_ provider: OfflineODataProvider, _ url: String) async throws -> String? {
        guard let stream = try await provider.stream(url) else { return nil }
        return String(decoding: try await stream.bytes(), as: UTF8.self)
    }

    @Test(arguments: streams)
    func keepsTheLocalContentWhereTheServiceWins(_ url: String) async throws {
        let (_, provider) = try await conflicting(url)
        try await provider.resolveConflict("Photos(1)", with: .server)
        #expect(try await text(provider, url) == "theirs")
        #expect(try await kept(provider) == ["mine"])
    }

    @Test(arguments: streams)
    func keepsTheServersContentWhereTheLocalOneWins(_ url: String) async throws {
        let (service, provider) = try await conflicting(url)
        try await provider.resolveConflict("Photos(1)", with: .local)
        service.set("PUT " + url, HTTPResponse(status: 204, headers: ["ETag": "\"s3\""]))
        try await provider.upload()
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await text(provider, url) == "mine")
        #expect(try await kept(provider) == ["theirs"])
    }

    @Test(arguments: streams)
    func keepsTheServersContentWhereBothAreMerged(_ url: String) async throws {
        let (service, provider) = try await conflicting(url)
        try await provider.resolveConflict("Photos(1)", with: .merge(body: #"{"Name":"both"}"#))
        service.set("PUT " + url, HTTPResponse(status: 204, headers: ["ETag": "\"s3\""]))
        service.set("PATCH Photos(1)", HTTPResponse(status: 204))
        service.set("GET Photos(1)", RecordedService.json(Self.photo("1", name: "a")))
        try await provider.upload()
        #expect(try await text(provider, url) == "mine")
        #expect(try await kept(provider) == ["theirs"])
    }

    /// Taking back the refused request is the same decision.
    @Test(arguments: streams)
    func keepsTheLocalContentOfADiscardedRequest(_ url: String) async throws {
        let (_, provider) = try await conflicting(url)
        let refused = try #require(try await provider.errorArchive().first)
        try await provider.discardError(refused.id)
        #expect(try await kept(provider) == ["mine"])
    }

    /// The content goes with its event, when newer conflicts push that out.
    @Test func forgetsAContentWithItsEvent() async throws {
        let (service, provider) = try await conflicting(Self.streams[0])
        try await provider.resolveConflict("Photos(1)", with: .server)
        service.set("GET Photos(1)/$value", Self.content("theirs", "s2"))
        for number in 1...101 {
            let etag = "n\(number)"
            var photo = try #require(try await provider.executeQuery("Photos(1)").first)
            photo["Name"] = .string("mine \(number)")
            try await provider.updateEntity(photo)
            let page = "{\"value\":[\(Self.photo(etag, name: "theirs \(number)"))]}"
            service.set("GET Photos", RecordedService.json(page))
            try await provider.download()
            try await provider.resolveConflict("Photos(1)", with: .server)
        }
        #expect(try await kept(provider) == [])
    }
}
