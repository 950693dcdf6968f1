import Dispatch

/// Owns one connection and runs everything on it in turn, on a thread that is never one of Swift's cooperative ones.
///
/// What guards what: `connection` is touched inside `queue` only. Calling `run` or `runBlocking` from inside a body of the same
/// queue would wait for itself for ever; a dispatch precondition stops the program there instead.
public final class DatabaseQueue: @unchecked Sendable {
    private let queue: DispatchQueue
    private let connection: SQLiteConnection

    /// Opens the connection.
    ///
    /// - Throws: ``SQLiteError`` when the file cannot be opened.
    public init(
        path: String,
        mode: SQLiteConnection.Mode,
        label: String,
        key: EncryptionKey? = nil
    ) throws {
        queue = DispatchQueue(label: label)
        connection = try SQLiteConnection(path: path, mode: mode, key: key)
    }

    /// Runs a function with the connection and answers its result.
    public func run<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Result { try body(connection) })
            }
        }
    }

    /// Runs a function with the connection later; the caller does not wait.
    public func enqueue(_ body: @escaping @Sendable (SQLiteConnection) -> Void) {
        queue.async { [self] in body(connection) }
    }

    /// Runs a function with the connection while the calling thread waits.
    public func runBlocking<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        dispatchPrecondition(condition: .notOnQueue(queue))
        return try queue.sync { try body(connection) }
    }

    /// Ends the statement that runs now.
    public func interrupt() {
        connection.interrupt()
    }
}
