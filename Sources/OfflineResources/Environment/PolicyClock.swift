#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The time by which copies expire and periodic refreshes run; an application or a test can replace it.
public protocol PolicyClock: Sendable {
    /// The current time.
    var now: Date { get }
    /// Waits.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The clock of the device.
public struct SystemPolicyClock: PolicyClock {
    /// Creates the clock.
    public init() {}

    /// The current time.
    public var now: Date { Date() }

    /// Waits.
    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration)
    }
}
