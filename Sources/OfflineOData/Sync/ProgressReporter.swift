import Synchronization

/// Keeps the progress of one operation and tells it to the delegate.
final class ProgressReporter: Sendable {
    private let progress: Mutex<OfflineODataProgress>
    private let tell: @Sendable (OfflineODataProgress) -> Void

    init(
        _ operation: OfflineODataProgress.Operation,
        tell: @escaping @Sendable (OfflineODataProgress) -> Void
    ) {
        progress = Mutex(OfflineODataProgress(operation: operation, step: .loadingMetadata))
        self.tell = tell
    }

    /// Entities received so far.
    var receivedEntityCount: Int { progress.withLock { $0.receivedEntityCount } }

    /// Changes the progress and tells it.
    func update(_ change: (inout OfflineODataProgress) -> Void) {
        let now = progress.withLock { progress in
            change(&progress)
            return progress
        }
        tell(now)
    }
}
