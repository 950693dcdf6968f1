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

// MARK: - Defining queries

extension OfflineODataProvider {
    /// Adds a defining query; the same one again does nothing.
    ///
    /// Its data comes with the next opening or download. The calling thread waits for the disk, and for another writer of the file;
    /// ``addDefiningQuery(_:)`` does the same without.
    ///
    /// - Throws: ``OfflineODataError`` where its name stands for another URL.
    public func add(definingQuery: OfflineODataDefiningQuery) throws(OfflineODataError) {
        try mapping {
            try store.file.writeBlocking { [self] in try add(definingQuery, on: $0) }
            logAdded(definingQuery)
        }
    }

    /// Adds a defining query as `add(definingQuery:)` does; no thread waits for the disk.
    ///
    /// - Throws: ``OfflineODataError`` where its name stands for another URL.
    public func addDefiningQuery(_ definingQuery: OfflineODataDefiningQuery)
        async throws(OfflineODataError)
    {
        try await uncancelled {
            try await store.file.write { [self] in try add(definingQuery, on: $0) }
            logAdded(definingQuery)
        }
    }

    private func logAdded(_ query: OfflineODataDefiningQuery) {
        settings.log(.info, "query.added", [("query", .text(query.name))])
    }

    private func add(_ query: OfflineODataDefiningQuery, on connection: SQLiteConnection) throws {
        let model = try store.schemaIfAny(connection)?.model
        try DefiningQueries(connection).add(
            name: query.name,
            // The service root ends with a slash.
            url: query.query.hasPrefix("/") ? String(query.query.dropFirst()) : query.query,
            retrievesStreams: query.automaticallyRetrievesStreams,
            model: model
        )
    }

    /// Removes a defining query with what no other query covers.
    ///
    /// Entities with changes that wait to be sent stay until these are settled.
    /// - Throws: ``OfflineODataError`` where there is no such query.
    public func removeDefiningQuery(named name: String) async throws(OfflineODataError) {
        try await uncancelled {
            try await settings.log.work("query.removed", about: [("query", .text(name))]) {
                try await store.file.write { [store] connection in
                    let schema = try store.schemaIfAny(connection)
                    try DefiningQueries(connection).remove(name, schema: schema)
                }
            }
        }
    }

    /// Returns the defining queries in the order of their addition.
    public func definingQueries() async throws(OfflineODataError) -> [OfflineODataDefiningQuery] {
        try await uncancelled {
            try await store.file.read { connection in
                try DefiningQueries(connection).all().map {
                    OfflineODataDefiningQuery(
                        name: $0.name,
                        query: $0.url,
                        automaticallyRetrievesStreams: $0.retrievesStreams
                    )
                }
            }
        }
    }
}

// MARK: - Open and download

extension OfflineODataProvider {
    /// Opens the store: the first time it is loaded; later only queries that are new are, so that no network is needed.
    ///
    /// An opening that was cut goes on with the next call.
    /// - Throws: ``OfflineODataError``, `CancellationError`.
    public func open() async throws {
        delegateBox.notify(.opening, of: self)
        try await switchUser()
        let needsLoad = try await mapping {
            try await store.file.read { connection in
                let isOpened = try StoreState.isOpened(connection)
                return try !isOpened || DefiningQueries(connection).all().contains { !$0.isLoaded }
            }
        }
        guard needsLoad else { return noteOpened() }
        var scope = Downloader.Scope()
        scope.onlyUnloaded = true
        _ = try await load(.open, in: scope) { result in
            let count = result.insertedCount
            let received = "\(count) \(count == 1 ? "entity" : "entities") received"
            return ([received] + result.notes).joined(separator: "; ")
        }
        noteOpened()
    }

