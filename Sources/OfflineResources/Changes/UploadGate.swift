import ODataValues
import OfflineOData
import Synchronization

/// Lets one upload of an engine run after the other.
final class UploadGate: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Runs work when that before it has ended.
    ///
    /// - Throws: ``OfflineODataError`` (in use) inside of a rule that decides a conflict: the upload before waits for it.
    func run<R: Sendable>(_ work: @escaping @Sendable () async throws -> R) async throws -> R {
        guard !PolicyObserver.isDeciding else { throw OfflineODataError.deciding }
        let task = last.guarded { last -> Task<R, any Error> in
            let before = last
            let task = Task {
                await before?.value
                try Task.checkCancellation()
                return try await work()
            }
            last = Task { _ = try? await task.value }
            return task
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

extension OfflineODataError {
    /// A rule of the application asks for what waits for the rule.
    static let deciding = OfflineODataError(
        .inUse,
        "a conflict is being decided: synchronise when the rule has answered"
    )
}
