import Synchronization
public import OfflineValues
import StoreRecords
import ODataSQLite
package import OfflineSync
import ODataValues
package import ODataClient
import ODataHTTP
import StoreUpload
import ODataModel
import ODataTables
import OfflineStore

extension OfflineODataProvider {
    /// Opens the store: the first time it is loaded; later only queries that are new are, so that no network is needed.
    ///
    /// An opening that was cut goes on with the next call.
    ///
    /// - Returns: What was loaded.
    /// - Throws: ``OfflineODataError``, `CancellationError`.
    @discardableResult
    public func open() async throws -> OfflineODataDownloadResult {
        delegateBox.notify(.opening, of: self)
        try await switchUser()
        let needsLoad = try await mapping {
            try await store.file.read { connection in
                let isOpened = try StoreState.isOpened(connection)
                return try !isOpened || DefiningQueries(connection).all().contains { !$0.isLoaded }
            }
        }
        var result = OfflineODataDownloadResult()
        if needsLoad { result = try await loadNewQueries() }
        lifecycle.guarded { $0 = .open }
        delegateBox.notify(.open, of: self)
        return result
    }

    private func loadNewQueries() async throws -> OfflineODataDownloadResult {
        var scope = Downloader.Scope()
        scope.onlyUnloaded = true
        return try await load(.open, in: scope) { result in
            let count = result.insertedCount
            let received = "\(count) \(count == 1 ? "entity" : "entities") received"
            return ([received] + result.notes).joined(separator: "; ")
        }
    }

    /// Lets another user go on with the store: first what the one before has changed goes to the service, where that is demanded.
    private func switchUser() async throws {
        guard let user = settings.currentUser else { return }
        let former = try await mapping { try await store.file.read { try StoreState.user($0) } }
        guard former != user else { return }
        if former != nil, settings.forceUploadOnUserSwitch, try await !requestQueueIsEmpty() {
            try await upload()
            guard try await requestQueueIsEmpty() else {
                throw OfflineODataError(
                    .preconditionFailed,
                    "changes of the user before could not be uploaded: settle them in the queue, then open again"
                )
            }
        }
        try await mapping { try await store.file.write { try StoreState.setUser(user, on: $0) } }
    }

    /// Brings what has changed at the service since the last download.
    ///
    /// Readers see the store before or after, never between; local changes stay. A cancelled download changes nothing visible, and throws
    /// `CancellationError`; one that is cancelled when all that has changed is visible already, and streams or the like still come,
    /// throws an ``OfflineODataError`` of the category `cancelled`, whose `download` says what was done.
    /// A query that fails does not keep the others from being applied: the error names it, and its `download` says what was done.
    /// - Throws: ``OfflineODataError``, `CancellationError`.
    @discardableResult
    public func download() async throws -> OfflineODataDownloadResult {
        try await download(withSubset: nil)
    }

    /// Brings what has changed for some of the defining queries, by name.
    ///
    /// - Parameters:
    ///   - names: The queries; nil for all.
    ///   - isFull: Whether they are read in full, whatever the service has said of later changes: their delta links are replaced.
    /// - Throws: ``OfflineODataError``, `CancellationError`.
    @discardableResult
    public func download(
        withSubset names: [String]?,
        isFull: Bool = false
    ) async throws -> OfflineODataDownloadResult {
        try await checkNames(names)
        var scope = Downloader.Scope(names: names.map(Set.init))
        scope.isFull = isFull
        return try await load(.download, in: scope) { $0.summary }
    }

