import Synchronization
public import OfflineValues
import StoreRecords
import ODataSQLite
import OfflineSync
import ODataValues
import ODataClient
import ODataHTTP
import StoreUpload
import ODataModel
import ODataTables
import OfflineStore

extension OfflineODataProvider {
    /// Adds a defining query; the same one again does nothing.
    ///
    /// Its data comes with the next opening or download. The calling thread waits for the disk, and for another writer of the file;
    /// ``addDefiningQuery(_:)`` does the same without.
    ///
    /// - Throws: ``OfflineODataError`` where its name stands for another URL of which something was loaded.
    public func add(definingQuery: OfflineODataDefiningQuery) throws(OfflineODataError) {
        try mapping {
            try store.file.writeBlocking { [self] in try add(definingQuery, on: $0) }
            logAdded(definingQuery)
        }
    }

    /// Adds a defining query as `add(definingQuery:)` does; no thread waits for the disk.
    ///
    /// - Throws: ``OfflineODataError`` where its name stands for another URL of which something was loaded.
    public func addDefiningQuery(_ definingQuery: OfflineODataDefiningQuery)
        async throws(OfflineODataError)
    {
        try await uncancelled {
            try await store.file.write { [self] in try add(definingQuery, on: $0) }
            logAdded(definingQuery)
        }
    }

    private func logAdded(_ query: OfflineODataDefiningQuery) {
        settings.log(.info, "query.added", [("query", .text(query.name))])
    }

    private func add(_ query: OfflineODataDefiningQuery, on connection: SQLiteConnection) throws {
        let model = try store.schemaIfAny(connection)?.model
        try DefiningQueries(connection).add(
            name: query.name,
            // The service root ends with a slash.
            url: query.query.hasPrefix("/") ? String(query.query.dropFirst()) : query.query,
            retrievesStreams: query.automaticallyRetrievesStreams,
            model: model
        )
    }

    /// Removes a defining query with what no other query covers.
    ///
    /// Entities with changes that wait to be sent stay until these are settled.
    /// - Throws: ``OfflineODataError`` where there is no such query.
    public func removeDefiningQuery(named name: String) async throws(OfflineODataError) {
        try await uncancelled {
            try await settings.log.work("query.removed", about: [("query", .text(name))]) {
                try await store.file.write { [store] connection in
                    let schema = try store.schemaIfAny(connection)
                    try DefiningQueries(connection).remove(name, schema: schema)
                }
            }
        }
    }

    /// Returns the defining queries in the order of their addition.
    public func definingQueries() async throws(OfflineODataError) -> [OfflineODataDefiningQuery] {
        try await uncancelled {
            try await store.file.read { connection in
                try DefiningQueries(connection).all().map {
                    OfflineODataDefiningQuery(
                        name: $0.name,
                        query: $0.url,
                        automaticallyRetrievesStreams: $0.retrievesStreams
                    )
                }
            }
        }
    }
}
