package import OfflineValues
import ODataValues

import Synchronization

/// Keeps the progress of one operation and tells it to the delegate.
package final class ProgressReporter: Sendable {
    private let progress: Mutex<State>
    private let tell: @Sendable (OfflineODataProgress) -> Void

    package init(
        _ operation: OfflineODataProgress.Operation,
        tell: @escaping @Sendable (OfflineODataProgress) -> Void
    ) {
        progress = Mutex(State(OfflineODataProgress(operation: operation)))
        self.tell = tell
    }

    private struct State {
        var progress: OfflineODataProgress
        var lastTold = ContinuousClock.now
        var toldByteCount = 0

        init(_ progress: OfflineODataProgress) {
            self.progress = progress
        }

        mutating func noteTold(at time: ContinuousClock.Instant) {
            lastTold = time
            toldByteCount = progress.receivedByteCount
        }
    }

    /// Counts are reported after this time or after so many bytes, steps always.
    private static let interval: Duration = .milliseconds(50)
    private static let byteInterval = 1024 * 1024

    /// Entities received so far.
    var receivedEntityCount: Int { progress.guarded { $0.progress.receivedEntityCount } }

    /// Changes the progress and tells it.
    ///
    /// A step does not go back, also where some work of an earlier one is done again.
    package func update(_ change: (inout OfflineODataProgress) -> Void) {
        let now = progress.guarded { state in
            let step = state.progress.step
            let number = state.progress.stepNumber
            change(&state.progress)
            if state.progress.stepNumber < number { state.progress.step = step }
            state.noteTold(at: .now)
            return state.progress
        }
        tell(now)
    }

    /// Changes counts and reports them, unless the last report was a moment ago.
    package func advance(_ change: (inout OfflineODataProgress) -> Void) {
        let told = progress.guarded { state -> OfflineODataProgress? in
            change(&state.progress)
            let now = ContinuousClock.now
            let newBytes = state.progress.receivedByteCount - state.toldByteCount
            guard newBytes >= Self.byteInterval || now - state.lastTold >= Self.interval else {
                return nil
            }
            state.noteTold(at: now)
            return state.progress
        }
        if let told { tell(told) }
    }
}
