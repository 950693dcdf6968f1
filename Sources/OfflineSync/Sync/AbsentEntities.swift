import ODataClient
import StoreRecords
import StoreUpload
import ODataSQL
import ODataModel
import OfflineStore
import OfflineValues

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
            guard let answer = try await ServerEntity.ifReadable({ try await ask(item) }) else {
                continue
            }
            if try await take(answer, of: item) { conflicts.append(item.row.source) }
        }
        return conflicts
    }

    /// Asks for one; nil where the service does not let it be read, which says nothing about whether it is there.
    private func ask(_ item: AbsentRows.Absent) async throws -> ServerEntity.Found? {
        do {
            return try await ServerEntity.read(
                item.row.source,
                url: item.url,
                in: store,
                through: client
            )
        } catch let error as OfflineODataError where Self.refusals.contains(error.httpStatus) {
            return nil
        }
    }

    /// Statuses that will be the same at the next time.
    private static let refusals: Set<Int?> = [400, 403, 405, 451, 501]

    /// Writes down what was said; answers whether the entity has changes here and is gone there.
    private func take(_ answer: ServerEntity.Found?, of item: AbsentRows.Absent) async throws
        -> Bool
    {
        try await store.file.write { [store] connection in
            let rows = AbsentRows(connection, schema: try store.schema(connection))
            switch answer {
            case .missing?: return try rows.confirm(item.row)
            case .found(let body, let etag)?: try rows.restore(item.row, body: body, etag: etag)
            case nil: try rows.keep(item.row)
            }
            return false
        }
    }
}
