public import OfflineValues
import StoreRecords
import ODataSQLite
import ODataSQL
import OfflineSync
import ODataTables
package import OfflineStore

/// A look at the queue, the archive, the events and the store as a whole.
extension OfflineODataProvider {
    /// Whether no change waits to be sent.
    public func requestQueueIsEmpty() async throws(OfflineODataError) -> Bool {
        try await uncancelled { try await store.file.read { try RequestQueue($0).isEmpty() } }
    }

    /// Whether no change waits to be sent; the calling thread waits for the disk.
    @available(*, noasync, message: "await the asynchronous form")
    public func requestQueueIsEmpty() throws(OfflineODataError) -> Bool {
        try blocking { try RequestQueue($0).isEmpty() }
    }

    /// Whether an opening or download was cut; the calling thread waits for the disk.
    @available(*, noasync, message: "await the asynchronous form")
    public func hasPendingDownload() throws(OfflineODataError) -> Bool {
        try blocking { try StoreState.interruptedOperations($0).contains(where: StoreState.isLoad) }
    }

    /// Whether an upload was cut; the calling thread waits for the disk.
    @available(*, noasync, message: "await the asynchronous form")
    public func hasPendingUpload() throws(OfflineODataError) -> Bool {
        try blocking { try StoreState.interruptedOperations($0).contains("upload") }
    }

    private func blocking<R>(_ read: (SQLiteConnection) throws -> R) throws(OfflineODataError) -> R
    {
        do {
            return try store.file.readBlocking(read)
        } catch {
            throw OfflineODataError.whole(error)
        }
    }

    /// Whether an opening or download was cut, which calling it again goes on with.
    public func hasPendingDownload() async throws(OfflineODataError) -> Bool {
        try await interruptedOperations().contains(where: StoreState.isLoad)
    }

    /// Whether an upload was cut, which calling it again goes on with.
    public func hasPendingUpload() async throws(OfflineODataError) -> Bool {
        try await interruptedOperations().contains("upload")
    }

    /// Whether an import of files was cut, and is to be called again; not while one runs.
    public func hasPendingImport() async throws(OfflineODataError) -> Bool {
        try await interruptedOperations().contains(StoreState.imports)
            && !SyncLock.isHeld(besides: store.file.path)
    }

    private func interruptedOperations() async throws(OfflineODataError) -> [String] {
        try await uncancelled {
            try await store.file.read { try StoreState.interruptedOperations($0) }
        }
    }

    /// Returns the requests that wait, in the order in which they are sent; ``requests`` reads long queues piece by piece.
    public func requestQueue() async throws(OfflineODataError) -> [OfflineODataRequest] {
        try await entries(Self.waiting).map(OfflineODataRequest.init)
    }

    /// Returns the requests that the service refused; ``refusedRequests`` reads long archives piece by piece.
    public func errorArchive() async throws(OfflineODataError) -> [OfflineODataRequest] {
        try await entries([.failed]).map(OfflineODataRequest.init)
    }

    /// Returns a request of the queue or the archive; nil where there is none with this number.
    public func request(_ id: OfflineODataRequest.ID) async throws(OfflineODataError)
        -> OfflineODataRequest?
    {
        try await uncancelled {
            try await store.file.read {
                try RequestQueue($0).entry(id).map(OfflineODataRequest.init)
            }
        }
    }

    /// The requests that wait, in the order in which they are sent, read as they are asked for.
    public var requests: OfflineODataRequests {
        OfflineODataRequests(provider: self, statuses: Self.waiting)
    }

    /// The requests that the service refused, read as they are asked for.
    public var refusedRequests: OfflineODataRequests {
        OfflineODataRequests(provider: self, statuses: [.failed])
    }

    /// Returns the read links of the entities that requests are about, by the requests' ids.
    ///
    /// An entity that is deleted here has one as long as its deletion waits or was refused.
    public func affectedEntities(
        of requests: some Sequence<OfflineODataRequest> & Sendable
    ) async throws(OfflineODataError) -> [OfflineODataRequest.ID: String] {
        try await uncancelled {
            try await store.file.readCancellable { [store] connection in
                guard let schema = try store.schemaIfAny(connection) else { return [:] }
                let rows = RowEditor(connection, layout: schema.layout)
                let links = EntityLink(rows, includesDeleted: true)
                var found: [OfflineODataRequest.ID: String] = [:]
                for request in requests {
                    guard let row = request.entry.row,
                        let source = schema.source(of: request.entry)
                    else { continue }
                    found[request.id] = try links.link(RowReference(source: source, row: row))
                }
                return found
            }
        }
    }

