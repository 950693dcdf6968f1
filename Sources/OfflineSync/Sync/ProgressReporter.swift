package import OfflineValues
import ODataValues

import Synchronization

/// Keeps the progress of one operation and reports it to the delegate.
package final class ProgressReporter: Sendable {
    private let progress: Mutex<State>
    private let report: @Sendable (OfflineODataProgress) -> Void

    package init(
        _ operation: OfflineODataProgress.Operation,
        report: @escaping @Sendable (OfflineODataProgress) -> Void
    ) {
        progress = Mutex(State(OfflineODataProgress(operation: operation)))
        self.report = report
    }

    private struct State {
        var progress: OfflineODataProgress
        var lastReport = ContinuousClock.now
        var reportedByteCount = 0

        init(_ progress: OfflineODataProgress) {
            self.progress = progress
        }

        mutating func noteReport(at time: ContinuousClock.Instant) {
            lastReport = time
            reportedByteCount = progress.receivedByteCount
        }
    }

    /// Counts are reported after this time or after so many bytes, steps always.
    private static let interval: Duration = .milliseconds(50)
    private static let byteInterval = 1024 * 1024

    /// Entities received so far.
    var receivedEntityCount: Int { progress.guarded { $0.progress.receivedEntityCount } }

    /// Changes the progress and reports it.
    ///
    /// A step does not go back, also where some work of an earlier one is done again.
    package func update(_ change: (inout OfflineODataProgress) -> Void) {
        let now = progress.guarded { state in
            let step = state.progress.step
            let number = state.progress.stepNumber
            change(&state.progress)
            if state.progress.stepNumber < number { state.progress.step = step }
            state.noteReport(at: .now)
            return state.progress
        }
        report(now)
    }

    /// Changes counts and reports them, unless the last report was a moment ago.
    package func advance(_ change: (inout OfflineODataProgress) -> Void) {
        let reported = progress.guarded { state -> OfflineODataProgress? in
            change(&state.progress)
            let now = ContinuousClock.now
            let newBytes = state.progress.receivedByteCount - state.reportedByteCount
            guard newBytes >= Self.byteInterval || now - state.lastReport >= Self.interval else {
                return nil
            }
            state.noteReport(at: now)
            return state.progress
        }
        if let reported { report(reported) }
    }
}
