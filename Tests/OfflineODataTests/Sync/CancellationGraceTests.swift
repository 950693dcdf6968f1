import Testing

@testable import OfflineSync
@testable import OfflineOData

/// What goes on for a while after its task was cancelled.
@Suite struct CancellationGraceTests {
    /// Returns whether the work was cancelled before its end.
    private func isCancelled(grace: Duration) async throws -> Bool {
        let task = Task {
            try await CancellationGrace.run(grace: grace) {
                for _ in 0..<1_000 where !Task.isCancelled { await Task.yield() }
                return Task.isCancelled
            }
        }
        task.cancel()
        return try await task.value
    }

    @Test func goesOnWithinTheGracePeriod() async throws {
        #expect(try await !isCancelled(grace: .seconds(3_600)))
    }
}
