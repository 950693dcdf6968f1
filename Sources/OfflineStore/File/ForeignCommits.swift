import ODataPayload
import ODataTables
import Synchronization

/// Looks for commits that other processes make to a file, as long as somebody wants to know of them.
///
/// Nobody tells a process of another one's commit: SQLite's `data_version` is asked for at intervals (https://www.sqlite.org/pragma.html).
/// It stands still for the connection's own commits, which are told at once.
final class ForeignCommits: Sendable {
    private let writer: DatabaseQueue
    private let changes: Broadcast<Void>
    private let isWatching = Mutex(false)

    /// The time between two looks: what others write is shown this late at most.
    private static let interval = Duration.seconds(1)

    init(_ writer: DatabaseQueue, changes: Broadcast<Void>) {
        (self.writer, self.changes) = (writer, changes)
    }

    /// Looks until nobody reads the broadcast any more.
    func watch() {
        let isFirst = isWatching.guarded { isWatching in
            defer { isWatching = true }
            return !isWatching
        }
        guard isFirst else { return }
        Task { [weak self] in
            // Whoever asks may read before the first look: so that tells in any case.
            var last: Int64?
            while let self, self.goesOn() {
                try? await Task.sleep(for: Self.interval)
                let version = await self.version()
                if version != last { self.changes.tell(()) }
                last = version
            }
        }
    }

    private func goesOn() -> Bool {
        isWatching.guarded { isWatching in
            isWatching = changes.hasReaders
            return isWatching
        }
    }

    private func version() async -> Int64? {
        // A file that cannot be read is told of by whoever reads it.
        (try? await writer.run { try $0.integer("PRAGMA data_version") }) ?? nil
    }
}
