import Synchronization

/// Keeps the progress of one operation and tells it to the delegate.
final class ProgressReporter: Sendable {
    private let progress: Mutex<State>
    private let tell: @Sendable (OfflineODataProgress) -> Void

    init(
        _ operation: OfflineODataProgress.Operation,
        tell: @escaping @Sendable (OfflineODataProgress) -> Void
    ) {
        progress = Mutex(State(OfflineODataProgress(operation: operation, step: .loadingMetadata)))
        self.tell = tell
    }

    private struct State {
        var progress: OfflineODataProgress
        var lastTold = ContinuousClock.now

        init(_ progress: OfflineODataProgress) {
            self.progress = progress
        }
    }

    /// Counts are told at most this often, steps always.
    private static let interval: Duration = .milliseconds(50)

    /// Entities received so far.
    var receivedEntityCount: Int { progress.withLock { $0.progress.receivedEntityCount } }

    /// Changes the progress and tells it.
    func update(_ change: (inout OfflineODataProgress) -> Void) {
        let now = progress.withLock { state in
            change(&state.progress)
            state.lastTold = .now
            return state.progress
        }
        tell(now)
    }

    /// Changes counts and tells them, if nothing has been told for a moment.
    func advance(_ change: (inout OfflineODataProgress) -> Void) {
        let told = progress.withLock { state -> OfflineODataProgress? in
            change(&state.progress)
            let now = ContinuousClock.now
            guard now - state.lastTold >= Self.interval else { return nil }
            state.lastTold = now
            return state.progress
        }
        if let told { tell(told) }
    }
}
