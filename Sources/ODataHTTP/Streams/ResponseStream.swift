import ODataValues
import Synchronization

/// An answer on its way from the network's thread to the task that reads it.
///
///     network ── receive(head) ──> [head]   ──> head()
///             ── write ─────────> [pieces] ──> next()   full: write answers false, and
///             ── finish ────────> [end]                 wantsMore is called once one is taken
///
/// Continuations are resumed outside the lock.
package final class ResponseStream: Sendable {
    private let state = Mutex(State())
    private let bufferBytes: Int
    private let wantsMore: @Sendable () -> Void

    fileprivate typealias HeadWaiter = CheckedContinuation<ResponseHead, any Error>
    fileprivate typealias PieceWaiter = CheckedContinuation<[UInt8]?, any Error>

    fileprivate struct State {
        var head: ResponseHead?
        var headWaiter: HeadWaiter?
        /// What has come, in the order in which it came; small ones grow, none is copied into a larger one.
        var pieces: [[UInt8]] = []
        var byteCount = 0
        var pieceWaiter: PieceWaiter?
        var isPaused = false
        var end: End?
    }

    /// Who waits at the end, and what there is for them.
    fileprivate struct Waiters {
        let head: ResponseHead?
        let headWaiter: HeadWaiter?
        let lastPiece: [UInt8]
        let pieceWaiter: PieceWaiter?
    }

    fileprivate enum End {
        case complete
        case failed(any Error)
    }

    /// Room of a piece for a body that comes in full network buffers.
    fileprivate static let pieceBytes = 256 * 1024
    /// A write of this size announces more.
    fileprivate static let fullWriteBytes = 16 * 1024

    package init(bufferBytes: Int, wantsMore: @escaping @Sendable () -> Void) {
        self.bufferBytes = bufferBytes
        self.wantsMore = wantsMore
    }

    /// Whether nothing more will be taken from the network.
    package var isEnded: Bool { state.guarded { $0.end != nil } }

    // MARK: - The reader's side

    /// Waits for the head.
    package func head() async throws -> ResponseHead {
        try await withCheckedThrowingContinuation { waiter in
            let ready = state.guarded { state -> Result<ResponseHead, any Error>? in
                if let head = state.head { return .success(head) }
                if let end = state.end { return .failure(Self.error(of: end)) }
                state.headWaiter = waiter
                return nil
            }
            if let ready { waiter.resume(with: ready) }
        }
    }

    /// Waits for the next piece, nil at the end; returns the bytes received so far before it throws a failure.
    package func next() async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { waiter in
            let (ready, wasPaused) = state.guarded { $0.take(or: waiter) }
            if wasPaused { wantsMore() }
            if let ready { waiter.resume(with: ready) }
        }
    }

    /// Ends the stream at once, with what it holds; answers whether it was still going on.
    package func cancel() -> Bool {
        end(.failed(CancellationError()), dropsBuffer: true)
    }

    // MARK: - The network's side

    /// Keeps the head for the next `flush`.
    package func receive(_ head: ResponseHead) {
        state.guarded { $0.head = head }
    }

    /// Lets `append` put bytes into the buffer; false where there is no room, and nothing was taken.
    package func write(byteCount: Int, _ append: (inout [UInt8]) -> Void) -> Bool {
        state.guarded { state in
            guard state.end == nil else { return true }
            guard state.byteCount == 0 || state.byteCount + byteCount <= bufferBytes else {
                state.isPaused = true
                return false
            }
            state.makeRoom(byteCount)
            append(&state.pieces[state.pieces.count - 1])
            state.byteCount += byteCount
            return true
        }
    }

    /// Takes bytes that cannot be refused; answers whether the sender has to wait until `wantsMore`.
    package func push(_ bytes: [UInt8]) -> Bool {
        state.guarded { state in
            guard state.end == nil else { return false }
            state.makeRoom(bytes.count)
            state.pieces[state.pieces.count - 1] += bytes
            state.byteCount += bytes.count
            if state.byteCount >= bufferBytes { state.isPaused = true }
            return state.isPaused
        }
    }

    /// Wakes the reader; called once after all that came in a round, so that pieces are large and a small answer
    /// needs one wake only.
    package func flush() {
        let headWaiting = state.guarded { state -> (HeadWaiter, ResponseHead)? in
            guard let head = state.head, let waiter = state.headWaiter else { return nil }
            state.headWaiter = nil
            return (waiter, head)
        }
        if let (waiter, head) = headWaiting { return waiter.resume(returning: head) }
        let waiting = state.guarded { state -> (PieceWaiter, [UInt8], Bool)? in
            guard state.byteCount > 0, let waiter = state.pieceWaiter else { return nil }
            state.pieceWaiter = nil
            defer { state.isPaused = false }
            return (waiter, state.takePiece(), state.isPaused)
        }
        guard let (waiter, piece, wasPaused) = waiting else { return }
        if wasPaused { wantsMore() }
        waiter.resume(returning: piece)
    }

    /// Nothing more comes.
    package func finish(_ error: (any Error)? = nil) {
        _ = end(error.map(End.failed) ?? .complete, dropsBuffer: false)
    }

    private func end(_ end: End, dropsBuffer: Bool) -> Bool {
        let waiters = state.guarded { state -> Waiters? in
            if dropsBuffer { (state.pieces, state.byteCount, state.head) = ([], 0, nil) }
            guard state.end == nil else { return nil }
            state.end = end
            return state.takeWaiters()
        }
        guard let waiters else { return false }
        if let head = waiters.head {
            waiters.headWaiter?.resume(returning: head)
        } else {
            waiters.headWaiter?.resume(throwing: Self.error(of: end))
        }
        waiters.pieceWaiter?.resume(with: Self.piece(waiters.lastPiece, at: end))
        return true
    }

    private static func piece(_ lastPiece: [UInt8], at end: End) -> Result<[UInt8]?, any Error> {
        guard lastPiece.isEmpty else { return .success(lastPiece) }
        switch end {
        case .complete: return .success(nil)
        case .failed(let error): return .failure(error)
        }
    }

    private static func error(of end: End) -> any Error {
        switch end {
        case .failed(let error): error
        case .complete:
            HTTPTransportError(.connectionLost, "the connection ended without an answer")
        }
    }
}

