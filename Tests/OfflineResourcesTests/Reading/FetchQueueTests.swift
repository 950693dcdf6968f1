import OfflineProvider
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

    /// A reader that comes while the resource is refreshed has what the refresh brings.
    @Test(.timeLimit(.minutes(1)))
    func aReaderHasTheAnswerOfTheRefreshThatItWaitsFor() async throws {
        let queue = FetchQueue(maximumConcurrency: 1)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        queue.schedule("Items", priority: .normal) {
            begin.yield()
            for await _ in gate {}
            return .store
        }
        for await _ in begun { break }
        let reader = Task { try await queue.run("Items") { .nothing } }
        while queue.readerCount(of: "Items") < 2 { await Task.yield() }
        open.finish()
        let source = try await reader.value
        guard case .store = source else {
            Issue.record("the reader has \(source)")
            return
        }
    }
}
