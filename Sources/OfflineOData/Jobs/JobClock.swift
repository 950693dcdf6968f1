#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Time as a job sees it.
package struct JobClock: Sendable {
    /// The time of day.
    package var now: @Sendable () -> Date = { Date() }
    /// Waits.
    package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    package init() {}
}
