import OfflineProvider
import StoreRecords
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
            let categories = categories.map(Set.init)
            let uploader = try await previewingUploader()
            let plan =
                store.file.isWritable
                ? try await uploader.planned(categories) : try await plannedInCopy(categories)
            return try await uploader.preview(of: plan)
        }
    }

    private func previewingUploader() async throws -> Uploader {
        let client = try service()
        client.setVersion(of: try await store.schema().model)
        return Uploader(
            store: store,
            client: client,
            progress: ProgressReporter(.upload) { _ in },
            settings: try await knownUploadSettings(),
            recording: try recording()
        )
    }

    /// Plans in a copy: of a store that can be read only, nothing may be changed and taken back either.
    private func plannedInCopy(_ categories: Set<String>?) async throws -> PlannedUpload {
        let copy = try await DiskWork.run { [file = settings.storeFile] in
            try RehearsalCopy(of: file)
        }
        defer { copy.remove() }
        let provider = try await DiskWork.run { [self] in
            try OfflineODataProvider(of: copy.path, as: self)
        }
        let plan = try await provider.previewingUploader().planned(categories)
        try await provider.close(force: true)
        return plan
    }
}
