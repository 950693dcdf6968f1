import ODataValues
import Synchronization

/// The broadcast of commits to a file: shared by all stores of this process that have it open, so that each observes the others' changes.
enum CommitBroadcasts {
    private struct Weak: Sendable {
        weak let broadcast: Broadcast<Void>?
    }

    private static let known = Mutex<[FileIdentity: Weak]>([:])

    /// Returns the one of a file.
    static func broadcast(of file: FileIdentity?) -> Broadcast<Void> {
        guard let file else { return Broadcast() }
        return known.guarded { known in
            if let broadcast = known[file]?.broadcast { return broadcast }
            let broadcast = Broadcast<Void>()
            known = known.filter { $0.value.broadcast != nil }
            known[file] = Weak(broadcast: broadcast)
            return broadcast
        }
    }
}
