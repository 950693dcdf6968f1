#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Says that this process works in a directory: a lock that the system gives up when the process ends.
public final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock of a directory.
    ///
    /// - Throws: ``CommandFailure`` (in use) where another process has it.
    public init(_ path: String) throws(CommandFailure) {
        descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Where the file system knows no locks, there are none to be waited for.
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK
        else { return }
        throw CommandFailure(
            .inUse,
            "another process writes into \(path)",
            advice: "Wait for it, or name another directory."
        )
    }

    deinit {
        guard descriptor >= 0 else { return }
        // Said outright: a process that is being started holds a copy of the descriptor for a moment.
        _ = flock(descriptor, LOCK_UN)
        FileBytes.close(descriptor)
    }
}
