#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A lock that comparisons of a store share while they use copies: who holds it alone may remove copies that killed processes left.
final class ComparisonLock: Sendable {
    private let path: String
    private let descriptor: Int32

    /// How often a lock that another process holds is tried again.
    private static let interval = Duration.milliseconds(20)

    static func path(besides store: String) -> String { store + StoreFiles.comparisonMark + "lock" }

    /// Takes the lock; where no other comparison runs, it removes what they have left first.
    init(besides store: String, removingCopies remove: () async -> Void) async throws {
        path = Self.path(besides: store)
        descriptor = try await Self.opened(path)
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { await remove() }
        while flock(descriptor, LOCK_SH | LOCK_NB) != 0 { try await Task.sleep(for: Self.interval) }
    }

    /// Opens the file; one that the last comparison removes at this moment locks nothing any more.
    private static func opened(_ path: String) async throws -> Int32 {
        while true {
            let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw OfflineODataError(.internal, "cannot create \(path) beside the store")
            }
            if flock(descriptor, LOCK_SH | LOCK_NB) == 0, isLinked(descriptor) { return descriptor }
            close(descriptor)
            try await Task.sleep(for: interval)
        }
    }

    private static func isLinked(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// The last one removes the file.
    deinit {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unsafe unlink(path) }
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
