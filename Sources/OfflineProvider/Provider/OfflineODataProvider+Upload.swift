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
    /// Sends the waiting changes, and once what has come meanwhile; refused ones go to the error archive, and the delegate hears of each once.
    ///
    /// - Throws: ``OfflineODataError`` where the connection failed; calling again goes on, and its `upload` says what was done.
    ///   `CancellationError`.
    @discardableResult
    public func upload() async throws -> OfflineODataUploadResult {
        try await upload(categories: nil)
    }

    /// Sends the waiting changes of some upload categories; the empty category is that of requests without one.
    @discardableResult
    public func upload(categories: [String]?) async throws -> OfflineODataUploadResult {
        // Before the metadata has come there is nothing to send.
        _ = try await metadata()
        for observer in router.observers { try await observer.willUpload() }
        interrupted.result = nil
        do {
            return try await send(categories)
        } catch var error as OfflineODataError {
            error.upload = interrupted.result
            throw error
        }
    }

    /// What the last upload had done when it was cancelled or the connection failed; nil where it came to its end, and where nothing was
    /// begun.
    ///
    /// A `CancellationError` cannot say it.
    public var interruptedUpload: OfflineODataUploadResult? { interrupted.result }

    private func send(_ categories: [String]?) async throws -> OfflineODataUploadResult {
        try await synchronize(.upload) { [self] reporter in
            try service().setVersion(of: try await store.schema().model)
            let uploader = Uploader(
                store: store,
                client: try service(),
                progress: reporter,
                settings: try await uploadSettings(),
                recording: try recording()
            )
            let result = try await uploader.upload(
                categories: categories.map(Set.init),
                interrupted: { interrupted.result = $0 }
            )
            let unknown = result.unknownCount == 0 ? "" : ", \(result.unknownCount) unknown"
            try await store.file.write { connection in
                try EventLog(connection).add(
                    "Upload",
                    details:
                        "\(result.succeededCount) carried out, \(result.failedCount) refused\(unknown)"
                )
            }
            return result
        }
    }
}
