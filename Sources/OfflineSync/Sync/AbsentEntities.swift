import ODataClient
import StoreRecords
import StoreUpload
import ODataSQL
import ODataModel
import OfflineStore

/// Asks the service for entities with local changes that a full read did not bring: they may be deleted, or only outside of the query.
struct AbsentEntities {
    let store: LocalStore
    let client: ServiceClient

    /// Reads each of them by its key; what cannot be read now is asked for after the next download.
    ///
    /// - Returns: The source of each that was updated here and that the service has no more.
    func settle() async throws -> [NavigationSource] {
        var conflicts: [NavigationSource] = []
        let absent = try await store.file.read { [store, client] connection in
            try AbsentRows(connection, schema: store.schema(connection)).all(root: client.url.root)
        }
        for item in absent {
            try Task.checkCancellation()
            guard
                let found = try await ServerEntity.ifReadable({
                    try await ServerEntity.read(
                        item.row.source,
                        url: item.url,
                        in: store,
                        through: client
                    )
                })
            else { continue }
            let isConflict = try await store.file.write { [store] connection in
                let rows = AbsentRows(connection, schema: try store.schema(connection))
                switch found {
                case .missing: return try rows.confirm(item.row)
                case .found(let body, let etag):
                    try rows.restore(item.row, body: body, etag: etag)
                    return false
                }
            }
            if isConflict { conflicts.append(item.row.source) }
        }
        return conflicts
    }
}
