import ODataProtocol

/// How often a request is sent again that may be: one that only reads, or one that the service has not looked at.
///
/// The time between two attempts doubles each time, is shortened at random so that many clients do not come back together, and is
/// what the service says in `Retry-After` where it says so.
public struct OfflineODataRetryPolicy: Sendable {
    /// Attempts in all; 1 never repeats.
    public var maximumAttempts = 4
    /// Time before the second attempt.
    public var firstDelay: Duration = .milliseconds(500)
    /// Longest time between two attempts that is chosen here.
    public var maximumDelay: Duration = .seconds(30)
    /// Longest time that a service may ask for; beyond it the request fails at once.
    public var maximumRetryAfter: Duration = .seconds(120)
    /// Waits; tests put a clock of their own here.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// The part of a delay that is kept, from 0 to 1.
    public var jitter: @Sendable () -> Double = { Double.random(in: 0.5...1) }

    /// Creates a policy with the defaults.
    public init() {}

    /// Every request is sent once.
    public static var never: OfflineODataRetryPolicy {
        var policy = OfflineODataRetryPolicy()
        policy.maximumAttempts = 1
        return policy
    }

    /// Returns how long to wait before the attempt after this one; nil where there is to be none.
    ///
    /// - Parameters:
    ///   - attempt: Number of the attempt that failed, 1-based.
    ///   - retryAfter: What the service said.
    func delay(after attempt: Int, retryAfter: String? = nil) -> Duration? {
        guard attempt < maximumAttempts else { return nil }
        if let asked = retryAfter.flatMap(RetryAfter.init) {
            let delay = asked.delay(from: .now)
            return delay <= maximumRetryAfter ? delay : nil
        }
        var delay = firstDelay
        for _ in 1..<attempt where delay < maximumDelay { delay *= 2 }
        return min(delay, maximumDelay) * jitter()
    }
}
