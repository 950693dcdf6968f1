import ODataValues
import Dispatch
import Synchronization

/// Connections that only read, each lent to one piece of work at a time.
///
/// What guards what: whoever has taken a `Reader` out of `state` is the only one to touch its connection until it is given back. Work
/// that waits for its result asynchronously runs on the reader's own queue, never on Swift's cooperative threads; work that blocks runs on
/// the thread that asks for it. A piece of work that asks for a second reader while it has one may wait for itself for ever.
package final class ReaderPool: Sendable {
    private final class Reader: @unchecked Sendable {
        private var opened: SQLiteConnection?
        private let open: () throws -> SQLiteConnection
        /// A serial queue gets a thread of its own: a concurrent one takes one of those that Swift's tasks run on, of which there are
        /// as many as cores.
        let queue = DispatchQueue(label: "OfflineOData reader")

        init(_ open: @escaping () throws -> SQLiteConnection) {
            self.open = open
        }

        /// The connection, opened the first time.
        func connection() throws -> SQLiteConnection {
            if let opened { return opened }
            let made = try open()
            opened = made
            return made
        }
    }

    private struct State {
        /// The one used last is lent first: its page cache is the warmest.
        var idle: [Reader]
        /// Those that wait for a reader, the first to come first.
        var waiting: [@Sendable (Reader) -> Void] = []
        /// Those that end work which can be cancelled.
        var flags: [ObjectIdentifier: CancelFlag] = [:]
    }

    private let state: Mutex<State>

    /// Opens the connections; where there is a key, all but one when they are needed.
    ///
    /// A cipher makes a key out of a passphrase for each connection anew, which takes as long as thousands of reads.
    /// - Throws: ``SQLiteError`` when the file cannot be opened, ``EncryptionMismatch`` when the key is not the file's.
    package init(
        path: String,
        mode: SQLiteConnection.Mode = .readOnly,
        count: Int,
        key: EncryptionKey? = nil
    ) throws {
        let readers = (0..<count).map { _ in
            Reader { try SQLiteConnection(path: path, mode: mode, key: key) }
        }
        // The last one is lent first.
        for reader in key == nil ? readers[...] : readers.suffix(1) { _ = try reader.connection() }
        state = Mutex(State(idle: readers))
    }

    /// Runs a function with a connection and answers its result.
    package func run<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            lend { [self] reader in
                reader.queue.async { [self] in
                    let result = Result { try body(reader.connection()) }
                    giveBack(reader)
                    continuation.resume(with: result)
                }
            }
        }
    }

    /// Runs a function whose statements end when the task is cancelled; it does not begin where that was before, and a task that
    /// still waits for a reader stops waiting.
    ///
    /// Interrupts only the reader that the task holds at that moment; the reader can be used again at once.
    package func runCancellable<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        let flag = CancelFlag()
        let wait = Wait<R>()
        state.guarded { $0.flags[ObjectIdentifier(flag)] = flag }
        defer { state.guarded { _ = $0.flags.removeValue(forKey: ObjectIdentifier(flag)) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard wait.begin(continuation) else { return }
                lend { [self] reader in
                    guard wait.startWork() else { return giveBack(reader) }
                    reader.queue.async { [self] in
                        let result = Result {
                            let connection = try reader.connection()
                            return try connection.cancellable(by: flag) { try body(connection) }
                        }
                        giveBack(reader)
                        wait.end(result)
                    }
                }
            }
        } onCancel: {
            flag.set()
            wait.cancel()
        }
    }

    /// Ends all work that can be cancelled, of whatever task.
    package func cancelAll() {
        for flag in state.guarded({ Array($0.flags.values) }) { flag.set() }
    }

    /// A task that waits for a reader, and then for its result.
    private final class Wait<R: Sendable>: Sendable {
        private enum State {
            case made
            case waiting(CheckedContinuation<R, any Error>)
            case working(CheckedContinuation<R, any Error>)
            case over
        }

        private let state = Mutex(State.made)

        /// Begins to wait; ends at once where the task was cancelled before.
        func begin(_ continuation: CheckedContinuation<R, any Error>) -> Bool {
            let isOver = state.guarded { state in
                guard case .made = state else { return true }
                state = .waiting(continuation)
                return false
            }
            if isOver { continuation.resume(throwing: CancellationError()) }
            return !isOver
        }

        /// Whether the work is still wanted, which cannot be given up without its end from now on.
        func startWork() -> Bool {
            state.guarded { state in
                guard case .waiting(let continuation) = state else { return false }
                state = .working(continuation)
                return true
            }
        }

        /// Resumes the task with the result of the work.
        func end(_ result: Result<R, any Error>) {
            let continuation = state.guarded { state -> CheckedContinuation<R, any Error>? in
                guard case .working(let continuation) = state else { return nil }
                state = .over
                return continuation
            }
            continuation?.resume(with: result)
        }

        /// Stops waiting for a reader; work that has begun ends by itself.
        func cancel() {
            let continuation = state.guarded { state -> CheckedContinuation<R, any Error>? in
                switch state {
                case .made:
                    state = .over
                    return nil
                case .waiting(let continuation):
                    state = .over
                    return continuation
                case .working, .over: return nil
                }
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    /// Runs a function with a connection on the calling thread, which waits for one where all are lent.
    package func runBlocking<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        let reader = take()
        defer { giveBack(reader) }
        return try body(reader.connection())
    }

    // MARK: Lending

    /// Calls a function with a reader, at once or when one is given back.
    private func lend(_ use: @escaping @Sendable (Reader) -> Void) {
        let reader = state.guarded { state in
            if state.idle.isEmpty { state.waiting.append(use) }
            return state.idle.popLast()
        }
        if let reader { use(reader) }
    }

    private func take() -> Reader {
        if let reader = state.guarded({ $0.idle.popLast() }) { return reader }
        let promise = Promise()
        lend { promise.keep($0) }
        return promise.wait()
    }

    /// A reader to come.
    private final class Promise: Sendable {
        private let reader = Mutex<Reader?>(nil)
        private let isKept = DispatchSemaphore(value: 0)

        func keep(_ reader: Reader) {
            self.reader.guarded { $0 = reader }
            isKept.signal()
        }

        func wait() -> Reader {
            while true {
                isKept.wait()
                if let reader = reader.guarded({ $0 }) { return reader }
            }
        }
    }

    private func giveBack(_ reader: Reader) {
        let next = state.guarded { state in
            if state.waiting.isEmpty {
                state.idle.append(reader)
                return nil as (@Sendable (Reader) -> Void)?
            }
            return state.waiting.removeFirst()
        }
        next?(reader)
    }
}