    /// Loads queries, writes down what it did, and throws where some of them failed.
    private func load(
        _ operation: OfflineODataProgress.Operation,
        in scope: Downloader.Scope,
        event: @escaping @Sendable (OfflineODataDownloadResult) -> String
    ) async throws -> OfflineODataDownloadResult {
        let result = try await synchronize(operation) { [self] reporter in
            let client = try service()
            let (start, sentBefore) = (client.settings.retry.clock(), client.requestCount)
            let loaded = try await watched { try await downloader(reporter).download(scope) }
            var result = OfflineODataDownloadResult()
            result.queries = loaded.queries
            result.requestCount = client.requestCount - sentBefore
            result.duration = client.settings.retry.clock() - start
            if operation == .open { try await indexFilteredProperties() }
            let failure = loaded.isCut ? result.cancellation : result.failure
            let details = event(result) + Self.names(loaded.unknownNames)
            try await store.file.write { connection in
                // What was loaded in part is not to be read yet.
                if try failure == nil || DefiningQueries(connection).all().allSatisfy(\.isLoaded) {
                    try StoreState.setOpened(connection)
                }
                let type =
                    operation.rawValue.prefix(1).uppercased() + operation.rawValue.dropFirst()
                try EventLog(connection).add(type, details: details)
            }
            await store.file.beginLogging()
            // Calling again goes on where the connection broke.
            if let failure, [.communication, .cancelled].contains(failure.category) {
                throw failure
            }
            return result
        }
        if let failure = result.failure { throw failure }
        return result
    }

    /// Runs a download, and reports to observers which entities it has changed, also where it fails half-way.
    private func watched<R: Sendable>(_ download: () async throws -> R) async throws -> R {
        let observers = router.observers.filter(\.wantsRowChanges)
        guard !observers.isEmpty else { return try await download() }
        try await store.beginWatch()
        let result: Result<R, any Error>
        do { result = .success(try await download()) } catch { result = .failure(error) }
        let changes = try await store.endWatch()
        for observer in observers where !changes.isEmpty { await observer.didChange(changes) }
        return try result.get()
    }

    private static func names(_ unknown: [String]) -> String {
        guard !unknown.isEmpty else { return "" }
        return "; not in the metadata: " + unknown.prefix(20).joined(separator: ", ")
    }

    private func checkNames(_ names: [String]?) async throws {
        guard let names else { return }
        let known = Set(try await definingQueries().map(\.name))
        for name in names where !known.contains(name) {
            throw OfflineODataError(
                .notFound,
                "the store has no defining query \(name); it has: \(known.sorted().joined(separator: ", "))"
            )
        }
    }

    private func downloader(_ reporter: ProgressReporter) throws -> Downloader {
        Downloader(
            store: store,
            client: try service(),
            progress: reporter,
            settings: settings.download,
            hasLostAnswers: { [self] in try await hasLostAnswers() },
            settle: { [self] in try await settleLostAnswers() }
        )
    }

    private func hasLostAnswers() async throws -> Bool {
        try await store.file.read { try !RequestQueue($0).entries([.sending]).isEmpty }
    }

    /// Finds out about changes whose answers were lost, before anything comes down.
    func settleLostAnswers() async throws {
        guard try await hasLostAnswers() else { return }
        var result = OfflineODataUploadResult()
        try await LostAnswers(
            store: store,
            client: try service(),
            settings: try await uploadSettings(),
            recording: recording(),
            budget: try service().budget()
        ).settle(&result)
    }

    package func recording() throws -> AnswerRecording {
        AnswerRecording(
            store: store,
            client: try service(),
            settings: settings.upload,
            requestDidFail: { [self] request in
                delegateBox.notify { [self] in
                    await $0.offlineODataProvider(self, requestDidFail: request)
                }
            }
        )
    }

    /// The settings of an upload; what the application vouches for once is true of the service, not of one call.
    func uploadSettings() async throws -> UploadSettings {
        let isKnown = try await store.file.read { try StoreState.isRepeatable($0) }
        if settings.upload.isRepeatable, !isKnown {
            try await store.file.write { try StoreState.setRepeatable($0) }
        }
        return try await knownUploadSettings()
    }

    /// The settings, with what the service says about itself.
    package func knownUploadSettings() async throws -> UploadSettings {
        var upload = settings.upload
        let model = try await store.schema().model
        let isKnown = try await store.file.read { try StoreState.isRepeatable($0) }
        upload.isRepeatable =
            upload.isRepeatable || isKnown || model.isRepeatabilitySupported == true
        let isJSON = try await store.file.read { try StoreState.takesJSONBatches($0) }
        if isJSON || model.takesJSONBatchesOnly { upload.batchFormat = .json }
        return upload
    }

    package func service() throws -> ServiceClient {
        guard let client else { throw OfflineODataError.withoutService }
        return client
    }
}
