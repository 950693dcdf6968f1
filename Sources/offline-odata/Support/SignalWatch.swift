import ODataProtocol
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Turns SIGINT and SIGTERM into the cancellation of the work that runs.
///
/// Where nothing runs that could be cancelled, and at the second signal, the process ends at once: a store's file is good
/// at every moment.
final class SignalWatch: Sendable {
    static let shared = SignalWatch()

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "offline-odata signals")

    private struct State {
        /// Kept so that they go on delivering.
        var sources: [Source] = []
        var cancel: (@Sendable () -> Void)?
        var isCancelled = false
        /// What SIGINT does instead while a line is typed.
        var interrupt: (@Sendable () -> Void)?
    }

    /// Only kept: it is not used after its activation, and dispatch sources may be released on any thread.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceSignal
    }

    private init() {}

    /// Begins to watch; a reader that has gone away is an error of writing, no signal.
    func begin() {
        _ = signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM] {
            // The source tells of signals that the default action would have ended the process for.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { SignalWatch.shared.signalled(number) }
            source.activate()
            let kept = Source(source: source)
            state.guarded { $0.sources.append(kept) }
        }
    }

    private func signalled(_ number: Int32) {
        if number == SIGINT, let interrupt = state.guarded({ $0.interrupt }) { return interrupt() }
        let cancel = state.guarded { state in
            defer { state.isCancelled = true }
            return state.isCancelled ? nil : state.cancel
        }
        guard let cancel else { ProcessEnd.exitNow(.cancelled) }
        cancel()
    }

    /// Reads a line; SIGINT ends the line and not the process.
    func typing<R>(_ interrupt: @escaping @Sendable () -> Void, _ body: () -> R) -> R {
        state.guarded { $0.interrupt = interrupt }
        defer { state.guarded { $0.interrupt = nil } }
        return body()
    }

    /// Runs work that the first signal cancels.
    func cancellable<R: Sendable>(
        _ work: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        let task = Task { try await work() }
        state.guarded {
            $0.isCancelled = false
            $0.cancel = { task.cancel() }
        }
        defer { state.guarded { $0.cancel = nil } }
        return try await task.value
    }
}
