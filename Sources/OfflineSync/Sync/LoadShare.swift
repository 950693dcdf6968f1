import ODataValues
import Synchronization

/// How much of its pages each of the loads that run at the same time may hold.
///
/// Few loads take large pieces, which make few transactions; many take small ones, so that together they need no more memory.
final class LoadShare: Sendable {
    private let runningCount = Mutex(0)

    /// Bytes that all loads together work in at once.
    private static let totalSize = 12 * 1024 * 1024
    /// About as many rows as load best in one transaction.
    private static let largestSize = 2 * 1024 * 1024
    private static let smallestSize = 128 * 1024

    /// Bytes that a load works in at once.
    var chunkSize: Int {
        let share = Self.totalSize / max(1, runningCount.guarded { $0 })
        return min(max(share, Self.smallestSize), Self.largestSize)
    }

    /// Counts a load for as long as it runs.
    func withLoad<R>(_ body: () async throws -> R) async rethrows -> R {
        runningCount.guarded { $0 += 1 }
        defer { runningCount.guarded { $0 -= 1 } }
        return try await body()
    }
}