    private func noteOpened() {
        lifecycle.guarded { $0 = .open }
        delegateBox.notify(.open, of: self)
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
    /// Readers see the store before or after, never between; local changes stay. A cancelled download changes nothing visible.
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
            let loaded = try await watched { try await downloader(reporter).download(scope) }
            var result = OfflineODataDownloadResult()
            result.queries = loaded.queries
            if operation == .open { try await indexFilteredProperties() }
            let failure = result.failure
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
            if let failure, failure.category == .communication { throw failure }
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
    private func uploadSettings() async throws -> UploadSettings {
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

// MARK: - Upload

extension OfflineODataProvider {
    /// Sends the waiting changes; refused ones go to the error archive, and the delegate hears of each once.
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
        let done = InterruptedUpload()
        do {
            return try await send(categories, interrupted: { done.result = $0 })
        } catch var error as OfflineODataError {
            error.upload = done.result
            throw error
        }
    }

    private func send(
        _ categories: [String]?,
        interrupted: @escaping @Sendable (OfflineODataUploadResult) -> Void
    ) async throws -> OfflineODataUploadResult {
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
                interrupted: interrupted
            )
            try await store.file.write { connection in
                try EventLog(connection).add(
                    "Upload",
                    details: "\(result.succeededCount) carried out, \(result.failedCount) refused"
                )
            }
            return result
        }
    }
}

// MARK: - Cancelling

extension OfflineODataProvider {
    /// Cancels the opening or download that runs; it leaves a store that the next call goes on from.
    public func cancelDownload() {
        cancel([.open, .download])
    }

    /// Cancels the upload that runs: nothing more is sent, and answers that still come are recorded.
    public func cancelUpload() {
        cancel([.upload])
    }

    private func cancel(_ operations: Set<OfflineODataProgress.Operation>) {
        // Inside the lock decide, outside it act.
        for cancel in running.guarded({ $0.cancellations(of: operations) }) { cancel() }
    }

    /// Runs an operation alone on its store, with what is known about it written down.
    func synchronize<R: Sendable>(
        _ operation: OfflineODataProgress.Operation,
        body: @escaping @Sendable (ProgressReporter) async throws -> R
    ) async throws -> R {
        try checkNotClosed()
        // What cannot begin leaves nothing to go on with.
        _ = try service()
        let start = ContinuousClock.now
        settings.log(.info, operation.rawValue + ".begin")
        let reporter = ProgressReporter(operation) { [self] in
            delegateBox.notify($0, of: self)
            progressStreams.send($0)
        }
        let task = Task { [self] in
            let lock = try await SyncLock(
                besides: settings.storeFile,
                waiting: settings.waitsForOtherProcess
            )
            defer { withExtendedLifetime(lock) {} }
            let isContinuation = try await begin(operation)
            let result: R
            do {
                result = try await body(reporter)
            } catch {
                await noteMessages()
                // The first error is the one to report.
                try? await noteFormat()
                if operation == .upload, error is CancellationError {
                    try? await endUnsentUpload()
                }
                if !isContinuation, (error as? StoreError)?.code == .incompatibleSchema {
                    // Nothing was loaded, and the same download would be refused again.
                    try? await end(operation)
                }
                throw error
            }
            await noteMessages()
            try await noteFormat()
            try await end(operation)
            reporter.update { $0.step = .finished }
            return result
        }
        let number = running.guarded { $0.begin(operation) { task.cancel() } }
        defer { running.guarded { $0.end(number) } }
        return try await mapping {
            do {
                let result = try await withTaskCancellationHandler {
                    try await task.value
                } onCancel: {
                    task.cancel()
                }
                await delegateBox.flush()
                settings.log(
                    .info,
                    operation.rawValue + ".end",
                    Self.fields(of: result) + [("ms", .time(.now - start))]
                )
                await report(operation, result: .success(result))
                return result
            } catch {
                settings.log.error(
                    operation.rawValue + ".failed",
                    error: error,
                    fields: [("ms", .time(.now - start))]
                )
                await note(operation, error: error)
                await delegateBox.flush()
                await report(operation, result: Result<R, any Error>.failure(error))
                throw error
            }
        }
    }

    /// Writes down that an operation begins; returns whether an earlier one had not ended.
    private func begin(_ operation: OfflineODataProgress.Operation) async throws -> Bool {
        try await store.file.write { connection in
            let earlier = try StoreState.interruptedOperations(connection)
            try StoreState.begin(operation.rawValue, on: connection)
            return !earlier.isEmpty
        }
    }

    private func end(_ operation: OfflineODataProgress.Operation) async throws {
        try await store.file.write { try StoreState.end(operation.rawValue, on: $0) }
    }

    /// A cancelled upload of which no answer is missing has left nothing to go on with: what waits, waits.
    private func endUnsentUpload() async throws {
        try await store.file.write { connection in
            guard try UnsentRound.isAll(connection) else { return }
            try StoreState.end(OfflineODataProgress.Operation.upload.rawValue, on: connection)
        }
    }

