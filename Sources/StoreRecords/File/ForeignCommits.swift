import ODataSQLite
import ODataValues
import Synchronization

/// Polls for commits of other processes to a file, as long as the broadcast has subscribers.
///
/// SQLite does not notify a process of another one's commit, so its `data_version` is polled (https://www.sqlite.org/pragma.html).
/// It does not change for the connection's own commits, which are published at once.
final class ForeignCommits: Sendable {
    private let writer: DatabaseQueue
    private let changes: Broadcast<Void>
    private let isWatching = Mutex(false)

    /// The time between two looks: what others write is shown this late at most.
    private static let interval = Duration.seconds(1)

    init(_ writer: DatabaseQueue, changes: Broadcast<Void>) {
        (self.writer, self.changes) = (writer, changes)
    }

    /// Polls until the broadcast has no subscribers.
    func watch() {
        let isFirst = isWatching.guarded { isWatching in
            defer { isWatching = true }
            return !isWatching
        }
        guard isFirst else { return }
        Task { [weak self] in
            // A subscriber may read before the first look, so that one always reports a change.
            var last: Int64?
            while let self, self.goesOn() {
                try? await Task.sleep(for: Self.interval)
                let version = await self.version()
                if version != last { self.changes.send(()) }
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
        // Whoever reads the file reports that it cannot be read.
        (try? await writer.run { try $0.integer("PRAGMA data_version") }) ?? nil
    }
}
