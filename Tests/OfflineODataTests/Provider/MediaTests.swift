import StoreRecords
import ODataHTTP
import OfflineOData
import TestSupport
import Testing

/// Media entities and stream properties of a store.
@Suite struct MediaTests {
    /// Pieces of some size that together are so many bytes, each byte told by its place.
    private static func content(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    private static func pieces(_ content: [UInt8], of size: Int) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for start in stride(from: 0, to: content.count, by: size) {
                continuation.yield(Array(content[start..<min(start + size, content.count)]))
            }
            continuation.finish()
        }
    }

    @Test func createsAMediaEntityFromItsContent() async throws {
        let shop = try await Workshop()
        let answer = await shop.send("POST", "Photos", "PNG", ["Content-Type": "image/png"])
        #expect(answer.status == 201)
        let photo = try #require(try await shop.provider.executeQuery("Photos").first)
        let link = try #require(photo.readLink)
        let read = await shop.send("GET", link + "/$value")
        #expect(read.text == "PNG")
        #expect(read.headers["Content-Type"] == "image/png")
        #expect(photo["@odata.mediaContentType"]?.stringValue == "image/png")
        #expect(photo.isLocal && photo.hasPendingChanges)
        let entry = try #require(try await shop.provider.requestQueue().first)
        #expect(entry.method == "POST")
        #expect(entry.url == "Photos")
        #expect(entry.body == nil)
        #expect(entry.stream != nil)
        #expect(entry.entry.streamProperty == "")
    }

    /// The ways by which a content in pieces comes into the store.
    enum Way: CaseIterable { case uploadMedia, setStream, createMedia, createMediaIn, importStream }

    private static func give(
        _ pieces: AsyncStream<[UInt8]>,
        to photo: EntityValue,
        _ way: Way,
        _ provider: OfflineODataProvider
    ) async throws {
        let (url, type) = ((photo.readLink ?? "") + "/$value", "image/png")
        let new = EntityValue(entitySet: "Photos", ["Title": "new"])
        switch way {
        case .uploadMedia:
            try await provider.uploadMedia(of: photo, content: pieces, contentType: type)
        case .setStream: try await provider.setStream(url, content: pieces, contentType: type)
        case .createMedia:
            try await provider.createMedia(new, content: pieces, contentType: type)
        case .createMediaIn:
            _ = try await provider.createMedia(in: "Photos", content: pieces, contentType: type)
        case .importStream:
            try await provider.importStream(url, content: pieces, contentType: type)
        }
    }

    /// The stream of a cancelled task ends as if it were whole.
    @Test(arguments: Way.allCases)
    func cancelledContentChangesNothing(_ way: Way) async throws {
        let shop = try await Workshop()
        let provider = shop.provider
        let photo = try await provider.createMedia(
            EntityValue(entitySet: "Photos"),
            content: [7, 8, 9],
            contentType: "image/png"
        )
        let (pieces, feed) = AsyncStream.makeStream(of: [UInt8].self)
        let task = Task { try await Self.give(pieces, to: photo, way, provider) }
        feed.yield([1, 2, 3])
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await provider.downloadMedia(of: photo)?.bytes() == [7, 8, 9])
        #expect(try await provider.requestQueue().count == 1)
        #expect(try await provider.executeQuery("Photos").count == 1)
    }

    private struct Odd: Error {}

    @Test func passesOnWhatTheSequenceThrows() async throws {
        let shop = try await Workshop()
        let pieces = AsyncThrowingStream<[UInt8], any Error> { feed in
            feed.yield([1])
            feed.finish(throwing: Odd())
        }
        await #expect(throws: Odd.self) {
            try await shop.provider.setStream(
                "Photos(1)/$value",
                content: pieces,
                contentType: "image/png"
            )
        }
        #expect(try await shop.provider.requestQueueIsEmpty())
    }

    @Test(arguments: [0, 1, 262_143, 262_144, 262_145, 700_000])
    func keepsLongContentsWhateverTheirPieces(_ count: Int) async throws {
        let shop = try await Workshop()
        let content = Self.content(count)
        let photo = try await shop.provider.createMedia(
            EntityValue(entitySet: "Photos", ["Title": "long"]),
            content: Self.pieces(content, of: 100_003),
            contentType: "image/jpeg"
        )
        #expect(photo["Title"]?.stringValue == "long")
        let stream = try #require(try await shop.provider.downloadMedia(of: photo))
        #expect(stream.contentType == "image/jpeg")
        #expect(stream.byteCount == count)
        #expect(try await stream.bytes() == content)
        #expect(try await shop.queue().count == 2)
    }

    @Test func keepsStreamPropertiesBesideTheEntity() async throws {
        let shop = try await Workshop()
        // Nobody has loaded it, so nothing is known of it.
        #expect(await shop.send("GET", "People(1)/Picture").status == 404)
        let put = await shop.send("PUT", "People(1)/Picture", "GIF", ["Content-Type": "image/gif"])
        #expect(put.status == 204)
        let read = await shop.send("GET", "People(1)/Picture")
        #expect(read.text == "GIF")
        #expect(read.headers["Content-Type"] == "image/gif")
        #expect(try await shop.queue() == ["PUT People(1)/Picture"])
        #expect(await shop.send("DELETE", "People(1)/Picture").status == 204)
        #expect(await shop.send("GET", "People(1)/Picture").status == 204)
        #expect(
            try await shop.queue() == ["PUT People(1)/Picture", "DELETE People(1)/Picture"]
        )
    }

    @Test func saysThatStreamsOfEntitiesCreatedHereAreEmpty() async throws {
        let shop = try await Workshop()
        let created = await shop.send("POST", "People", #"{"Name":"New"}"#)
        #expect(created.status == 201, "\(created.text)")
        let link = try #require(
            try await shop.provider.executeQuery("People?$filter=Name eq 'New'").first?.readLink
        )
        #expect(await shop.send("GET", link + "/Picture").status == 204)
    }

    @Test func answersPartsOfAContent() async throws {
        let shop = try await Workshop()
        await shop.send("PUT", "People(1)/Picture", "0123456789", ["Content-Type": "text/plain"])
        let cases: [(String, Int, String, String?)] = [
            ("bytes=2-4", 206, "234", "bytes 2-4/10"), ("bytes=7-", 206, "789", "bytes 7-9/10"),
            ("bytes=-3", 206, "789", "bytes 7-9/10"), ("bytes=10-", 416, "", "bytes */10"),
            ("bytes=4-2", 200, "0123456789", nil), ("items=1-2", 200, "0123456789", nil),
            ("bytes=0-1,4-5", 200, "0123456789", nil), ("bytes=8-99", 206, "89", "bytes 8-9/10"),
        ]
        for (range, status, text, told) in cases {
            let answer = await shop.send("GET", "People(1)/Picture", nil, ["Range": range])
            #expect(answer.status == status, "\(range)")
            #expect(answer.text == text, "\(range)")
            #expect(answer.headers["Content-Range"] == told, "\(range)")
        }
    }

    @Test func takesContentsBackOneByOne() async throws {
        let shop = try await Workshop()
        let before = try await shop.dump()
        await shop.send("PUT", "People(1)/Picture", "one", ["Content-Type": "text/plain"])
        await shop.send("PUT", "People(1)/Picture", "two", ["Content-Type": "text/plain"])
        let ids = try await shop.provider.requestQueue().map(\.id)
        try await shop.provider.dropRequest(ids[1])
        #expect(await shop.get("People(1)/Picture") == "one")
        try await shop.provider.undoPendingChanges("People(1)")
        #expect(await shop.send("GET", "People(1)/Picture").status == 404)
        #expect(try await shop.dump() == before)
        #expect(try contents(shop) == 0)
    }

    @Test func undoesTheCreationOfAMediaEntity() async throws {
        let shop = try await Workshop()
        let before = try await shop.dump()
        let photo = try await shop.provider.createMedia(
            EntityValue(entitySet: "Photos"),
            content: Self.content(600_000),
            contentType: "image/png"
        )
        try await shop.provider.uploadMedia(
            of: photo,
            content: [1, 2],
            contentType: "image/png"
        )
        try await shop.provider.undoPendingChanges(of: photo)
        #expect(try await shop.dump() == before)
        #expect(try contents(shop) == 0)
    }

    @Test func bringsTheStreamBackWithADeletedEntity() async throws {
        let shop = try await Workshop()
        let photo = try await shop.provider.createMedia(
            EntityValue(entitySet: "Photos"),
            content: [7, 8, 9],
            contentType: "image/png"
        )
        try await shop.provider.deleteEntity(photo)
        #expect(try await shop.provider.executeQuery("Photos").isEmpty)
        let last = try #require(try await shop.provider.requestQueue().last)
        try await shop.provider.dropRequest(last.id)
        let stream = try #require(try await shop.provider.downloadMedia(of: photo))
        #expect(try await stream.bytes() == [7, 8, 9])
    }

    @Test func leavesNothingOfAContentThatBreaksOff() async throws {
        let shop = try await Workshop()
        let before = try await shop.dump()
        struct Broken: Error {}
        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield(Self.content(600_000))
            continuation.finish(throwing: Broken())
        }
        await #expect(throws: Broken.self) {
            try await shop.provider.createMedia(
                EntityValue(entitySet: "Photos"),
                content: stream,
                contentType: "image/png"
            )
        }
        #expect(try await shop.dump() == before)
        #expect(try contents(shop) == 0)
    }

    @Test(arguments: [
        ("PUT", "People(1)/$value", 400), ("PUT", "People(99)/Picture", 404),
        ("PUT", "People/Picture", 404), ("PATCH", "People(1)/Picture", 405),
        ("POST", "People", 415), ("DELETE", "People(1)/$value", 400),
    ])
    func refusesStreamsWhereThereAreNone(_ method: String, _ url: String, _ status: Int)
        async throws
    {
        let shop = try await Workshop()
        let before = try await shop.dump()
        let answer = await shop.send(method, url, "x", ["Content-Type": "image/png"])
        #expect(answer.status == status)
        #expect(try await shop.dump() == before)
        #expect(try contents(shop) == 0)
    }

    @Test func checksTheETagOfAStream() async throws {
        let shop = try await Workshop()
        let before = try await shop.dump()
        for headers: HTTPHeaders in [["If-Match": "\"x\""], ["If-Match": "*"]] {
            var headers = headers
            headers["Content-Type"] = "image/png"
            let answer = await shop.send("PUT", "People(1)/Picture", "x", headers)
            #expect(answer.status == 412)
        }
        #expect(try await shop.dump() == before)
        let first = await shop.send(
            "PUT",
            "People(1)/Picture",
            "x",
            ["If-None-Match": "*", "Content-Type": "image/png"]
        )
        #expect(first.status == 204)
    }

    /// How many contents the file holds.
    private func contents(_ shop: Workshop) throws -> Int64 {
        try shop.count(of: "$content") + shop.count(of: "$stream")
    }
}
