import ODataValues
import Synchronization

/// The body of a request on its way from the task that reads it to the network's thread.
///
///     task ── offer(piece), waits until it is used up ──> [piece] ── take(upTo:) ──> network
///
/// One piece is held at a time. Without one the network pauses; `hasMore` wakes it when the next one has arrived.
package final class RequestBodyFeed: Sendable {
    /// What the network's thread gets.
    package enum Portion {
        case bytes(ArraySlice<UInt8>)
        /// Nothing yet.
        case wait
        /// The body cannot be read.
        case failed
    }

    private struct State {
        var piece: ArraySlice<UInt8> = []
        /// Whether the network waits for the next piece.
        var isStarving = false
        var isEnded = false
        var hasFailed = false
        /// The task that waits for room.
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let hasMore: @Sendable () -> Void

    package init(hasMore: @escaping @Sendable () -> Void) {
        self.hasMore = hasMore
    }

    // MARK: - The task's side

    /// Reads the body to its end, as fast as it is sent.
    package func run(_ body: HTTPBody) async {
        do {
            for try await piece in body {
                guard await offer(piece) else { return }
            }
            // Most sequences of a cancelled task end as if they were whole.
            close(failed: Task.isCancelled)
        } catch {
            close(failed: true)
        }
    }

    /// Waits until the piece is used up; answers whether more is wanted.
    private func offer(_ piece: [UInt8]) async -> Bool {
        guard !piece.isEmpty else { return true }
        await withCheckedContinuation { continuation in
            let (isOver, wasStarving) = state.guarded { state in
                guard !state.isEnded else { return (true, false) }
                state.piece = piece[...]
                state.waiter = continuation
                defer { state.isStarving = false }
                return (false, state.isStarving)
            }
            if isOver { continuation.resume() }
            if wasStarving { hasMore() }
        }
        return state.guarded { !$0.isEnded }
    }

    private func close(failed: Bool) {
        let wasStarving = state.guarded { state in
            state.isEnded = true
            state.hasFailed = failed
            defer { state.isStarving = false }
            return state.isStarving
        }
        if wasStarving { hasMore() }
    }

    // MARK: - The network's side

    /// Takes what there is, at most `count` bytes; an empty portion is the end of the body.
    package func take(upTo count: Int) -> Portion {
        let (portion, waiter) = state.guarded {
            state -> (Portion, CheckedContinuation<Void, Never>?) in
            if state.hasFailed { return (.failed, nil) }
            guard !state.piece.isEmpty else {
                if state.isEnded { return (.bytes([]), nil) }
                state.isStarving = true
                return (.wait, nil)
            }
            let taken = state.piece.prefix(count)
            state.piece = state.piece.dropFirst(count)
            guard state.piece.isEmpty else { return (.bytes(taken), nil) }
            defer { state.waiter = nil }
            return (.bytes(taken), state.waiter)
        }
        waiter?.resume()
        return portion
    }

    /// Nothing more is wanted.
    package func stop() {
        let waiter = state.guarded { state in
            state.isEnded = true
            state.piece = []
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}
