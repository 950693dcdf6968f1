import OfflineOData
import ODataHTTP
import Testing

/// Streams on the wire: downloaded with their entities, resumed by range, uploaded with their own ETag.
@Suite struct MediaTransferTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        </EntityType><EntityContainer Name="C"><EntitySet Name="Photos" EntityType="M.Photo"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func photo(_ etag: String) -> String {
        """
        {"value":[{"ID":1,"Name":"a","@odata.mediaEtag":"\\"\(etag)\\"","@odata.mediaReadLink":"files/1",
        "@odata.mediaContentType":"image/png"}]}
        """
    }

    private static func content(_ bytes: [UInt8], _ etag: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "image/png", "ETag": "\"\(etag)\""],
            body: bytes
        )
    }

    private func opened(_ answer: HTTPResponse) async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Photos", RecordedService.json(Self.photo("v1")))
        service.set("GET files/1", answer)
        let provider = try await service.openedWithPhotos()
        return (service, provider)
    }

    private func bytes(_ provider: OfflineODataProvider) async throws -> [UInt8]? {
        guard let stream = try await provider.stream("Photos(1)/$value") else { return nil }
        var all: [UInt8] = []
        for try await piece in stream { all += piece }
        return all
    }

    @Test func bringsAStreamOnlyWhereItHasChanged() async throws {
        let (service, provider) = try await opened(Self.content([1, 2, 3], "v1"))
        #expect(try await bytes(provider) == [1, 2, 3])
        service.clearLog()
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Photos"])
        service.set("GET Photos", RecordedService.json(Self.photo("v2")))
        service.set("GET files/1", Self.content([4], "v2"))
        try await provider.download()
        #expect(service.log.last?.headers["If-None-Match"] == "\"v1\"")
        #expect(try await bytes(provider) == [4])
    }

    /// What only the answer with a stream says is no change of the entity, however often it comes; what the entity says is one.
    @Test func countsWhatTheEntitySays() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let silent = #"{"value":[{"ID":1,"@odata.mediaReadLink":"files/1"}]}"#
        service.set("GET Photos", RecordedService.json(silent))
        service.set("GET files/1", Self.content([1, 2, 3], "v1"))
        let provider = try await service.openedWithPhotos()
        for _ in 0..<2 { #expect(try await provider.download().updatedCount == 0) }
        service.set("GET files/1", Self.content([4], "v2"))
        #expect(try await provider.download().updatedCount == 0)
        #expect(try await bytes(provider) == [4])
        service.set("GET Photos", RecordedService.json(Self.photo("v3")))
        service.set("GET files/1", Self.content([5], "v3"))
        #expect(try await provider.download().updatedCount == 1)
        #expect(try await provider.download().updatedCount == 0)
    }

    /// Long streams come side by side, each in many pieces.
    @Test(arguments: [262_144, 600_000, 1_100_000])
    func bringsLongStreamsSideBySide(_ count: Int) async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let photos = (1...4).map {
            #"{"ID":\#($0),"@odata.mediaEtag":"\"v\#($0)\"","@odata.mediaReadLink":"files/\#($0)"}"#
        }
        service.set(
            "GET Photos",
            RecordedService.json("{\"value\":[\(photos.joined(separator: ","))]}")
        )
        for id in 1...4 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* id) }
            service.set("GET files/\(id)", Self.content(bytes, "v\(id)"))
        }
        let provider = try await service.openedWithPhotos { $0.parallelQueryCount = 6 }
        for id in 1...4 {
            let stream = try #require(try await provider.stream("Photos(\(id))/$value"))
            var all: [UInt8] = []
            for try await piece in stream { all += piece }
            #expect(all.count == count)
            #expect(all == (0..<count).map { UInt8(truncatingIfNeeded: $0 &* id) })
        }
    }

    // MARK: Nothing there

    /// What the service says of photo 1, with or without ETags of entity and stream.
    private static func photo(entity: String?, media: String?, name: String = "a") -> HTTPResponse {
        let etags = [
            entity.map { #""@odata.etag":"W/\"\#($0)\"","# },
            media.map { #""@odata.mediaEtag":"\"\#($0)\"","# },
        ].compactMap { $0 }.joined()
        return RecordedService.json(
            #"{"value":[{\#(etags)"ID":1,"Name":"\#(name)","@odata.mediaReadLink":"files/1"}]}"#
        )
    }

    private func opened(_ photos: HTTPResponse, nothing status: Int) async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Photos", photos)
        service.set("GET files/1", HTTPResponse(status: status))
        let provider = try await service.opened([])
        try provider.add(
            definingQuery: .init(
                name: "Photos",
                query: "Photos",
                automaticallyRetrievesStreams: true
            )
        )
        try await provider.download()
        service.clearLog()
        return (service, provider)
    }

    @Test(arguments: [nil, "1"])
    func asksForAnEmptyStreamOnce(_ entity: String?) async throws {
        let (service, provider) = try await opened(
            Self.photo(entity: entity, media: "m1"),
            nothing: 204
        )
        for _ in 0..<2 { try await provider.download() }
        #expect(!service.requests.contains("GET files/1"))
        #expect(try await bytes(provider) == nil)
    }

    /// Another ETag of the stream tells of another content, and without one nobody knows: the entity may be the same all the time.
    @Test(arguments: [
        (before: photo(entity: "1", media: "m1"), after: photo(entity: "2", media: nil, name: "b")),
        (photo(entity: "1", media: "m1"), photo(entity: "1", media: "m2")),
        (photo(entity: nil, media: nil), photo(entity: nil, media: nil)),
        (photo(entity: "1", media: nil), photo(entity: "1", media: nil)),
    ])
    func asksAgainOnceTheStreamMayBeAnotherOne(
        _ photos: (before: HTTPResponse, after: HTTPResponse)
    )
        async throws
    {
        let (service, provider) = try await opened(photos.before, nothing: 204)
        service.set("GET Photos", photos.after)
        service.set("GET files/1", Self.content([4], "v2"))
        try await provider.download()
        #expect(service.requests.last == "GET files/1")
        #expect(try await bytes(provider) == [4])
    }

    /// An entity that no answer has brought since is as it was.
    @Test func asksNotAgainWhereTheChangesTellNothing() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let photos =
            #"{"value":[{"ID":1,"Name":"a","@odata.mediaReadLink":"files/1","@odata.mediaEtag":"m1"}],"@odata.deltaLink":"Photos?d=1"}"#
        service.set("GET Photos", RecordedService.json(photos))
        service.set(
            "GET Photos?d=1",
            RecordedService.json(#"{"value":[],"@odata.deltaLink":"Photos?d=1"}"#)
        )
        service.set("GET files/1", HTTPResponse(status: 204))
        let provider = try await service.opened([])
        try provider.add(
            definingQuery: .init(
                name: "Photos",
                query: "Photos",
                automaticallyRetrievesStreams: true
            )
        )
        try await provider.download()
        service.clearLog()
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Photos?d=1"])
        // Who asks for the stream itself gets the service's present answer.
        service.set("GET files/1", Self.content([7], "v1"))
        try await provider.retrieveMedia(of: "Photos(1)")
        #expect(try await bytes(provider) == [7])
    }

    /// A stream that was not found may have been out of reach only.
    @Test func asksAgainForAStreamThatWasNotFound() async throws {
        let (service, provider) = try await opened(
            Self.photo(entity: "1", media: "m1"),
            nothing: 404
        )
        try await provider.download()
        #expect(service.requests.last == "GET files/1")
    }

    @Test func bringsStreamProperties() async throws {
        let service = try RecordedService(
            metadata: Self.metadata.replacing(" HasStream=\"true\"", with: "").replacing(
                "</EntityType>",
                with: #"<Property Name="Plan" Type="Edm.Stream"/></EntityType>"#
            )
        )
        service.set("GET Photos", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        service.set("GET Photos(1)/Plan", Self.content([7, 8], "p1"))
        service.set("GET Photos(2)/Plan", HTTPResponse(status: 204))
        let provider = try await service.openedWithPhotos()
        let stream = try #require(try await provider.stream("Photos(1)/Plan"))
        var all: [UInt8] = []
        for try await piece in stream { all += piece }
        #expect(all == [7, 8])
        #expect(try await provider.stream("Photos(2)/Plan") == nil)
        service.set("GET Photos(1)/Plan", HTTPResponse(status: 304))
        service.clearLog()
        try await provider.download()
        #expect(
            service.log.first { $0.url.hasSuffix("(1)/Plan") }?.headers["If-None-Match"] == "\"p1\""
        )
    }

    @Test func goesOnWhereAStreamBrokeOff() async throws {
        let whole = (0..<600_000).map { UInt8(truncatingIfNeeded: $0) }
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Photos", RecordedService.json(Self.photo("v1")))
        var first = Self.content(whole, "v1")
        first.headers["Cut"] = "300000"
        service.set(
            "GET files/1",
            first,
            HTTPResponse(status: 206, headers: ["ETag": "\"v1\""], body: Array(whole[300_000...]))
        )
        let provider = try await service.opened([]) {
            $0.retryPolicy.maximumAttempts = 2
            $0.retryPolicy.sleep = { _ in }
        }
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "Photos",
                query: "Photos",
                automaticallyRetrievesStreams: true
            )
        )
        try await provider.download()
        #expect(try await bytes(provider) == whole)
        #expect(service.log.last?.headers["Range"] == "bytes=300000-")
        #expect(service.log.last?.headers["If-Range"] == "\"v1\"")
        #expect(service.log.last?.headers["Accept-Encoding"] == "identity")
    }

    @Test func createsAMediaEntity() async throws {
        let (service, provider) = try await opened(Self.content([1], "v1"))
        try await provider.createMedia(
            EntityValue(entitySet: "Photos", [:]),
            content: [9, 8, 7],
            contentType: "image/jpeg"
        )
        service.set(
            "POST Photos",
            RecordedService.json(#"{"ID":5,"Name":null,"@odata.mediaEtag":"\"n1\""}"#, status: 201)
        )
        service.clearLog()
        try await provider.upload()
        let sent = try #require(service.log.last)
        #expect(service.requests == ["POST Photos"])
        #expect(sent.body == [9, 8, 7])
        #expect(sent.headers["Content-Type"] == "image/jpeg")
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.executeQuery("Photos(5)").count == 1)
    }

    @Test func replacesAStreamUnderItsOwnETag() async throws {
        let (service, provider) = try await opened(Self.content([1], "v1"))
        let photo = try #require(try await provider.executeQuery("Photos(1)").first)
        try await provider.uploadMedia(of: photo, content: [5, 5], contentType: "image/png")
        service.set("PUT Photos(1)/$value", HTTPResponse(status: 204, headers: ["ETag": "\"v9\""]))
        try await provider.upload()
        let sent = try #require(service.log.last)
        #expect(sent.url.hasSuffix("Photos(1)/$value"))
        #expect(sent.headers["If-Match"] == "\"v1\"")
        #expect(sent.body == [5, 5])
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func keepsTheAcceptedContentWhereALaterOneIsRefusedAndDiscarded() async throws {
        let (service, provider) = try await opened(Self.content([1], "v1"))
        let photo = try #require(try await provider.executeQuery("Photos(1)").first)
        try await provider.uploadMedia(of: photo, content: [5, 5], contentType: "image/png")
        try await provider.uploadMedia(of: photo, content: [6, 6], contentType: "image/png")
        service.set(
            "PUT Photos(1)/$value",
            HTTPResponse(status: 204, headers: ["ETag": "\"v9\""]),
            RecordedService.json(#"{"error":{"code":"x","message":"no"}}"#, status: 400)
        )

        try await provider.upload()
        #expect(try await bytes(provider) == [6, 6])
        _ = try await provider.discardAllErrors()

        #expect(try await bytes(provider) == [5, 5])
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func neverCreatesAMediaEntityTwice() async throws {
        let (service, provider) = try await opened(Self.content([1], "v1"))
        try await provider.createMedia(
            EntityValue(entitySet: "Photos", [:]),
            content: [9],
            contentType: "image/jpeg"
        )
        service.set("POST Photos", RecordedService.lost)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        service.clearLog()
        try await provider.upload()
        #expect(service.requests.isEmpty)
        #expect(try await provider.requestQueue().map(\.status) == [.unknownOutcome])
    }

    /// A stream that others have changed while its entity was deleted here is fetched when the entity comes back.
    @Test func bringsAStreamThatChangedWhileItsEntityWasDeletedHere() async throws {
        let (service, provider) = try await opened(Self.content([1], "v1"))
        let photo = try #require(try await provider.executeQuery("Photos(1)").first)
        try await provider.deleteEntity(photo)
        service.set("GET Photos", RecordedService.json(Self.photo("v2")))
        service.set("GET files/1", Self.content([4], "v2"))
        try await provider.download()
        try await provider.undoAllPendingChanges()
        try await provider.download()
        #expect(try await bytes(provider) == [4])
    }
}
