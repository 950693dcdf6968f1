import OfflineOData
import TestSupport
import Testing

/// What a store says of its sets at a glance.
@Suite struct StatusTests {
    private func jobs(_ shop: Workshop) async throws -> [Int] {
        let sets = try await shop.provider.status().entitySets
        let jobs = try #require(sets.first { $0.name == "Jobs" })
        return [jobs.entityCount, jobs.waitingCount, jobs.errorCount]
    }

    @Test func countsDeletionsThatWaitAndThatWereRefused() async throws {
        let shop = try await Workshop()
        let before = try await jobs(shop)
        await shop.send("DELETE", "Jobs(1)")
        #expect(try await jobs(shop) == [before[0] - 1, 1, 0])
        shop.rules.refuse { $0.method == "DELETE" }
        try await shop.provider.upload()
        #expect(try await jobs(shop) == [before[0] - 1, 0, 1])
        try await shop.provider.undoAllPendingChanges()
        #expect(try await jobs(shop) == before)
    }
}
