import ODataSQLite
import OfflineOData
import ODataHTTP
import Testing

/// Writes to streams whose ETags the service moves, leaves out or refuses.
@Suite struct StreamConflictTests {
    private static func photo(_ etag: String, _ media: String, name: String = "a") -> String {
        """
        {"@odata.etag":"\\"\(etag)\\"","ID":1,"Name":"\(name)","@odata.mediaEtag":"\\"\(media)\\""}
        """
    }

    private static func content(_ bytes: [UInt8], _ etag: String?) -> HTTPResponse {
        var headers: HTTPHeaders = ["Content-Type": "image/png"]
        headers["ETag"] = etag.map { "\"\($0)\"" }
        return HTTPResponse(status: 200, headers: headers, body: bytes)
    }

    private static func done(_ etag: String?) -> HTTPResponse {
        var headers = HTTPHeaders()
        headers["ETag"] = etag.map { "\"\($0)\"" }
        return HTTPResponse(status: 204, headers: headers)
    }

    private static let failed = HTTPResponse(status: 412)

    private func opened(
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: PhotoModel.document)
        service.set("GET Photos", RecordedService.json("{\"value\":[\(Self.photo("1", "v1"))]}"))
        service.set("GET Photos(1)/$value", Self.content([1], "v1"))
        service.set("GET Photos(1)/Plan", Self.content([7], "p1"))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.openedWithPhotos([], change)
        service.clearLog()
        return (service, provider)
    }

    private func photo(_ provider: OfflineODataProvider) async throws -> EntityValue {
        try #require(try await provider.executeQuery("Photos(1)").first)
    }

    private func replace(
        _ provider: OfflineODataProvider,
        _ bytes: [UInt8],
        _ property: String? = nil
    ) async throws {
        try await provider.uploadMedia(
            of: photo(provider),
            property: property,
            content: bytes,
            contentType: "image/png"
        )
    }

    private func rename(_ provider: OfflineODataProvider, _ name: String) async throws {
        var photo = try await photo(provider)
        photo["Name"] = .string(name)
        try await provider.updateEntity(photo)
    }

    private func bytes(_ provider: OfflineODataProvider, _ url: String = "Photos(1)/$value")
        async throws -> [UInt8]?
    {
        guard let stream = try await provider.stream(url) else { return nil }
        var all: [UInt8] = []
        for try await piece in stream { all += piece }
        return all
    }

    private func conditions(_ service: RecordedService, _ request: String) -> [String?] {
        service.log.filter { "\($0.method) \($0.url.dropFirst(service.root.count))" == request }
            .map { $0.headers["If-Match"] }
    }

    /// The service moves the entity's ETag with each of its streams, and states none of it.
    @Test func sendsTwoStreamsOfOneEntity() async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        try await replace(provider, [8], "Plan")
        service.set("PUT Photos(1)/$value", Self.done("v2"))
        service.set("PUT Photos(1)/Plan", Self.done("p2"))
        let result = try await provider.upload()
        #expect(result.succeededCount == 2)
        #expect(service.requests == ["PUT Photos(1)/$value", "PUT Photos(1)/Plan"])
        #expect(conditions(service, "PUT Photos(1)/Plan") == ["\"p1\""])
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func sendsTwoReplacementsOfOneStream() async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        try await replace(provider, [3])
        service.set("PUT Photos(1)/$value", Self.done("v2"), Self.done("v3"))
        try await provider.upload()
        #expect(conditions(service, "PUT Photos(1)/$value") == ["\"v1\"", "\"v2\""])
        #expect(try await bytes(provider) == [3])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// No ETag says whether others have replaced the content, so it is read before it is written over.
    @Test(arguments: [([1], true), ([9], false)] as [([UInt8], Bool)])
    func comparesAContentThatHasNoETag(_ present: [UInt8], _ isSame: Bool) async throws {
        let service = try RecordedService(metadata: PhotoModel.document)
        let page = #"{"value":[{"@odata.etag":"\"1\"","ID":1,"Name":"a"}]}"#
        service.set("GET Photos", RecordedService.json(page))
        service.set("GET Photos(1)/$value", Self.content([1], nil))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.openedWithPhotos()
        try await replace(provider, [2])
        service.set("GET Photos(1)/$value", Self.content(present, nil))
        service.set("PUT Photos(1)/$value", Self.done(nil))
        service.clearLog()
        let result = try await provider.upload()
        #expect([result.succeededCount, result.failedCount] == (isSame ? [1, 0] : [0, 1]))
        #expect(conditions(service, "PUT Photos(1)/$value") == (isSame ? [nil] : []))
        guard !isSame else { return }
        #expect(try await photo(provider).hasConflict)
        try await provider.resolveConflict("Photos(1)", with: .local)
        service.set("GET Photos(1)/$value", Self.content([2], nil))
        #expect(try await provider.upload().succeededCount == 1)
    }

    /// Another client has changed a value of the entity, and the service moves the ETag of the stream with it: the content is the same.
    @Test func followsTheETagOfAnUnchangedContent() async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        let page = "{\"value\":[\(Self.photo("2", "v2", name: "theirs"))]}"
        service.set("GET Photos", RecordedService.json(page))
        service.set("GET Photos(1)/$value", Self.content([1], "v2"))
        try await provider.download()
        service.set("PUT Photos(1)/$value", Self.done("v3"))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(conditions(service, "PUT Photos(1)/$value") == ["\"v2\""])
        #expect(try await provider.executeQuery("Photos(1)").first?["Name"] == "theirs")
    }

    /// A download before the upload has brought the content of another client, which the change was not made on.
    @Test(arguments: [[9], [2], [1]] as [[UInt8]])
    func comparesAContentWithoutETagThatADownloadHasBroughtSince(_ brought: [UInt8]) async throws {
        let service = try RecordedService(metadata: PhotoModel.document)
        let page = #"{"value":[{"@odata.etag":"\"1\"","ID":1,"Name":"a"}]}"#
        service.set("GET Photos", RecordedService.json(page))
        service.set("GET Photos(1)/$value", Self.content([1], nil))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.openedWithPhotos()
        try await replace(provider, [2])
        service.set("GET Photos(1)/$value", Self.content(brought, nil))
        service.set("PUT Photos(1)/$value", Self.done(nil))
        try await provider.download()
        service.clearLog()
        let isOther = brought == [9]
        #expect(try await provider.upload().failedCount == (isOther ? 1 : 0))
        #expect(conditions(service, "PUT Photos(1)/$value") == (isOther ? [] : [nil]))
        guard isOther else { return }
        for id in try await provider.errorArchive().map(\.id) {
            try await provider.retryRequest(id)
        }
        #expect(try await provider.upload().failedCount == 1)
        // The decision is about the content that was shown, not about one that came since.
        try await provider.resolveConflict("Photos(1)", with: .local)
        service.set("GET Photos(1)/$value", Self.content([5], nil))
        #expect(try await provider.upload().failedCount == 1)
        try await provider.resolveConflict("Photos(1)", with: .local)
        #expect(try await provider.upload().succeededCount == 1)
        #expect(conditions(service, "PUT Photos(1)/$value") == [nil])
    }

    /// The answer to the first does not state the new ETag: it is read, and the content with it.
    @Test func readsAMediaETagThatAnAnswerDidNotState() async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        try await replace(provider, [3])
        service.set("PUT Photos(1)/$value", Self.done(nil), Self.done("v3"))
        service.set("GET Photos(1)/$value", Self.content([2], "v2"))
        try await provider.upload()
        #expect(conditions(service, "PUT Photos(1)/$value") == ["\"v1\"", "\"v2\""])
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func doesNotOverwriteAStreamThatSomebodyElseReplacedBetween() async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        try await replace(provider, [3])
        service.set("PUT Photos(1)/$value", Self.done(nil))
        service.set("GET Photos(1)/$value", Self.content([9], "v9"))
        try await provider.upload()
        #expect(conditions(service, "PUT Photos(1)/$value") == ["\"v1\""])
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [412])
        #expect(try await photo(provider).hasConflict)
        try await provider.resolveConflict("Photos(1)", with: .server)
        #expect(try await bytes(provider) == [9])
    }

    @Test func sendsAStreamThenValuesThenTheStreamAgain() async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        try await rename(provider, "b")
        try await replace(provider, [3])
        // The entity's ETag moves with its stream, and the media ETag with its values.
        service.set("PUT Photos(1)/$value", Self.done("v2"), Self.failed, Self.done("v4"))
        service.set("GET Photos(1)", RecordedService.json(Self.photo("2", "v2")))
        service.set("PATCH Photos(1)", Self.done("3"))
        service.set("GET Photos(1)/$value", Self.content([2], "v3"))
        let result = try await provider.upload()
        #expect(result.succeededCount == 3 && result.failedCount == 0)
        #expect(conditions(service, "PATCH Photos(1)") == ["\"2\""])
        #expect(
            conditions(service, "PUT Photos(1)/$value") == ["\"v1\"", "\"v2\"", "\"v3\""]
        )
        #expect(try await bytes(provider) == [3])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// The ETag of the stream is not stated before, so the service demands one after the creation.
    @Test func replacesTheStreamOfACreatedEntity() async throws {
        let (service, provider) = try await opened()
        let made = try await provider.createMedia(
            EntityValue(entitySet: "Photos", [:]),
            content: [4],
            contentType: "image/png"
        )
        try await provider.uploadMedia(of: made, content: [5], contentType: "image/png")
        service.set("POST Photos", RecordedService.json(#"{"ID":5,"Name":null}"#, status: 201))
        service.set("GET Photos(5)/$value", Self.content([4], "n1"))
        service.set("PUT Photos(5)/$value", Self.done("n2"))
        let result = try await provider.upload()
        #expect(result.succeededCount == 2)
        #expect(conditions(service, "PUT Photos(5)/$value") == ["\"n1\""])
        #expect(try await bytes(provider, "Photos(5)/$value") == [5])
    }

    /// The values that the service has given what was created from a stream are no other client's; the stream moves its ETag.
    @Test func takesTheValuesOfWhatWasCreatedFromAStream() async throws {
        let (service, provider) = try await opened()
        let made = try await provider.createMedia(
            EntityValue(entitySet: "Photos", [:]),
            content: [4],
            contentType: "image/png"
        )
        service.set(
            "POST Photos",
            RecordedService.json(#"{"@odata.etag":"\"1\"","ID":5,"Name":"theirs"}"#, status: 201)
        )
        #expect(try await provider.upload().succeededCount == 1)
        let stored = try #require(try await provider.executeQuery("Photos(5)").first)
        #expect(stored["Name"] == "theirs")
        try await provider.uploadMedia(of: made, content: [5], contentType: "image/png")
        var renamed = stored
        renamed["Name"] = "mine"
        try await provider.updateEntity(renamed)
        service.set("GET Photos(5)/$value", Self.content([4], "n1"))
        service.set("PUT Photos(5)/$value", Self.done("n2"))
        let moved = #"{"@odata.etag":"\"2\"","ID":5,"Name":"theirs"}"#
        service.set("GET Photos(5)", RecordedService.json(moved))
        service.set("PATCH Photos(5)", Self.done("3"))
        let result = try await provider.upload()
        let refused = try await provider.errorArchive()
        #expect(result.succeededCount == 2, "\(service.requests) \(refused.map(\.failure))")
        #expect(conditions(service, "PATCH Photos(5)").last == "\"2\"")
    }

    /// Some services guard a stream by the ETag of its entity.
    @Test(arguments: [412, 428])
    func sendsTheETagOfTheEntityWhereTheServiceWantsIt(_ status: Int) async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        service.set(
            "PUT Photos(1)/$value",
            HTTPResponse(status: status),
            Self.done("2")
        )
        service.set("GET Photos(1)", RecordedService.json(Self.photo("1", "v1")))
        let result = try await provider.upload()
        #expect(result.succeededCount == 1)
        #expect(conditions(service, "PUT Photos(1)/$value") == ["\"v1\"", "\"1\""])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// The service never takes an ETag that it states: the upload ends.
    @Test func endsWhereEveryETagIsRefused() async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        service.set("PUT Photos(1)/$value", Self.failed)
        service.set("GET Photos(1)", RecordedService.json(Self.photo("1", "v1")))
        try await provider.upload()
        #expect(service.requests.count < 12)
        #expect(try await provider.errorArchive().count == 1)
    }

    /// Streams go one after the other: what the service says of one concerns those behind it.
    @Test(arguments: [401, 429])
    func sendsNoFurtherStreamWhereTheServiceStops(_ status: Int) async throws {
        let (service, provider) = try await opened()
        for byte in [4, 5] as [UInt8] {
            try await provider.createMedia(
                EntityValue(entitySet: "Photos", [:]),
                content: [byte],
                contentType: "image/png"
            )
        }
        service.set("POST Photos", HTTPResponse(status: status))
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(service.log.count { $0.method == "POST" } == 1)
        #expect(try await provider.requestQueue().map(\.status) == [.pending, .pending])
    }

    @Test(arguments: [204, 404, 410])
    func forgetsAStreamThatTheServiceHasNoMore(_ status: Int) async throws {
        let (service, provider) = try await opened()
        service.set("GET Photos", RecordedService.json("{\"value\":[\(Self.photo("2", "v2"))]}"))
        service.set("GET Photos(1)/$value", HTTPResponse(status: status))
        try await provider.download()
        #expect(try await bytes(provider) == nil)
        #expect(try await bytes(provider, "Photos(1)/Plan") == [7])
    }

    private func conflicting(_ status: Int = 412) async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        service.set("PUT Photos(1)/$value", HTTPResponse(status: status))
        service.set("GET Photos(1)/$value", Self.content([9], "v9"))
        try await provider.upload()
        return (service, provider)
    }

    @Test(arguments: [412, 428])
    func resolvesTheConflictOfAStreamWithTheLocalContent(_ status: Int) async throws {
        let (service, provider) = try await conflicting(status)
        let refused = try #require(try await provider.errorArchive().first)
        #expect(refused.failure?.message.contains("resolve") == true)
        #expect(try await photo(provider).hasConflict)
        #expect(try await bytes(provider) == [2])
        try await provider.resolveConflict("Photos(1)", with: .local)
        #expect(try await !photo(provider).hasConflict)
        service.set("PUT Photos(1)/$value", Self.done("v10"))
        try await provider.upload()
        #expect(conditions(service, "PUT Photos(1)/$value") == ["\"v1\"", "\"v9\""])
        #expect(try await bytes(provider) == [2])
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func resolvesTheConflictOfAStreamWithTheContentOfTheService() async throws {
        let (_, provider) = try await conflicting()
        try await provider.resolveConflict("Photos(1)", with: .server)
        #expect(try await bytes(provider) == [9])
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.errorArchive().isEmpty)
        #expect(try await !photo(provider).hasConflict)
    }

    /// A retry decides nothing: the stream is read again, and the new ETag overwrites nothing unseen.
    @Test(arguments: [[8], [9]] as [[UInt8]])
    func doesNotOverwriteAStreamByARetry(_ there: [UInt8]) async throws {
        let (service, provider) = try await conflicting()
        let refused = try #require(try await provider.errorArchive().first)
        service.set("PUT Photos(1)/$value", Self.done("v10"))
        service.set("GET Photos(1)/$value", Self.content(there, "v\(there[0])"))
        service.clearLog()
        try await provider.retryRequest(refused.id)
        try await provider.upload()
        #expect(service.requests == ["GET Photos(1)/$value"])
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [412])
        try await provider.resolveConflict("Photos(1)", with: .server)
        #expect(try await bytes(provider) == there)
    }

    @Test func retriesAStreamThatIsWhatItWasAgain() async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        service.set("PUT Photos(1)/$value", Self.failed)
        service.set("GET Photos(1)/$value", HTTPResponse(status: 405))
        try await provider.upload()
        let refused = try #require(try await provider.errorArchive().first)
        service.set("GET Photos(1)/$value", Self.content([1], "v5"))
        service.set("PUT Photos(1)/$value", Self.done("v6"))
        try await provider.retryRequest(refused.id)
        try await provider.upload()
        #expect(conditions(service, "PUT Photos(1)/$value").last == "\"v5\"")
        #expect(try await provider.requestQueueIsEmpty())
    }

    // MARK: Lost answers

    @Test(arguments: [("v2", true), (nil, true)] as [(String?, Bool)])
    func recognisesAStreamWhoseAnswerWasLost(_ etag: String?, _ isThere: Bool) async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        service.set("PUT Photos(1)/$value", RecordedService.lost)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        service.set("GET Photos(1)/$value", Self.content([2], etag))
        service.set("PUT Photos(1)/$value", Self.failed)
        service.clearLog()
        let result = try await provider.upload()
        #expect(result.succeededCount == 1)
        #expect(service.requests == ["GET Photos(1)/$value"])
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await bytes(provider) == [2])
    }

    /// What was read to find that out does not stay in the file.
    @Test(arguments: [[1], [2]] as [[UInt8]])
    func keepsNothingOfAContentThatIsKnown(_ there: [UInt8]) async throws {
        var path = ""
        let (service, provider) = try await opened { path = $0.storePath?.path() ?? "" }
        let file = try SQLiteConnection(path: path + "/localstore.sqlite", mode: .readOnly)
        func count() throws -> Int64? {
            try file.integer("SELECT count(*) FROM \"$content\"")
        }
        let before = try count()
        try await replace(provider, [2])
        #expect(try count() == (before ?? 0) + 1)
        service.set("PUT Photos(1)/$value", RecordedService.lost, Self.done("v2"))
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        service.set("GET Photos(1)/$value", Self.content(there, there == [1] ? "v1" : "v2"))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(try await bytes(provider) == [2])
        #expect(try count() == before)
    }

    @Test func sendsAStreamAgainThatTheServiceNeverGot() async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        service.set("PUT Photos(1)/$value", RecordedService.lost, Self.done("v2"))
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        service.set("GET Photos(1)/$value", Self.content([1], "v1"))
        try await provider.upload()
        #expect(conditions(service, "PUT Photos(1)/$value") == ["\"v1\"", "\"v1\""])
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func isInConflictWhereSomebodyElseWroteAfterALostAnswer() async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        service.set("PUT Photos(1)/$value", RecordedService.lost)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        service.set("GET Photos(1)/$value", Self.content([9], "v9"))
        service.clearLog()
        try await provider.upload()
        #expect(!service.requests.contains("PUT Photos(1)/$value"))
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.errorArchive().map(\.url) == ["Photos(1)/$value"])
        try await provider.resolveConflict("Photos(1)", with: .server)
        #expect(try await provider.errorArchive().isEmpty)
    }

    @Test func recognisesTheRemovalOfAStreamWhoseAnswerWasLost() async throws {
        let (service, provider) = try await opened()
        try await provider.deleteMedia(of: photo(provider), property: "Plan")
        service.set("DELETE Photos(1)/Plan", RecordedService.lost)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        service.set("GET Photos(1)/Plan", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// The stream has no ETag once it is removed.
    @Test func setsAStreamAgainThatIsRemovedBefore() async throws {
        let (service, provider) = try await opened()
        try await provider.deleteMedia(of: photo(provider), property: "Plan")
        try await replace(provider, [8], "Plan")
        service.set("DELETE Photos(1)/Plan", HTTPResponse(status: 204))
        service.set("PUT Photos(1)/Plan", Self.done("p3"))
        #expect(try await provider.upload().succeededCount == 2)
        #expect(conditions(service, "PUT Photos(1)/Plan") == [nil])
    }

    // MARK: Reading before sending

    /// What cannot be read does not hold up the queue, and nothing stays marked as being sent.
    @Test(arguments: [(405, "archived"), (500, "parked"), (503, "pending"), (0, "pending")])
    func leavesNothingInDoubtThatWasNotSent(_ status: Int, _ fate: String) async throws {
        let (service, provider) = try await opened()
        try await replace(provider, [2])
        try await rename(provider, "b")
        service.set("PUT Photos(1)/$value", Self.done("v2"))
        let answer =
            status == 0 ? RecordedService.unreachable : HTTPResponse(status: status)
        service.set("GET Photos(1)", answer)
        _ = try? await provider.upload()
        #expect(!service.requests.contains("PATCH Photos(1)"))
        let statuses = try await provider.requestQueue().map(\.status)
        let archive = try await provider.errorArchive()
        if fate == "archived" {
            #expect(statuses.isEmpty && archive.count == 1)
            #expect(archive.first?.failure?.message.contains("not sent") == true)
        } else {
            #expect(statuses.map(\.rawValue) == [fate] && archive.isEmpty)
        }
        _ = try await provider.undoPendingChanges("Photos(1)")
        #expect(try await provider.requestQueueIsEmpty())
    }
}
