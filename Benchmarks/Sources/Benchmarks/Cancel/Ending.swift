import Synchronization

/// How an operation has ended, for one who waits for it.
final class Ending: Sendable {
    private let state = Mutex(State())

    private struct State {
        var hasEnded = false
        var error: (any Error)?
        var waiter: CheckedContinuation<(any Error)?, Never>?
    }

    /// Notes the end.
    func end(_ error: (any Error)?) {
        let waiter = state.withLock { state in
            state.hasEnded = true
            state.error = error
            return state.waiter.take()
        }
        waiter?.resume(returning: error)
    }

    /// Waits for the end.
    func wait() async -> (any Error)? {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiter = continuation }
                return state.hasEnded
            }
            if hasEnded { continuation.resume(returning: state.withLock { $0.error }) }
        }
    }
}
