import OfflineValues
import ODataClient
import StoreRecords
import StoreDownload
import OfflineSync
import ODataTables
import OfflineStore

extension OfflineODataProvider {
    /// Brings the streams of one entity from the service, those that are others than the stored: of a media entity, and of properties.
    ///
    /// - Parameter url: URL of the entity, relative to the service root.
    /// - Throws: ``OfflineODataError`` where the store has no such entity, or one without streams, or the service cannot be asked.
    public func retrieveMedia(of url: String) async throws {
        try await synchronize(.download) { [self] reporter in
            let client = try service()
            client.setVersion(of: try await store.schema().model)
            let targets = try await MediaTarget.all(at: url, store)
            guard !targets.isEmpty else {
                throw OfflineODataError(.notFound, "the store has no streams at \(url)")
            }
            let download = MediaDownload(store: store, client: client, progress: reporter)
            for target in targets {
                do {
                    try await download.load(target)
                } catch let error as ServiceClient.ForeignStream {
                    throw OfflineODataError(
                        .preconditionFailed,
                        "the stream is at \(error.origin): allow the origin (allowedOrigins, --allow-origin)"
                    )
                }
            }
        }
    }
}
