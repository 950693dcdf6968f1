import OfflineValues

/// The synchronisations that run now, so that they can be cancelled from outside.
struct RunningOperations {
    private var running: [Int: Running] = [:]
    private var next = 0

    /// Whether the task at hand is work of an operation, which cannot wait for its own end.
    @TaskLocal static var isInside = false

    private struct Running {
        var operation: OfflineODataProgress.Operation
        var cancel: @Sendable () -> Void
        /// Returns when the operation has ended.
        var end: @Sendable () async -> Void
    }

    /// Registers an operation; answers the number under which it is ended.
    mutating func begin<R>(
        _ operation: OfflineODataProgress.Operation,
        in task: Task<R, any Error>
    ) -> Int {
        next += 1
        running[next] = Running(
            operation: operation,
            cancel: { task.cancel() },
            end: { _ = await task.result }
        )
        return next
    }

    mutating func end(_ number: Int) {
        running[number] = nil
    }

    /// What cancels the running operations of a kind.
    func cancellations(of operations: Set<OfflineODataProgress.Operation>) -> [@Sendable () -> Void]
    {
        running.values.filter { operations.contains($0.operation) }.map(\.cancel)
    }

    /// What waits for the ends of all that runs.
    var ends: [@Sendable () async -> Void] { running.values.map(\.end) }
}
