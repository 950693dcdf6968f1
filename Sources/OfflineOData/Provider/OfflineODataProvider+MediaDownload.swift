import ODataModel
import ODataTables
import OfflineStore

extension OfflineODataProvider {
    /// Brings the stream of one media entity from the service, if it is another one than the stored.
    ///
    /// - Parameter url: URL of the entity, relative to the service root.
    /// - Throws: ``OfflineODataError`` where the store has no such media entity, or the service cannot be asked.
    public func retrieveMedia(of url: String) async throws {
        try await synchronize(.download) { [self] reporter in
            let client = try service()
            client.setVersion(try await store.schema().model.version)
            guard let target = try await MediaTarget.one(url, store) else {
                throw OfflineODataError(.notFound, "the store has no media entity at \(url)")
            }
            try await MediaDownload(store: store, client: client, progress: reporter).load(target)
        }
    }
}
