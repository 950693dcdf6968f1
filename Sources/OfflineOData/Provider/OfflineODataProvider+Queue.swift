import ODataModel
import ODataProtocol
import ODataTables
package import OfflineStore

/// A look at the queue, the archive, the events and the store as a whole.
extension OfflineODataProvider {
    /// Whether no change waits to be sent.
    public func requestQueueIsEmpty() async throws -> Bool {
        try await mapping { try await store.file.read { try RequestQueue($0).isEmpty() } }
    }

    /// Whether an opening or download was cut, which calling it again goes on with.
    public func hasPendingDownload() async throws -> Bool {
        try await interruptedOperations().contains { $0 != "upload" }
    }

    /// Whether an upload was cut, which calling it again goes on with.
    public func hasPendingUpload() async throws -> Bool {
        try await interruptedOperations().contains("upload")
    }

    private func interruptedOperations() async throws -> [String] {
        try await mapping { try await store.file.read { try StoreState.interruptedOperations($0) } }
    }

    /// The requests that wait, in the order in which they are sent.
    package func requestQueue() async throws -> [QueueEntry] {
        try await entries([.pending, .sending, .parked, .unknownOutcome])
    }

    /// The requests that the service refused.
    package func errorArchive() async throws -> [QueueEntry] {
        try await entries([.failed])
    }

    private func entries(_ statuses: [QueueEntry.Status]) async throws -> [QueueEntry] {
        try await mapping { try await store.file.read { try RequestQueue($0).entries(statuses) } }
    }

    /// The last events, newest first.
    package func eventLog() async throws -> [EventLog.Event] {
        try await mapping { try await store.file.read { try EventLog($0).events() } }
    }

    /// The store at a glance.
    package func status() async throws -> StoreStatus {
        try await mapping {
            try await store.file.read { [store] connection in
                try StoreStatus(
                    connection,
                    StoreSchema.load(connection) == nil ? nil : store.schema(connection)
                )
            }
        }
    }

    /// The versions of an entity side by side: as it was, as it is here, as the service has it.
    package func conflict(for url: String) async throws -> StoreConflict {
        let url = try await resolved(url)
        return try await mapping {
            try await store.file.read { [store] connection in
                try StoreConflict(url, connection, store.schema(connection))
            }
        }
    }

    /// Compares the file with itself: SQLite's integrity check, and what the engine did not put there; empty where nothing is wrong.
    package func checkIntegrity() async throws -> [String] {
        try await mapping {
            try await store.file.read { [store] connection in
                var lines: [String] = []
                try connection.forEachRow("PRAGMA integrity_check") { lines.append($0.string(0)) }
                guard lines == ["ok"] else { return lines }
                let layout = try StoreSchema.load(connection).map { _ in
                    try store.schema(connection).layout
                }
                return try ForeignObjects.find(connection, layout)
            }
        }
    }
}
