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
public final class SignalWatch: Sendable {
    /// The one watch of the process: signals belong to all of it.
    public static let shared = SignalWatch()

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "offline-odata signals")

    private struct State {
        /// Kept so that they go on delivering.
        var sources: [Source] = []
        /// What is running; `serve` runs beside the synchronisations of its page.
        var cancels: [Int: @Sendable () -> Void] = [:]
        var next = 0
        /// When a signal came that has cancelled it; nil where none has.
        var cancelled: ContinuousClock.Instant?
        /// Whether the last work has ended, so that its answer is being written.
        var hasEnded = false
        /// Whether a signal has come since: it is for what begins next.
        var isForNext = false
        var hasTerminated = false
        /// What is said where a signal ends the process at once.
        var lastWord: (@Sendable () -> Void)?
        /// What SIGINT does instead while a line is typed.
        var interrupt: (@Sendable () -> Void)?

        /// What a signal cancels, and what is said where that is nothing; nil for a signal that repeats the one before.
        mutating func take(_ number: Int32, at now: ContinuousClock.Instant)
            -> (cancels: [@Sendable () -> Void], lastWord: (@Sendable () -> Void)?)?
        {
            if let cancelled, now - cancelled < SignalWatch.repetition { return nil }
            if number == SIGTERM { hasTerminated = true }
            guard cancelled == nil else { return ([], nil) }
            cancelled = now
            return (Array(cancels.values), lastWord)
        }

        mutating func takeEnd() -> Bool {
            defer { hasEnded = false }
            isForNext = hasEnded
            return hasEnded
        }
    }

    /// Only kept: it is not used after its activation, and dispatch sources may be released on any thread.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceSignal
    }

    /// Whether SIGTERM has come: nothing is begun any more.
    public var hasTerminated: Bool { state.guarded { $0.hasTerminated } }

    /// A program that ends a process and its group sends the signal twice: both are one order.
    private static let repetition = Duration.milliseconds(250)

    private init() {}

    /// Begins to watch; a reader that has gone away is an error of writing, no signal.
    public func begin() {
        // As is a file that grows beyond what the system allows.
        for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
        for number in [SIGINT, SIGTERM] {
            // The source receives signals whose default action would end the process.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { SignalWatch.shared.signalled(number) }
            // The signal is ignored already: one that comes before the source is registered would be lost.
            let registered = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { registered.signal() }
            source.activate()
            registered.wait()
            let kept = Source(source: source)
            state.guarded { $0.sources.append(kept) }
        }
    }

    private func signalled(_ number: Int32) {
        if number == SIGINT, let interrupt = state.guarded({ $0.interrupt }) { return interrupt() }
        guard let (cancels, lastWord) = state.guarded({ $0.take(number, at: .now) }) else { return }
        guard !cancels.isEmpty else {
            // What is done is answered as done; a further signal does not wait for a reader.
            guard !state.guarded({ $0.takeEnd() }) else { return }
            lastWord?()
            ProcessEnd.exitNow(.cancelled)
        }
        for cancel in cancels { cancel() }
    }

    /// Runs work during which a signal that finds nothing to cancel says something before it ends the process.
    public func saying<R>(
        _ word: @escaping @Sendable () -> Void,
        during work: () async -> R
    ) async -> R {
        let former = state.guarded { state in
            defer { state.lastWord = word }
            return state.lastWord
        }
        defer { state.guarded { $0.lastWord = former } }
        return await work()
    }

    /// Reads a line; SIGINT ends the line and not the process.
    public func typing<R>(_ interrupt: @escaping @Sendable () -> Void, _ body: () -> R) -> R {
        state.guarded {
            $0.interrupt = interrupt
            $0.hasEnded = false
        }
        defer { state.guarded { $0.interrupt = nil } }
        return body()
    }

    /// Runs work that the first signal cancels, as does the cancellation of the caller's task.
    public func cancellable<R: Sendable>(
        _ work: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        let (task, number) = begin(work)
        defer { end(number) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Starts work under the lock: a signal that its first step brings about finds it.
    private func begin<R: Sendable>(_ work: @escaping @Sendable () async throws -> R)
        -> (task: Task<R, any Error>, number: Int)
    {
        state.guarded { state in
            let task = Task { try await work() }
            if state.cancels.isEmpty { state.cancelled = nil }
            state.hasEnded = false
            if state.isForNext { task.cancel() }
            state.isForNext = false
            state.next += 1
            state.cancels[state.next] = { task.cancel() }
            return (task, state.next)
        }
    }

    private func end(_ number: Int) {
        state.guarded { state in
            state.cancels[number] = nil
            state.hasEnded = state.cancels.isEmpty
        }
    }
}