    /// What is logged of the result of an operation.
    private static func fields<R>(of result: R) -> [Log.Field] {
        switch result {
        case let result as OfflineODataDownloadResult:
            [
                ("inserted", .count(result.insertedCount)),
                ("updated", .count(result.updatedCount)),
                ("removed", .count(result.removedCount)),
                ("conflicts", .count(result.conflictCount)),
            ]
        case let result as OfflineODataUploadResult:
            [
                ("carriedOut", .count(result.succeededCount)),
                ("refused", .count(result.failedCount)),
                ("unknownOutcome", .count(result.unknownCount)),
                ("requests", .count(result.requestCount)),
            ]
        default: []
        }
    }

    /// Reports to observers how an operation ended.
    private func report<R>(
        _ operation: OfflineODataProgress.Operation,
        result: Result<R, any Error>
    ) async {
        for observer in router.observers {
            switch (operation, result) {
            case (.upload, .success(let value)):
                let counts = value as? OfflineODataUploadResult
                await observer.didUpload(.success(counts ?? OfflineODataUploadResult()))
            case (.upload, .failure(let error)): await observer.didUpload(.failure(error))
            case (_, .success): await observer.didDownload(nil)
            case (_, .failure(let error)): await observer.didDownload(error)
            }
        }
    }

    /// Returns what the service had to say to people since the last call (`sap-message`), in the order in which it came.
    ///
    /// The event log keeps the messages too.
    public func takeServiceMessages() -> [String] {
        messages.guarded { messages in
            defer { messages = [] }
            return messages
        }
    }

    /// Writes what the service had to say to people into the event log; an operation does not fail for it.
    private func noteMessages() async {
        let messages = client?.takeMessages() ?? []
        guard !messages.isEmpty else { return }
        self.messages.guarded { $0 = ($0 + messages).suffix(ServiceClient.maximumMessageCount) }
        try? await store.file.write { connection in
            for message in messages { try EventLog(connection).add("Message", details: message) }
        }
    }

    /// Writes down in which format the service has answered, which is the one that changes are sent in.
    private func noteFormat() async throws {
        guard let isAtom = client?.answersAtom,
            try await store.file.read(StoreState.answersAtom) != isAtom
        else { return }
        try await store.file.write { try StoreState.setAnswersAtom(isAtom, on: $0) }
    }

    /// Writes a failed synchronisation into the event log.
    private func note(_ operation: OfflineODataProgress.Operation, error: any Error) async {
        let type = operation.rawValue.prefix(1).uppercased() + operation.rawValue.dropFirst()
        let mapped = OfflineODataError.mapping(error, of: settings.storeFile)
        let details = error is CancellationError ? "cancelled" : "\(mapped)"
        // The first error is the one to report; a log that cannot be written must not hide it.
        try? await store.file.write { try EventLog($0).add(type, details: details) }
    }

    /// Runs a body whose errors become the product's.
    package func mapping<R>(_ body: () async throws -> R) async throws -> R {
        try checkNotClosed()
        do { return try await body() } catch {
            let mapped = OfflineODataError.mapping(error, of: settings.storeFile)
            if mapped is CancellationError { try checkNotEndedByClosing() }
            throw mapped
        }
    }

    /// Says that the store was closed where that, not the caller, has ended what ran.
    private func checkNotEndedByClosing() throws(OfflineODataError) {
        guard !Task.isCancelled else { return }
        try checkNotClosed()
    }

    /// Runs a body that cannot be cancelled, and maps its errors to the product's.
    package func uncancelled<R>(
        _ body: () async throws -> R
    ) async throws(OfflineODataError) -> R {
        try checkNotClosed()
        do { return try await body() } catch {
            let mapped = OfflineODataError.whole(error, of: settings.storeFile)
            if mapped.category == .cancelled { try checkNotEndedByClosing() }
            throw mapped
        }
    }

    /// Runs a body whose errors become the product's.
    func mapping<R>(_ body: () throws -> R) throws(OfflineODataError) -> R {
        try checkNotClosed()
        do { return try body() } catch {
            throw OfflineODataError.whole(error, of: settings.storeFile)
        }
    }
}
