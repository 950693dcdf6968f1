import OfflineValues

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Says that this process synchronises a store: a lock on a file beside it, given up by the system when the process ends.
///
/// The store's own files are never opened here: closing one would drop SQLite's locks in this process.
package final class SyncLock: Sendable {
    /// The lock's file; for tests too.
    package let descriptor: Int32

    /// How often a lock that another process holds is tried again.
    private static let interval = Duration.milliseconds(50)
    /// A lock is tried at least so long: whoever looks whether it is held has it for a moment.
    private static let shortestWait = Duration.milliseconds(10)

    /// Takes the lock; waits for another process for the given time.
    ///
    /// - Throws: ``OfflineODataError`` (in use) where it is not given up in time.
    package init(besides store: String, waiting: Duration) async throws {
        descriptor = unsafe open(store + "-sync", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = unsafe String(cString: strerror(errno)).lowercased()
            throw OfflineODataError(
                .preconditionFailed,
                "\(store) cannot be synchronised: \(store)-sync beside it cannot be written: \(reason)",
                code: .readOnly
            )
        }
        let end = ContinuousClock.now + max(waiting, Self.shortestWait)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else {
                // Closed by `deinit`, which runs here too: a number closed twice may be another file's by then.
                throw OfflineODataError(
                    .inUse,
                    "another synchronisation of this store runs; wait for it or try later"
                )
            }
            try await Task.sleep(for: min(Self.interval, max(waiting, Self.shortestWait)))
        }
    }

    /// Returns whether a synchronisation runs, without waiting and without a file where there is none.
    package static func isHeld(besides store: String) -> Bool {
        let descriptor = unsafe open(store + "-sync", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return true }
        _ = flock(descriptor, LOCK_UN)
        return false
    }

    deinit {
        guard descriptor >= 0 else { return }
        // Said outright: a process that is being started holds a copy of the descriptor for a moment, and the lock with it.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
