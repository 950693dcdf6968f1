import StoreRecords
import ODataClient
import ODataSQLite
import StoreDownload
import StoreUpload
package import OfflineValues
import ODataTables
package import OfflineStore

/// What a layer above asks of the store beside answers: what it holds and how much, what is in conflict, and values of its own.
extension ReadRouter {
    /// Returns what the store holds of a URL, beside a stored collection of that URL.
    package func held(_ url: String) async throws -> HeldResource {
        try await look { try HeldResource(url, query: $0, schema: $1) }
    }

    /// Takes an entity out of all stored collections; answers whether it has left the store.
    package func release(_ url: String) async throws -> Bool {
        try await mapped {
            try await store.file.write { [store] connection in
                try StoredCollections(connection)
                    .release(url, on: connection, in: store.schema(connection))
            }
        }
    }

    /// Removes entities that no collection, no defining query and no change holds; answers how many went.
    ///
    /// - Parameter entitySet: Only those of this set; nil for all.
    package func releaseUnheld(of entitySet: String? = nil) async throws -> Int {
        try await mapped {
            try await store.file.write { [store] connection in
                try StoredCollections(connection)
                    .releaseUnheld(of: entitySet, on: connection, in: store.schema(connection))
            }
        }
    }

    /// Takes copies out of the store so that no file of it has their bytes any more; what is changed here stays.
    ///
    /// - Parameters:
    ///   - collections: Names of stored collections; what is kept with them becomes what the function makes of it.
    ///   - urls: Entities that nothing but their upload has left in the store.
    /// - Returns: How many entities went.
    package func wipe(
        collections: [String],
        keeping attributes: @escaping @Sendable (String?) -> String?,
        entities urls: [String]
    ) async throws -> Int {
        let count = try await mapped {
            try await store.file.write { [store] connection in
                // Pages that become free are overwritten, too.
                try connection.forEachRow("PRAGMA secure_delete = ON") { _ in }
                defer { try? connection.forEachRow("PRAGMA secure_delete = FAST") { _ in } }
                let schema = try store.schema(connection)
                let stored = StoredCollections(connection)
                var count = 0
                for name in collections {
                    guard let collection = try stored.collection(named: name) else { continue }
                    count += try stored.remove(collection, in: schema)
                    var empty = try stored.ensure(named: name, url: collection.url)
                    empty.attributes = attributes(collection.attributes)
                    try stored.update(empty)
                }
                for url in urls {
                    count += try stored.release(url, on: connection, in: schema) ? 1 : 0
                }
                try SearchIndexUpkeep.purge(connection)
                return count
            }
        }
        // Requests that were sent have left free pages, and the log has all of it.
        try await mapped {
            try await store.file.writer.run { connection in
                try connection.forEachRow("PRAGMA incremental_vacuum") { _ in }
            }
            try await DownloadWork(store).checkpoint()
        }
        return count
    }

    /// Makes a stored collection that is still to be fetched; does nothing where there is one of the name.
    package func ensure(collection name: String, url: String) async throws {
        try await mapped {
            try await store.file.write {
                _ = try StoredCollections($0).ensure(named: name, url: url)
            }
        }
    }

    /// Returns the requests that change members of stored collections, with the name of the first collection of those given.
    package func requestsOnMembers(of names: [String]) async throws -> [Int64: String] {
        try await mapped {
            try await store.file.read { connection in
                var found: [Int64: String] = [:]
                for name in names {
                    guard
                        let collection = try StoredCollections(connection).collection(named: name)
                    else { continue }
                    for id in try collection.requestsOnMembers(connection) where found[id] == nil {
                        found[id] = name
                    }
                }
                return found
            }
        }
    }

    /// Lets the waiting changes of an entity's values be sent whatever version the service has by then.
    package func overwriteAnyVersion(_ url: String) async throws {
        try await mapped {
            try await store.file.write { [store] connection in
                try QueueEditor(connection, schema: store.schema(connection)).overwriteAnyVersion(
                    url
                )
            }
        }
    }

    /// Notes that the service has an entity no more of which changes wait: they meet a conflict, and create nothing anew.
    package func markGone(_ url: String) async throws {
        guard let row = try await held(url).row else { return }
        try await mapped {
            try await store.file.write { [store] connection in
                let recorder = UploadRecorder(connection, schema: try store.schema(connection))
                let entries = try RequestQueue(connection).entries(forRow: row)
                guard !entries.contains(where: \.isCreation), let entry = entries.first else {
                    return
                }
                try recorder.markGone(entry)
            }
        }
    }

    /// Removes what reads of killed processes have left beside the store.
    package func removeLeftovers() async {
        await FetchScratch.removeLeftovers(besides: store.file.path)
    }

    /// Returns how many bytes the answers of the stored collections had.
    package func collectionByteCount() async throws -> Int {
        try await mapped { try await store.file.read { try StoredCollections($0).byteCount($0) } }
    }

    /// Returns how many bytes the bodies of waiting and refused changes have, streams included.
    package func queuedByteCount() async throws -> Int {
        try await mapped {
            try await store.file.read { try StoreRoom.queued(after: .min, $0).bytes }
        }
    }

    /// Returns the entities whose local changes meet another version of the service.
    package func conflicts() async throws -> [ConflictedEntity] {
        try await reading { try ConflictedEntity.all($0, schema: $1) }
    }

    /// Says why a conflict was not settled after a synchronisation.
    package func logUnsettled(_ error: any Error) {
        client?.log.error("conflict.unsettled", error: error)
    }

    /// Returns a text that the layer above keeps in the store; nil where there is none.
    package func keptText(_ key: String) async throws -> String? {
        try await mapped { try await store.file.read { try $0.metaText(key) } }
    }

    /// Keeps a text of the layer above in the store; nil takes it away.
    package func keep(_ text: String?, as key: String) async throws {
        try await mapped {
            try await store.file.write { connection in
                guard let text else { return try connection.removeMetaValue(key) }
                try connection.setMetaText(key, to: text)
            }
        }
    }

    /// Returns a text of the layer above while the calling thread waits.
    package func keptTextBlocking(_ key: String) throws(OfflineODataError) -> String? {
        do {
            return try store.file.readBlocking { try $0.metaText(key) }
        } catch {
            throw OfflineODataError.whole(error)
        }
    }

    /// Whether there is any stored collection, while the calling thread waits.
    package func keepsCollectionsBlocking() throws(OfflineODataError) -> Bool {
        do {
            return try store.file.readBlocking { try StoredCollections($0).count() > 0 }
        } catch {
            throw OfflineODataError.whole(error)
        }
    }

    /// Keeps a text of the layer above while the calling thread waits.
    package func keepBlocking(_ text: String, as key: String) throws(OfflineODataError) {
        do {
            try store.file.writeBlocking { try $0.setMetaText(key, to: text) }
        } catch {
            throw OfflineODataError.whole(error)
        }
    }

    private func reading<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection, TableSchema) throws -> R
    ) async throws -> R {
        try await mapped {
            try await store.file.read { [store] connection in
                try body(connection, store.schema(connection))
            }
        }
    }

    func mapped<R>(_ body: () async throws -> R) async throws -> R {
        do { return try await body() } catch { throw OfflineODataError.mapping(error) }
    }
}
