import ODataTables
import ODataModel
import ODataProtocol
import OfflineStore

/// Asks the service for its metadata and brings the store's schema to it, before any data is asked for.
struct MetadataUpdate {
    let store: LocalStore
    let client: ServiceClient
    let progress: ProgressReporter

    /// Upgrades the store where the service's model has grown.
    ///
    /// - Throws: ``OfflineODataError`` with category `incompatibleSchema` where it does not fit; the store is untouched then.
    func run() async throws {
        progress.update { $0.step = .loadingMetadata }
        let etag = try await store.file.read { try StoreState.metadataETag($0) }
        var headers: HTTPHeaders = ["Accept": "application/xml"]
        if let etag { headers["If-None-Match"] = etag }
        let response = try await client.get(client.url.absolute("$metadata"), headers: headers)
        let document = try await response.body.collect(upTo: ServiceClient.maximumBodySize)
        guard response.status != 304 else {
            return client.setVersion(try await store.schema().model.version)
        }
        progress.update { $0.step = .upgradingSchema }
        let newETag = response.headers["ETag"]
        try await store.upgrade(to: document) { try StoreState.setMetadataETag(newETag, $0) }
        client.setVersion(try await store.schema().model.version)
    }
}