    private static let waiting: [QueueEntry.Status] = [
        .pending, .sending, .parked, .unknownOutcome,
    ]

    private func entries(_ statuses: [QueueEntry.Status]) async throws(OfflineODataError)
        -> [QueueEntry]
    {
        try await uncancelled {
            try await store.file.readCancellable { try RequestQueue($0).entries(statuses) }
        }
    }

    /// Returns the queue and its later states: the first one comes at once, another one after each change of it.
    public func requestQueueUpdates() -> OfflineODataRequestUpdates {
        OfflineODataRequestUpdates(provider: self) { provider throws(OfflineODataError) in
            try await provider.requestQueue()
        }
    }

    /// Returns the error archive and its later states: the first one comes at once, another one after each change of it.
    public func errorArchiveUpdates() -> OfflineODataRequestUpdates {
        OfflineODataRequestUpdates(provider: self) { provider throws(OfflineODataError) in
            try await provider.errorArchive()
        }
    }

    /// Returns the last events, newest first.
    public func eventLog() async throws(OfflineODataError) -> [OfflineODataEvent] {
        try await uncancelled {
            try await store.file.read { try EventLog($0).events().map(OfflineODataEvent.init) }
        }
    }

    /// Returns the content of a stream that lost in a conflict, from its event; nil where the event is about no stream.
    ///
    /// It is kept as long as the event.
    public func stream(of event: OfflineODataEvent) async throws(OfflineODataError)
        -> OfflineODataStream?
    {
        try await uncancelled {
            try await store.file.read { try EventStreams($0).head(ofEvent: event.id) }
                .map { OfflineODataStream($0, store: store) }
        }
    }

    /// Returns the store at a glance.
    public func status() async throws(OfflineODataError) -> OfflineODataStatus {
        let path = settings.storeFile
        return try await uncancelled {
            try await store.file.readCancellable { [store] connection in
                let status = try StoreStatus(
                    connection,
                    schema: store.schemaIfAny(connection)
                )
                return OfflineODataStatus(
                    status,
                    isBeingSynchronized: status.interrupted != nil && SyncLock.isHeld(besides: path)
                )
            }
        }
    }

    /// Returns the versions of an entity side by side: as it was, as it is here, as the service has it.
    ///
    /// - Parameter url: URL of the entity, relative to the service root.
    public func conflict(for url: String) async throws(OfflineODataError) -> OfflineODataConflict {
        let set = String(url.prefix { $0 != "(" && $0 != "/" })
        return OfflineODataConflict(try await versions(of: url), of: set)
    }

    /// Returns the versions of an entity side by side.
    public func conflict(for entity: EntityValue) async throws(OfflineODataError)
        -> OfflineODataConflict
    {
        let link = try await uncancelled { try entity.link(in: await store.schema()) }
        return OfflineODataConflict(try await versions(of: link), of: entity.entitySet)
    }

    /// The versions as JSON texts.
    package func versions(of url: String) async throws(OfflineODataError) -> StoreConflict {
        let url = try await resolved(url)
        return try await uncancelled {
            try await store.file.read { [store] connection in
                try StoreConflict(url, on: connection, schema: store.schema(connection))
            }
        }
    }

    /// Compares the file with itself: SQLite's integrity check, and what the engine did not put there; empty where nothing is wrong.
    ///
    /// A cancelled task ends it within milliseconds, with an error of the category `cancelled`.
    public func checkIntegrity() async throws(OfflineODataError) -> [OfflineODataDifference] {
        try await settings.log.work(
            "check",
            about: [],
            fields: { [("differences", .count($0.count))] }
        ) {
            () throws(OfflineODataError) in
            try await uncancelled {
                try await store.file.readCancellable { [store] connection in
                    var lines: [String] = []
                    try connection.interruptible {
                        try connection.forEachRow("PRAGMA integrity_check") {
                            lines.append($0.string(0))
                        }
                    }
                    if lines == ["ok"] {
                        let layout = try store.schemaIfAny(connection)?.layout
                        lines = try ForeignObjects.find(connection, layout: layout)
                        if lines.isEmpty { lines = try SearchIndexUpkeep.faults(connection) }
                    }
                    return lines.map(OfflineODataDifference.init(file:))
                }
            }
        }
    }
}
