#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif
import ODataValues
import Synchronization

/// Says to work on another thread that it is no longer wanted.
package final class CancelFlag: Sendable {
    private let state = Atomic<Bool>(false)
    /// The connection whose statement only an interrupt ends, for as long as that runs.
    private let interruptible = Mutex<Interruptible?>(nil)

    /// Creates a flag that is not set.
    package init() {}

    /// Whether the work is no longer wanted.
    package var isSet: Bool { state.load(ordering: .relaxed) }

    /// Makes the work end soon.
    package func set() {
        state.store(true, ordering: .relaxed)
        interruptible.guarded { $0?.interrupt() }
    }

    /// Lets an interrupt reach a connection while a function runs.
    fileprivate func interrupting<R>(_ connection: Interruptible, body: () throws -> R) throws
        -> R
    {
        interruptible.guarded { $0 = connection }
        defer { interruptible.guarded { $0 = nil } }
        try check()
        return try body()
    }

    /// Ends the work where the flag is set.
    ///
    /// - Throws: `CancellationError`.
    package func check() throws {
        if isSet { throw CancellationError() }
    }
}

/// A connection as another thread may interrupt it.
///
/// SQLite allows that from any thread as long as the connection is open (https://www.sqlite.org/c3ref/interrupt.html), and the flag
/// knows it only while the connection runs a function.
@safe
private struct Interruptible: @unchecked Sendable {
    private let database: OpaquePointer

    @unsafe init(_ database: OpaquePointer) { unsafe self.database = database }

    func interrupt() { unsafe sqlite3_interrupt(database) }
}

extension SQLiteConnection {
    /// Steps of SQLite's machine between two looks at the flag: about 50 microseconds.
    private static let stepsBetweenChecks: Int32 = 5_000

    /// Runs a function whose statements end when the flag is set, and no others of this connection.
    ///
    /// - Throws: `CancellationError` if the flag caused an error.
    package func cancellable<R>(by flag: CancelFlag, _ body: () throws -> R) throws -> R {
        try flag.check()
        watch(flag)
        cancelFlag = flag
        defer {
            watch(nil)
            cancelFlag = nil
        }
        do {
            return try withExtendedLifetime(flag) { try body() }
        } catch {
            try flag.check()
            throw error
        }
    }

    /// Runs a function inside of `cancellable` whose statements do much in a single step of SQLite's machine, as integrity checks do:
    /// these end by an interrupt alone.
    package func interruptible<R>(_ body: () throws -> R) throws -> R {
        guard let cancelFlag else { return try body() }
        // SQLite forgets an interrupt when a statement begins while no other one runs.
        let running = try prepare("SELECT 1 UNION ALL SELECT 2")
        _ = try running.step()
        defer { running.reset() }
        return try cancelFlag.interrupting(unsafe Interruptible(database), body: body)
    }

    private func watch(_ flag: CancelFlag?) {
        guard let flag else { return unsafe sqlite3_progress_handler(database, 0, nil, nil) }
        unsafe sqlite3_progress_handler(
            database,
            Self.stepsBetweenChecks,
            { context in
                guard let context = unsafe context else { return 0 }
                // `cancellable` holds the flag for as long as SQLite knows it.
                return unsafe Unmanaged<CancelFlag>.fromOpaque(context).takeUnretainedValue().isSet
                    ? 1 : 0
            },
            Unmanaged.passUnretained(flag).toOpaque()
        )
    }
}
