@testable import StoreRecords
@testable import StoreUpload
import ODataHTTP
import Testing

@testable import OfflineStore

/// What the file says of requests that are being sent.
@Suite struct SentUnitTests {
    private static let now = "2026-01-01T00:00:00Z"

    /// Two orders, each with a change in the same transaction, and one without.
    private func changed() async throws -> SeamStore {
        let seam = try SeamStore()
        try seam.addQuery("Orders", url: "Orders")
        let rows = "{\"ID\":1} {\"ID\":2} {\"ID\":3}"
        try await seam.merge([seam.page("Orders", isDelta: false, rows)])
        var options = ChangeOptions()
        options.transaction = .named("t")
        for key in 1...2 {
            let answer = await seam.respond(
                "PATCH",
                "Orders(\(key))",
                body: #"{"Title":"b"}"#,
                options
            )
            try #require(answer.isSuccess)
        }
        let answer = await seam.respond("PATCH", "Orders(3)", body: #"{"Title":"b"}"#, .init())
        try #require(answer.isSuccess)
        return seam
    }

    /// Answers are matched by Content-ID, so no two requests of a batch may have the same.
    @Test func numbersEveryRequestOfABatch() async throws {
        let units = try await changed().send(nil).units
        #expect(units.map { $0.requests.map(\.contentID) } == [[1, 2], [3]])
    }

    // MARK: Identities

    private func mark(
        _ seam: SeamStore,
        _ ids: [Int64],
        _ form: QueueEntry.Flags
    ) throws -> Set<String> {
        try seam.store.file.writeBlocking { connection in
            let queue = RequestQueue(connection)
            let entries = try ids.compactMap { try queue.entry($0) }
            let marked = try queue.markSending(entries, as: form, now: Self.now)
            for id in ids { try queue.setPending(id, isForgotten: false) }
            return Set(marked.compactMap(\.unit))
        }
    }

    /// Repeatable Requests 1.0 § 4: an identity is that of one request, as it was sent first.
    @Test(
        arguments: [
            ([1, 2], [.identified, .inBatch, .inChangeSet], isSame: true),
            ([1], [.identified, .inBatch, .inChangeSet], isSame: false),
            ([1, 3], [.identified, .inBatch, .inChangeSet], isSame: false),
            ([1, 2], [.identified], isSame: false),
            ([1, 2], [.identified, .inBatch], isSame: false),
        ] as [([Int64], QueueEntry.Flags, isSame: Bool)]
    )
    func keepsTheIdentityOfWhatIsSentAsItWas(
        _ ids: [Int64],
        _ form: QueueEntry.Flags,
        _ isSame: Bool
    ) async throws {
        let seam = try await changed()
        let first = try mark(seam, [1, 2], [.identified, .inBatch, .inChangeSet])
        #expect(first.count == 1)
        #expect(try (mark(seam, ids, form) == first) == isSame)
    }

    /// One of its members is carried out or taken back: the rest is another request.
    @Test func givesWhatIsLeftOfAChangeSetAnIdentityOfItsOwn() async throws {
        let seam = try await changed()
        let form: QueueEntry.Flags = [.identified, .inBatch, .inChangeSet]
        let first = try mark(seam, [1, 2], form)
        try seam.store.file.writeBlocking { try RequestQueue($0).remove(2) }
        #expect(try mark(seam, [1], form) != first)
    }

    @Test func keepsTheIdentityOfARequestThatLeavesAChangeSet() async throws {
        let seam = try await changed()
        let alone = try mark(seam, [3], [.identified, .inBatch, .inChangeSet])
        let single = try mark(seam, [3], [.identified])
        #expect(single != alone)
        #expect(try mark(seam, [3], [.identified]) == single)
    }

    // MARK: Rounds that have not left

    /// What is at the service must not be taken for unsent: it would be sent twice.
    @Test func givesBackOnceWhatHasNotLeft() async throws {
        let seam = try await changed()
        _ = try seam.send(nil).units
        try seam.store.file.writeBlocking { connection in
            try UnsentRound.hold([3], on: connection)
            try UnsentRound.giveBack(connection)
        }
        #expect(try seam.entries().map(\.status) == [.sending, .sending, .pending])
        #expect(try seam.send(nil).units.count == 1)
        try seam.store.file.writeBlocking { try UnsentRound.giveBack($0) }
        let now = try seam.entries().map(\.status)
        #expect(now == [.sending, .sending, .sending])
    }

    /// A request that was answered meanwhile is not sent again.
    @Test func givesBackOnlyWhatIsStillBeingSent() async throws {
        let seam = try await changed()
        _ = try seam.send(nil).units
        try seam.store.file.writeBlocking { try UnsentRound.hold([1, 2, 3], on: $0) }
        try seam.record(3, status: 400, etag: nil, entityID: nil, body: nil)
        try seam.store.file.writeBlocking { try UnsentRound.giveBack($0) }
        #expect(try seam.entries().map(\.status) == [.pending, .pending, .failed])
    }
}
