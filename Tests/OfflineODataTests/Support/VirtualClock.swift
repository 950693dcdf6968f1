import OfflineOData
import Synchronization

/// A clock that jumps over every wait, and counts them.
final class VirtualClock: Sendable {
    private let state = Mutex<(now: Duration, waits: [Duration])>((.zero, []))

    /// What was waited for, in order.
    var waits: [Duration] { state.guarded { $0.waits } }
    /// The time that has gone by.
    var now: Duration { state.guarded { $0.now } }

    /// Lets time go by.
    func pass(_ time: Duration) {
        state.guarded { $0.now += time }
    }

    /// The default policy on this clock, without chance.
    var policy: OfflineODataRetryPolicy {
        var policy = OfflineODataRetryPolicy()
        policy.jitter = { 1 }
        policy.clock = { self.now }
        policy.sleep = { time in
            try Task.checkCancellation()
            self.state.guarded { state in
                state.now += time
                state.waits.append(time)
            }
        }
        return policy
    }
}
