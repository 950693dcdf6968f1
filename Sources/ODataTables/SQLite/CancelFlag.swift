import Synchronization
import CSQLite

/// Says to work on another thread that it is no longer wanted.
package final class CancelFlag: Sendable {
    private let state = Atomic<Bool>(false)

    /// Creates a flag that is not set.
    package init() {}

    /// Whether the work is no longer wanted.
    package var isSet: Bool { state.load(ordering: .relaxed) }

    /// Makes the work end soon.
    package func set() {
        state.store(true, ordering: .relaxed)
    }

    /// Ends the work where the flag is set.
    ///
    /// - Throws: `CancellationError`.
    package func check() throws {
        if isSet { throw CancellationError() }
    }
}

extension SQLiteConnection {
    /// Steps of SQLite's machine between two looks at the flag: about 50 microseconds.
    private static let stepsBetweenChecks: Int32 = 5_000

    /// Runs a function whose statements end when the flag is set, and no others of this connection.
    ///
    /// - Throws: `CancellationError` where an error came of the flag.
    package func cancellable<R>(by flag: CancelFlag, _ body: () throws -> R) throws -> R {
        try flag.check()
        watch(flag)
        defer { watch(nil) }
        do {
            return try withExtendedLifetime(flag) { try body() }
        } catch {
            try flag.check()
            throw error
        }
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
