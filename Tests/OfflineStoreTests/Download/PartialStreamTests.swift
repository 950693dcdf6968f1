@testable import StoreRecords
import ODataSQL
@testable import StoreDownload
import ODataSQLite
import ODataValues
import ODataAnswers
import ODataTables
import Testing

@testable import OfflineStore

/// A part of a stream is gone on with only where it is the same stream.
@Suite struct PartialStreamTests {
    private func target(_ row: Int64, _ property: String, _ link: String, in seam: SeamStore)
        async throws -> MediaTarget
    {
        let layout = try await seam.store.schema().layout
        return MediaTarget(
            row: row,
            source: try #require(layout.orderedTables.first { $0.name == "Photos" }).source,
            property: property,
            link: link,
            etag: "\"1\"",
            storedETag: nil,
            hasContent: false,
            isKnownEmpty: false
        )
    }

    /// Records three bytes of the stream of row 7.
    private func record(in seam: SeamStore, _ link: String = "a/$value") async throws -> Int64 {
        let content = try await seam.store.file.write {
            try StreamTable($0).add([1, 2, 3], contentType: "image/png")
        }
        let target = try await target(7, "", link, in: seam)
        try await PartialStream(of: target, etag: "\"1\"", content: content).record(in: seam.store)
        return content
    }

    @Test func knowsWhatHasCome() async throws {
        let seam = try SeamStore()
        let content = try await record(in: seam)
        let same = try await target(7, "", "a/$value", in: seam)
        let part = try #require(try await PartialStream.read(of: same, seam.store))
        #expect(part.content == content)
        #expect(part.byteCount == 3)
        #expect([part.contentType, part.etag, part.link] == ["image/png", "\"1\"", "a/$value"])
    }

    @Test(
        arguments: [(8, "", "a/$value"), (7, "Thumb", "a/$value"), (7, "", "b/$value")]
            as [(Int64, String, String)]
    )
    func isOfNoOtherStream(_ row: Int64, _ property: String, _ link: String) async throws {
        let seam = try SeamStore()
        _ = try await record(in: seam)
        let other = try await target(row, property, link, in: seam)
        #expect(try await PartialStream.read(of: other, seam.store) == nil)
    }

    /// A line in a link would be read as the next field.
    @Test func isNotRecordedWhereItCouldNotBeRead() async throws {
        let seam = try SeamStore()
        _ = try await record(in: seam, "a\nb")
        let same = try await target(7, "", "a\nb", in: seam)
        #expect(try await PartialStream.read(of: same, seam.store) == nil)
    }

    /// Streams are received side by side: none takes away what has come of another.
    @Test func standsBesideThePartsOfOtherStreams() async throws {
        let seam = try SeamStore()
        let first = try await record(in: seam)
        let second = try await seam.store.file.write {
            try StreamTable($0).add([4], contentType: "image/png")
        }
        let other = try await target(8, "Thumb", "b/$value", in: seam)
        try await PartialStream(of: other, etag: "\"2\"", content: second).record(in: seam.store)
        let same = try await target(7, "", "a/$value", in: seam)
        #expect(try await PartialStream.read(of: same, seam.store)?.content == first)
        #expect(try await PartialStream.read(of: other, seam.store)?.content == second)
        // What has become the stream of an entity is nothing to go on with.
        try await seam.store.file.write { connection in
            try connection.run(
                "INSERT INTO \"$streamHead\" (\"row\", \"property\", \"content\") VALUES (7, '', ?1)",
                [.integer(first)]
            )
        }
        try await PartialStream(of: other, etag: "\"2\"", content: second).record(in: seam.store)
        #expect(try await PartialStream.read(of: same, seam.store) == nil)
        #expect(try await PartialStream.read(of: other, seam.store)?.content == second)
    }

    @Test func beginsAnewInThePlaceOfItsOwnPart() async throws {
        let seam = try SeamStore()
        _ = try await record(in: seam)
        let second = try await record(in: seam)
        let same = try await target(7, "", "a/$value", in: seam)
        #expect(try await PartialStream.read(of: same, seam.store)?.content == second)
    }
}
