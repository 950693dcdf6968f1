import OfflineOData
import Synchronization

/// Tells when a load has received so many bytes.
final class ProgressWatch: OfflineODataDelegate {
    private let state: Mutex<State>

    private struct State {
        var threshold: Int
        var isReached = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    init(threshold: Int) {
        state = Mutex(State(threshold: threshold))
    }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateOpenProgress progress: OfflineODataProgress
    ) {
        guard progress.receivedByteCount >= state.withLock({ $0.threshold }) else { return }
        reach()
    }

    /// Lets the waiter go on: the bytes are there, or the load has ended without them.
    func reach() {
        let waiter = state.withLock { state in
            state.isReached = true
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits for the bytes.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if !state.isReached { state.waiter = continuation }
                return state.isReached
            }
            if isReached { continuation.resume() }
        }
    }
}
