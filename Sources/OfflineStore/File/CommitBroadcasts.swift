import ODataPayload
import Synchronization

/// Who tells of the commits to a file: one for all stores of this process that have it open, so that each hears of the others' changes.
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
