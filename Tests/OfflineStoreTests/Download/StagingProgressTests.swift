@testable import StoreDownload
@testable import StoreRecords
import ODataSQLite
import Testing

@testable import OfflineStore

/// What is written down of a download that is cut.
@Suite struct StagingProgressTests {
    private func query(_ name: String, slot: Int) -> DefiningQuery {
        DefiningQuery(
            name: name,
            url: name,
            slot: slot,
            retrievesStreams: false,
            isLoaded: true,
            needsFullRead: false
        )
    }

    private func write(
        _ query: DefiningQuery,
        start: String,
        begun: String,
        _ staging: StagingFile
    ) async throws {
        let progress = StagingProgress(lastID: 1, isRead: true, begun: begun)
        try await staging.queue.run { try progress.write(query, start: start, on: $0) }
    }

    /// What was merged is not taken for read the next time.
    @Test func forgetsTheQueriesThatWereMerged() async throws {
        let seam = try SeamStore()
        let staging = try StagingFile(
            besides: seam.store.file.path,
            continuing: "k",
            encryption: nil
        )
        let (merged, cut) = (query("Orders", slot: 0), query("Items", slot: 1))
        for query in [merged, cut] {
            try await write(query, start: query.url, begun: "then", staging)
        }
        try staging.keep([cut], key: "k")
        #expect(try await StagingProgress.read(merged, start: merged.url, in: staging) == nil)
        #expect(try await StagingProgress.read(cut, start: cut.url, in: staging) != nil)
    }

    /// A later page of the same read does not move its beginning, another read has its own.
    @Test func remembersWhenAReadBegan() async throws {
        let seam = try SeamStore()
        let staging = try StagingFile(besides: seam.store.file.path, encryption: nil)
        let orders = query("Orders", slot: 0)
        try await write(orders, start: "Orders", begun: "1", staging)
        try await write(orders, start: "Orders", begun: "2", staging)
        #expect(try await StagingProgress.read(orders, start: "Orders", in: staging)?.begun == "1")
        try await write(orders, start: "Orders?token", begun: "3", staging)
        #expect(
            try await StagingProgress.read(orders, start: "Orders?token", in: staging)?.begun == "3"
        )
    }
}
