import ODataClient
import ODataValues
public import OfflineValues
import StoreRecords
import StoreDownload
public import ODataModel
import ODataTables
import OfflineStore
import Synchronization

/// Opening and closing, and what a provider is about.
extension OfflineODataProvider {
    /// The service root with a slash at its end; nil for a store that belongs to no service.
    public var serviceRoot: String? { client?.url.root }

    /// Path of the store's file.
    public var storeFile: String { settings.storeFile }

    /// Whether `open()` has been called with success, and `close()` not since.
    public var isOpen: Bool { lifecycle.guarded { $0 == .open } }

    /// Returns the service's model, with the built-in sets.
    ///
    /// - Throws: ``OfflineODataError`` before the metadata has come for the first time.
    public func metadata() async throws(OfflineODataError) -> EdmModel {
        try await uncancelled { try await store.schema().model }
    }

    /// Returns the metadata document as the service gave it.
    public func metadataDocument() async throws(OfflineODataError) -> [UInt8] {
        try await uncancelled {
            try await store.file.read { [store] connection in
                try store.schema(connection).document(connection)
            }
        }
    }

    /// Closes the store: cancels what runs, brings the log into the file, and refuses everything from then on.
    ///
    /// It returns when what ran has ended: an upload still takes the answers to what it has sent, for some seconds at most. Called by
    /// what an operation itself calls, it does not wait for that operation.
    ///
    /// - Parameter force: Whether it is closed also where an upload was cut.
    /// - Throws: ``OfflineODataError`` where an upload is pending and `force` is not given.
    public func close(force: Bool = false) async throws(OfflineODataError) {
        guard !lifecycle.guarded({ $0 == .closed }) else { return }
        try await settings.log.work("close", at: .debug) { () throws(OfflineODataError) in
            try await checkNothingWasCut(force)
            await end()
        }
    }

    private func end() async {
        lifecycle.guarded { $0 = .closed }
        delegateBox.notify(.closed, of: self)
        cancelUpload()
        cancelDownload()
        // A reader that goes on would hold up the checkpoint.
        store.file.cancelReads()
        if !RunningOperations.isInside {
            for end in running.guarded({ $0.ends }) { await end() }
        }
        progressStreams.finish()
        try? await DownloadWork(store).checkpoint()
        await store.file.removeJournal()
    }

    private func checkNothingWasCut(_ force: Bool) async throws(OfflineODataError) {
        guard !force, try await hasPendingUpload() else { return }
        throw OfflineODataError(
            .preconditionFailed,
            "an upload was cut: call upload() again, or close the store by force"
        )
    }

    /// Refuses work on a store that was closed.
    func checkNotClosed() throws(OfflineODataError) {
        guard lifecycle.guarded({ $0 != .closed }) else {
            throw OfflineODataError(
                .preconditionFailed,
                "the store is closed: make a new provider",
                code: .closed
            )
        }
    }

    /// Where a provider stands.
    package enum Lifecycle { case made, open, closed }
}
