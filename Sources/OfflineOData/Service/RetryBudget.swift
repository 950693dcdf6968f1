import ODataProtocol
import Synchronization

/// The attempts and the time that an operation has left.
///
/// Every layer that takes part in the operation draws on the same budget, so that the counts of nested loops never multiply.
final class RetryBudget: Sendable {
    private let policy: OfflineODataRetryPolicy
    private let state: Mutex<State>

    private struct State {
        var failedAttempts = 0
        /// Time spent in waiting, for clocks that stand still meanwhile.
        var waited: Duration = .zero
        /// When the first attempt failed.
        var start: Duration?
    }

    init(_ policy: OfflineODataRetryPolicy) {
        self.policy = policy
        state = Mutex(State())
    }

    /// Counts a failed attempt and waits for the next one.
    ///
    /// - Parameter retryAfter: What the service said about the next attempt.
    /// - Returns: false, without waiting, where no attempt is left, or where the next one would come too late.
    func waits(retryAfter: String? = nil) async throws -> Bool {
        let now = policy.clock()
        let delay = state.guarded { state -> Duration? in
            state.failedAttempts += 1
            let start = state.start ?? now
            state.start = start
            guard
                let delay = policy.delay(after: state.failedAttempts, retryAfter: retryAfter),
                max(now - start, state.waited) + delay <= policy.maximumTotalTime
            else { return nil }
            state.waited += delay
            return delay
        }
        guard let delay else { return false }
        try await policy.sleep(delay)
        return true
    }

    /// Begins anew: the operation has come further.
    func reset() {
        state.guarded { $0 = State() }
    }
}
