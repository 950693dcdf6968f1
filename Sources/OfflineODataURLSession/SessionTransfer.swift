import Dispatch
import ODataValues
import ODataHTTP
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// One request of a session and its answer.
///
///     session ── receive ──> stream ──> reader
///                  │ full: the task is suspended, and goes on when the reader has taken a piece
///
/// `suspend` slows the sender down on Apple's systems. On Linux it takes the request out of the engine, and going on would send it once
/// more (swift-corelibs-foundation: `_NativeProtocol.swift`), so that there the buffer grows.
final class SessionTransfer: Sendable {
    private struct State {
        var task: URLSessionTask?
        var hasHead = false
        var isSuspended = false
        /// Whether what was received is decoded: then its length is not the stated one.
        var isDecoded = false
        var receivedCount: Int64 = 0
        var lastActivity = ContinuousClock.now
        /// Whether a byte of the body has left.
        var hasSent = false
        /// Whether the session has begun to send the request, as it says itself.
        var hasBegun: Bool?
        /// Why the engine has ended the task itself.
        var failure: (any Error)?

        /// What is known of the request when it fails.
        var trace: HTTPTransportError.Trace {
            HTTPTransportError.Trace(
                hasTraffic: hasSent || hasHead || receivedCount > 0,
                hasBegun: hasBegun
            )
        }
    }

    /// What the reader reads.
    let stream: ResponseStream
    private let state: Mutex<State>
    private let idleTimeout: Duration
    private let wholeTimeout: Duration?

    private static let timers = DispatchQueue(label: "OfflineOData URLSession timers")

    init(idleTimeout: Duration, wholeTimeout: Duration?, bufferBytes: Int) {
        (self.idleTimeout, self.wholeTimeout) = (idleTimeout, wholeTimeout)
        let state = Box()
        stream = ResponseStream(bufferBytes: bufferBytes) { state.transfer?.goOn() }
        self.state = Mutex(State())
        state.transfer = self
    }

    /// The stream is made before the transfer that it calls.
    private final class Box: @unchecked Sendable {
        // Written once, before the stream is used.
        weak var transfer: SessionTransfer?
    }

    func start(_ task: URLSessionTask) {
        state.guarded {
            $0.task = task
            $0.lastActivity = .now
        }
        task.resume()
        watch(after: idleTimeout)
        guard let wholeTimeout else { return }
        Self.timers.asyncAfter(deadline: .now() + wholeTimeout.dispatchInterval) { [weak self] in
            self?.fail(HTTPTransportError(.timedOut, "the transfer took longer than allowed"))
        }
    }

    /// Ends the transfer with its reader.
    func cancel() {
        guard stream.cancel() else { return }
        state.guarded { $0.task }?.cancel()
    }

    // MARK: - The session's side

    func receive(_ response: HTTPURLResponse) {
        // Interim answers are handed on by Foundation on Linux.
        guard response.statusCode >= 200 else { return noteSending() }
        let isFirst = state.guarded { state in
            defer { state.hasHead = true }
            state.lastActivity = .now
            state.isDecoded = response.isDecoded
            return !state.hasHead
        }
        guard isFirst else { return }
        stream.receive(ResponseHead(status: response.statusCode, headers: response.fields))
        stream.flush()
    }

    func receive(_ data: Data) {
        let bytes = [UInt8](data)
        state.guarded { state in
            state.lastActivity = .now
            state.receivedCount += Int64(bytes.count)
            // Both under the lock: else the reader could let the task go on before it is suspended.
            guard stream.push(bytes), Self.canSuspend, !state.isSuspended else { return }
            state.isSuspended = true
            state.task?.suspend()
        }
        stream.flush()
    }

    private static var canSuspend: Bool {
        #if canImport(FoundationNetworking)
            false
        #else
            true
        #endif
    }

    private func goOn() {
        state.guarded { state in
            guard state.isSuspended else { return }
            state.isSuspended = false
            state.lastActivity = .now
            state.task?.resume()
        }
    }

    func noteSending() {
        state.guarded { state in
            state.lastActivity = .now
            state.hasSent = true
        }
    }

    func note(hasBegun: Bool) { state.guarded { $0.hasBegun = hasBegun } }

    func finish(_ error: (any Error)?) {
        let (failure, isCut, trace) = state.guarded { state in
            // The task holds its session, and the session this.
            defer { state.task = nil }
            return (state.failure, Self.isCut(state), state.trace)
        }
        if let failure { return stream.finish(failure) }
        if let error { return stream.finish(HTTPTransportError(session: error, trace)) }
        guard isCut else { return stream.finish() }
        stream.finish(HTTPTransportError(.connectionLost, "the answer was cut"))
    }

    /// Whether less has come than the answer has stated.
    private static func isCut(_ state: State) -> Bool {
        guard !state.isDecoded, state.task?.originalRequest?.httpMethod != "HEAD",
            let stated = state.task?.response?.expectedContentLength, stated > 0
        else { return false }
        return state.receivedCount < stated
    }

    // MARK: - Time

    private func watch(after time: Duration) {
        Self.timers.asyncAfter(deadline: .now() + time.dispatchInterval) { [weak self] in
            guard let self, !stream.isEnded else { return }
            let rest = state.guarded { state in
                // Nothing can come while the reader holds the sender up.
                state.isSuspended ? idleTimeout : idleTimeout - (.now - state.lastActivity)
            }
            guard rest <= .zero else { return watch(after: rest) }
            fail(HTTPTransportError(.timedOut, "no byte came for \(idleTimeout)"))
        }
    }

    private func fail(_ error: HTTPTransportError) {
        guard !stream.isEnded else { return }
        let task = state.guarded { state in
            if state.failure == nil { state.failure = error }
            return state.task
        }
        stream.finish(error)
        task?.cancel()
    }
}

extension Duration {
    /// For timers, which count in nanoseconds.
    fileprivate var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        let (nanoseconds, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooLong else { return .never }
        return .nanoseconds(Int(nanoseconds + attoseconds / 1_000_000_000))
    }
}