// MARK: -

extension ResponseStream.State {
    /// Returns the result known at once, else keeps the waiter; and whether the network was paused.
    fileprivate mutating func take(
        or waiter: ResponseStream.PieceWaiter
    ) -> (Result<[UInt8]?, any Error>?, Bool) {
        guard pieceWaiter == nil else {
            let error = HTTPTransportError(.protocolViolation, "a body is read by two at once")
            return (.failure(error), false)
        }
        if byteCount > 0 {
            defer { isPaused = false }
            return (.success(takePiece()), isPaused)
        }
        switch end {
        case .complete: return (.success(nil), false)
        case .failed(let error): return (.failure(error), false)
        case nil:
            pieceWaiter = waiter
            return (nil, false)
        }
    }

    fileprivate mutating func takeWaiters() -> ResponseStream.Waiters {
        defer { (headWaiter, pieceWaiter) = (nil, nil) }
        return ResponseStream.Waiters(
            head: head,
            headWaiter: headWaiter,
            lastPiece: pieceWaiter == nil ? [] : takePiece(),
            pieceWaiter: pieceWaiter
        )
    }

    /// Sees to it that the last piece has room.
    fileprivate mutating func makeRoom(_ byteCount: Int) {
        if let last = pieces.last, last.count + byteCount <= ResponseStream.pieceBytes { return }
        pieces.append([])
        guard byteCount >= ResponseStream.fullWriteBytes else { return }
        pieces[pieces.count - 1].reserveCapacity(max(byteCount, ResponseStream.pieceBytes))
    }

    fileprivate mutating func takePiece() -> [UInt8] {
        guard !pieces.isEmpty else { return [] }
        let piece = pieces.removeFirst()
        byteCount -= piece.count
        return piece
    }
}
