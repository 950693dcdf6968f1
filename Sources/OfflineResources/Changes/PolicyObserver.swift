import ODataValues
import OfflineOData
import OfflineStore
import Synchronization

/// Hears of the provider's changes and synchronisations, and applies policies to those that go past the engine.
final class PolicyObserver: StoreObserver {
    private struct Holder { weak var engine: PolicyEngine? }

    private let holder = Mutex(Holder())

    /// Whether a change has passed the policies already.
    @TaskLocal static var isPassed = false
    /// Whether a rule of the application decides a conflict: what it does itself settles none.
    @TaskLocal static var isDeciding = false
    /// Whether an upload is part of the settlement of conflicts.
    @TaskLocal static var isSettling = false

    func attach(_ engine: PolicyEngine) { holder.guarded { $0.engine = engine } }

    private var engine: PolicyEngine? { holder.guarded { $0.engine } }

    func willMake(_ change: LocalChange) throws {
        guard !Self.isPassed, let engine else { return }
        try engine.checkWaiting(change)
    }

    func queueCheck() async throws -> QueueCheck? {
        guard !Self.isPassed, let engine else { return nil }
        return try await engine.queueCheck()
    }

    func willUpload() async throws {
        guard let engine else { return }
        try await engine.orderQueue()
    }

    func didUpload(_ result: Result<OfflineODataUploadResult, any Error>) async {
        guard !Self.isSettling, !Self.isDeciding, let engine else { return }
        await engine.settle(sendsAgain: (try? result.get()) != nil)
        // What cannot be deleted now is deleted after the next upload.
        _ = try? await engine.wipeUnstorable()
    }

    var wantsRowChanges: Bool { engine?.events.hasReaders ?? false }

    func didChange(_ changes: [RowChange]) async {
        await engine?.report(changes)
    }

    func didDownload(_ error: (any Error)?) async {
        guard !Self.isSettling, !Self.isDeciding, error == nil, let engine else { return }
        await engine.settle(sendsAgain: false)
    }
}
