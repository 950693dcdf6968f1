import ODataProtocol
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Who tells of the commits to a file: one for all stores of this process that have it open, so that each hears of the others' changes.
enum CommitBroadcasts {
    /// A file, whatever path leads to it.
    private struct File: Hashable {
        var device: UInt64
        var number: UInt64
    }

    private struct Weak: Sendable {
        weak let broadcast: Broadcast<Void>?
    }

    private static let known = Mutex<[File: Weak]>([:])

    /// Returns the one of the file at a path, which is there.
    static func broadcast(of path: String) -> Broadcast<Void> {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return Broadcast() }
        let file = File(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        return known.guarded { known in
            if let broadcast = known[file]?.broadcast { return broadcast }
            let broadcast = Broadcast<Void>()
            known = known.filter { $0.value.broadcast != nil }
            known[file] = Weak(broadcast: broadcast)
            return broadcast
        }
    }
}
