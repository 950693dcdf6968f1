import OfflineProvider
import ODataClient
import OfflineSync
import OfflineValues
import ODataTables
import OfflineStore

/// What would leave the device.
extension OfflineODataProvider {
    /// Returns the requests that ``upload(categories:)`` would send now, up to where an answer of the service decides how to go on.
    ///
    /// The requests are made by the code that makes those of an upload. Nothing is sent, and nothing changes in the store.
    ///
    /// - Parameter categories: Upload categories; nil for all.
    public func uploadPreview(
        categories: [String]? = nil
    ) async throws -> OfflineODataUploadPreview {
        try await mapping {
            let client = try service()
            client.setVersion(of: try await store.schema().model)
            let uploader = Uploader(
                store: store,
                client: client,
                progress: ProgressReporter(.upload) { _ in },
                settings: try await knownUploadSettings(),
                recording: try recording()
            )
            return try await uploader.preview(categories: categories.map(Set.init))
        }
    }
}
