import Testing

@testable import OfflineResources

/// Fetches of which readers wait together.
@Suite struct FetchQueueTests {
    /// The fetch goes on as long as one reader waits for it, and is cancelled with the last.
    @Test(.timeLimit(.minutes(1)))
    func theLastReaderThatGivesUpCancelsTheFetch() async throws {
        let queue = FetchQueue(maximumConcurrency: 1)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        // Nothing comes: waiting for it ends with the cancellation alone.
        let (nothing, source) = AsyncStream.makeStream(of: Void.self)
        let fetch: FetchQueue.Work = {
            begin.yield()
            for await _ in nothing {}
            end.yield()
            throw CancellationError()
        }
        let first = Task { try await queue.run("Items", work: fetch) }
        for await _ in begun { break }
        let second = Task { try await queue.run("Items", work: fetch) }
        while queue.readerCount(of: "Items") < 2 { await Task.yield() }
        first.cancel()
        while queue.readerCount(of: "Items") > 1 { await Task.yield() }
        second.cancel()
        for await _ in ended { break }
        source.finish()
        await #expect(throws: CancellationError.self) { _ = try await second.value }
    }
}
