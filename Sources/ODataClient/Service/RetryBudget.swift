package import OfflineValues
import ODataValues

import Synchronization

/// The attempts and the time that an operation has left.
///
/// Every layer that takes part in the operation draws on the same budget, so that the counts of nested loops never multiply.
package final class RetryBudget: Sendable {
    private let policy: OfflineODataRetryPolicy
    private let log: Log
    private let state: Mutex<State>

    private struct State: Sendable {
        var failedAttempts = 0
        /// Time spent in waiting, for clocks that stand still meanwhile.
        var waited: Duration = .zero
        /// When the first attempt failed.
        var start: Duration?
    }

    package init(_ policy: OfflineODataRetryPolicy, log: Log = Log(nil)) {
        self.policy = policy
        self.log = log
        state = Mutex(State())
    }

    /// Counts a failed attempt and waits for the next one.
    ///
    /// - Parameter retryAfter: What the service said about the next attempt.
    /// - Returns: false, without waiting, where no attempt is left, or where the next one would come too late.
    package func waits(retryAfter: String? = nil) async throws -> Bool {
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
        let attempt = state.guarded { $0.failedAttempts }
        guard let delay else {
            log(.warning, "request.givenUp", [("attempts", .count(attempt))])
            return false
        }
        log(.warning, "request.retry", [("attempt", .count(attempt)), ("ms", .time(delay))])
        try await policy.sleep(delay)
        return true
    }

    /// Asks one of many questions: the attempts that an answered one took do not count against the next.
    ///
    /// The count of the operation around it stays as it was, so that asking does not let that go on for ever.
    package func asking<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
        let before = state.guarded { $0 }
        let answer = try await ask()
        state.guarded { $0 = before }
        return answer
    }

    /// Begins anew: the operation has come further.
    package func reset() {
        state.guarded { $0 = State() }
    }
}
