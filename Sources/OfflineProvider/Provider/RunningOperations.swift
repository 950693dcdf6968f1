import OfflineValues

/// The synchronisations that run now, so that they can be cancelled from outside.
struct RunningOperations {
    private var tasks:
        [Int: (operation: OfflineODataProgress.Operation, cancel: @Sendable () -> Void)] = [:]
    private var next = 0

    /// Registers an operation; answers the number under which it is ended.
    mutating func begin(
        _ operation: OfflineODataProgress.Operation,
        cancel: @escaping @Sendable () -> Void
    ) -> Int {
        next += 1
        tasks[next] = (operation, cancel)
        return next
    }

    mutating func end(_ number: Int) {
        tasks[number] = nil
    }

    /// What cancels the running operations of a kind.
    func cancellations(of operations: Set<OfflineODataProgress.Operation>) -> [@Sendable () -> Void]
    {
        tasks.values.filter { operations.contains($0.operation) }.map(\.cancel)
    }
}
