#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import StoreRecords
import OfflineValues

/// A lock that all share who use scratch files of one kind beside a store: who holds it alone may remove what killed processes left.
package final class ScratchLock: Sendable {
    private let path: String
    private let descriptor: Int32

    /// How often a lock that another process holds is tried again.
    private static let interval = Duration.milliseconds(20)

    static func path(besides store: String, mark: String) -> String { store + mark + "lock" }

    /// Takes the lock; removes left-over files first if no other process uses such files.
    ///
    /// - Parameter mark: What stands between the name of the store and the number of a scratch file.
    package init(besides store: String, mark: String) async throws {
        path = Self.path(besides: store, mark: mark)
        descriptor = try await Self.opened(path)
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
            await Self.removeLeftovers(besides: store, mark)
        }
        while flock(descriptor, LOCK_SH | LOCK_NB) != 0 { try await Task.sleep(for: Self.interval) }
    }

    private static func removeLeftovers(besides store: String, _ mark: String) async {
        for copy in StoreFiles.copies(of: store, marks: [mark]) {
            try? await DiskWork.run { try StoreFiles.remove(copy) }
        }
    }

    /// Opens the file; one that the last user removes at this moment locks nothing any more.
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
