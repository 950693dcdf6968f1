import ODataHTTP

/// How often a request is sent again that may be: one that only reads, or one that the service has not looked at.
///
/// The time between two attempts doubles each time, is shortened at random so that many clients do not come back together, and is
/// what the service says in `Retry-After` where it says so. The attempts of a request are counted once, however many layers take
/// part in it: a page that breaks off, its redirects, a change that waits for its turn again.
public struct OfflineODataRetryPolicy: Sendable {
    /// Attempts in all; 1 never repeats.
    public var maximumAttempts = 4
    /// Time before the second attempt.
    public var firstDelay: Duration = .milliseconds(500)
    /// Longest time between two attempts that is chosen here.
    public var maximumDelay: Duration = .seconds(30)
    /// Longest time that a service may ask for; beyond it the request fails at once.
    public var maximumRetryAfter: Duration = .seconds(120)
    /// Longest time from the first failure in which another attempt is begun, waiting included.
    public var maximumTotalTime: Duration = .seconds(300)
    /// How often a service is asked whether a request that it has accepted (202) is carried out.
    public var maximumStatusRequests = 100
    /// Longest time in which it is asked; beyond it the request counts as one whose answer was lost.
    public var maximumStatusTime: Duration = .seconds(120)
    /// Waits; tests put a clock of their own here.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// The time since some fixed moment; tests put a clock of their own here.
    public var clock: @Sendable () -> Duration = { start.duration(to: .now) }
    /// The part of a delay that is kept, from 0 to 1.
    public var jitter: @Sendable () -> Double = { Double.random(in: 0.5...1) }

    private static let start = ContinuousClock.now

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
    package func delay(after attempt: Int, retryAfter: String? = nil) -> Duration? {
        guard attempt < maximumAttempts else { return nil }
        if let asked = retryAfter.flatMap(RetryAfter.init)?.delay(from: .now), asked > .zero {
            return asked <= maximumRetryAfter ? asked : nil
        }
        return backOff(after: attempt)
    }

    /// Returns the time that is chosen here, before the attempt after this one.
    package func backOff(after attempt: Int) -> Duration {
        var delay = firstDelay
        for _ in 1..<max(1, attempt) {
            guard delay < maximumDelay else { break }
            delay *= 2
        }
        return min(delay, maximumDelay) * jitter()
    }
}
