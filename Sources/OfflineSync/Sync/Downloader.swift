package import ODataClient
import StoreDownload
package import OfflineValues
import StoreRecords
import ODataModel
import ODataURL
import ODataPayload
import ODataHTTP
import ODataTables
package import OfflineStore

/// Downloads: metadata first, then every defining query, then one moment in which all of it appears.
package struct Downloader {
    package let store: LocalStore
    package let client: ServiceClient
    package let progress: ProgressReporter
    package let settings: DownloadSettings
    /// Whether there are changes whose answers were lost.
    package let hasLostAnswers: @Sendable () async throws -> Bool
    /// Settles changes whose answers were lost, so that nothing comes down twice.
    package let settle: @Sendable () async throws -> Void

    package init(
        store: LocalStore,
        client: ServiceClient,
        progress: ProgressReporter,
        settings: DownloadSettings,
        hasLostAnswers: @escaping @Sendable () async throws -> Bool,
        settle: @escaping @Sendable () async throws -> Void
    ) {
        self.store = store
        self.client = client
        self.progress = progress
        self.settings = settings
        self.hasLostAnswers = hasLostAnswers
        self.settle = settle
    }

    private var work: DownloadWork { DownloadWork(store) }
    private var metadata: MetadataUpdate {
        MetadataUpdate(store: store, client: client, progress: progress)
    }

    /// What a download did.
    package struct Result {
        package var queries: [OfflineODataDownloadResult.Query] = []
        /// What the service sent and its metadata does not name.
        package var unknownNames: [String] = []
        /// The metadata's ETag that the answers state.
        var metadataETag: String?
        /// Queries to read once more: those that an earlier call had begun to read, and those whose changes could not be understood.
        var outdated: Set<String> = []
        /// Those of them that only a full read mends.
        var unclear: Set<String> = []
        /// Queries of which only the changes were asked for.
        var deltas: Set<String> = []
        /// Whether the download was cancelled when this was visible already: what comes behind it is left out.
        package var isCut = false

        /// Counts entities of these sources that were changed here and that the service has deleted, each with a query that could
        /// have brought it.
        mutating func count(
            conflictsIn gone: [NavigationSource],
            of tasks: [DownloadWork.Task],
            _ schema: TableSchema
        ) {
            for source in gone {
                let index = tasks.firstIndex {
                    QueryReach.sources(of: $0.query, in: schema).contains(source)
                }
                if let index { queries[index].conflictCount += 1 }
            }
        }

        mutating func add(_ other: Result) {
            for query in other.queries {
                if let index = queries.firstIndex(where: { $0.name == query.name }) {
                    queries[index].add(query)
                } else {
                    queries.append(query)
                }
            }
            unknownNames = Set(unknownNames + other.unknownNames).sorted()
            metadataETag = other.metadataETag ?? metadataETag
            outdated = other.outdated
            unclear = other.unclear
            isCut = other.isCut
        }

        /// Does what comes behind the moment in which the data appear: a task that is cancelled then has changed something.
        mutating func goOn(_ work: (inout Result) async throws -> Void) async throws {
            do {
                try await work(&self)
            } catch  where Task.isCancelled {
                isCut = true
            }
        }
    }

    /// What a download asks for.
    package struct Scope {
        /// The queries; nil for all.
        package var names: Set<String>?
        /// Whether only queries are asked that have never been loaded.
        package var onlyUnloaded = false
        /// Whether queries are read in full, whatever is known of them.
        package var isFull = false

        package init(names: Set<String>? = nil, onlyUnloaded: Bool = false, isFull: Bool = false) {
            self.names = names
            self.onlyUnloaded = onlyUnloaded
            self.isFull = isFull
        }
    }

    /// Loads what is asked for; a query that fails does not keep the others from being loaded.
    package func download(_ scope: Scope) async throws -> Result {
        var result = try await loadWithMetadata(scope)
        if !result.isCut { try await result.goOn { try await complete(&$0, scope) } }
        return result
    }

    /// Loads what the first answers have shown to be missing.
    private func complete(_ result: inout Result, _ scope: Scope) async throws {
        if !result.outdated.isEmpty {
            var again = Scope(names: result.outdated)
            again.isFull = !result.unclear.isEmpty
            result.add(try await load(again))
        }
        try await compareKeys(&result)
        if scope.onlyUnloaded { try await loadStreamsOfOthers(&result) }
        guard try await hasGrown(after: result) else { return }
        // The model has grown since: what could not be read the first time is read now.
        result.add(try await load(scope))
    }

    /// Loads what is asked for with the metadata of now.
    ///
    /// Where nothing hangs on the answer, the metadata are asked for in the same round trip as the data; data of another model are read
    /// once more. A first load goes into tables that must not change meanwhile, and what a lost answer means is asked in the model of
    /// now: there the metadata come first.
    private func loadWithMetadata(_ scope: Scope) async throws -> Result {
        let tasks = try await tasksBesideMetadata(scope)
        guard !tasks.isEmpty else {
            try await metadata.run()
            try await settle()
            return try await load(scope)
        }
        client.setVersion(of: try await store.schema().model)
        async let asked = metadata.ask()
        let received = try await receive(tasks)
        guard try await metadata.take(try await asked) else { return try await merge(received) }
        return try await load(scope)
    }

    /// Asks for the metadata once more where the answers do not fit those that are known; answers whether the model is another one now.
    private func hasGrown(after result: Result) async throws -> Bool {
        if let etag = result.metadataETag, try await metadata.runAgain(stating: etag) {
            return true
        }
        guard !result.unknownNames.isEmpty else { return false }
        return try await metadata.runAgain(after: result.unknownNames)
    }

    /// Looks for deletions, which services of version 1 to 3 do not report.
    private func compareKeys(_ result: inout Result) async throws {
        guard settings.comparesKeys, !client.version.isV4, !result.deltas.isEmpty else { return }
        let tasks = try await work.comparisons(of: result.deltas)
        if !tasks.isEmpty { result.add(try await load(tasks)) }
    }

    private func tasks(_ scope: Scope) async throws -> [DownloadWork.Task] {
        try await work.tasks(
            names: scope.names,
            onlyUnloaded: scope.onlyUnloaded,
            isFull: scope.isFull
        )
    }

    /// Returns what may be loaded while the metadata are asked for; nothing where these must come first.
    private func tasksBesideMetadata(_ scope: Scope) async throws -> [DownloadWork.Task] {
        let hasModel = try await store.file.read { try StoreSchema.version($0) > 0 }
        guard hasModel, !settings.isSequential, try await !hasLostAnswers() else { return [] }
        let tasks = try await tasks(scope)
        return tasks.allSatisfy(\.query.isLoaded) ? tasks : []
    }

    private func load(_ scope: Scope) async throws -> Result {
        try await load(try await tasks(scope))
    }

    private func load(_ tasks: [DownloadWork.Task]) async throws -> Result {
        try await merge(try await receive(tasks))
    }

    /// What has come and stands beside the store, not in it.
    private struct Received {
        let tasks: [DownloadWork.Task]
        let answers: [Swift.Result<DownloadWork.Loaded, any Error>]
        let staging: StagingFile
        let key: String?
        let stamp: Int64
        let unknown: UnknownNames
    }

    /// Brings what is asked for into the staging file; first loads into the store's own tables.
    private func receive(_ tasks: [DownloadWork.Task]) async throws -> Received {
        let stamp = try await work.begin()
        let key = settings.continuesTransfers ? try await work.stagingKey() : nil
        let (path, encryption) = (store.file.path, store.file.key)
        let staging = try await DiskWork.run {
            try StagingFile(besides: path, continuing: key, encryption: encryption)
        }
        let unknown = UnknownNames()
        var loader = QueryLoader(
            store: store,
            client: client,
            progress: progress,
            settings: settings,
            staging: staging,
            stamp: stamp,
            unknown: unknown
        )
        loader.asksForSnapshot = try await store.schema().model.isSnapshotSupported
        return Received(
            tasks: tasks,
            answers: try await load(tasks, loader: loader),
            staging: staging,
            key: key,
            stamp: stamp,
            unknown: unknown
        )
    }

    /// Shows what has come, all of it in one moment.
    private func merge(_ received: Received) async throws -> Result {
        let (tasks, answers) = (received.tasks, received.answers)
        let (staging, stamp) = (received.staging, received.stamp)
        let loaded = answers.compactMap { try? $0.get() }
        progress.update { $0.step = .mergingData }
        try Task.checkCancellation()
        let start = ContinuousClock.now
        let merged = try await work.merge(
            loaded,
            staging: staging,
            stamp: stamp,
            releasesRemoved: true
        )
        client.log(
            .debug,
            "merge",
            [("queries", .count(loaded.count)), ("ms", .time(.now - start))]
        )
        var result = Result()
        result.queries = zip(tasks, answers).map { report($0, answer: $1, merged: merged) }
        try await result.goOn { try await complete(&$0, received) }
        result.unknownNames = received.unknown.names
        result.metadataETag = received.unknown.metadataETag
        // A full read that is refused is refused again.
        result.unclear = Set(
            tasks.filter(\.isDelta).map(\.query.name).filter { merged.refused[$0] != nil }
        )
        result.outdated = Set(
            loaded.filter { $0.isResumed && $0.deltaLink != nil }.map(\.task.query.name)
        ).union(result.unclear).union(merged.unclear)
        result.deltas = Set(loaded.map(\.task).filter(\.isDelta).map(\.query.name))
        return result
    }

    /// Does for what has come what is not done in the moment in which it appears.
    private func complete(_ result: inout Result, _ received: Received) async throws {
        let tasks = received.tasks
        let gone = try await AbsentEntities(store: store, client: client).settle()
        try await keep(
            received.staging,
            key: received.key,
            tasks: tasks,
            answers: received.answers
        )
        // The log of a large merge would stay large; where a reader is in the way, the next merge does it.
        try? await work.checkpoint()
        if !gone.isEmpty {
            try await result.count(conflictsIn: gone, of: tasks, store.schema())
        }
        for (task, query) in zip(tasks, result.queries) { log(query, isDelta: task.isDelta) }
        try await loadStreams(of: tasks, stamp: received.stamp, &result)
    }

    private func log(_ query: OfflineODataDownloadResult.Query, isDelta: Bool) {
        let name = OfflineODataLogRecord.Value.text(query.name)
        if let error = query.error {
            return client.log.error("query.failed", error: error, fields: [("query", name)])
        }
        client.log(
            .info,
            "query.loaded",
            [
                ("query", name), ("form", .text(isDelta ? "delta" : "full")),
                ("inserted", .count(query.insertedCount)), ("updated", .count(query.updatedCount)),
                ("removed", .count(query.removedCount)),
            ]
        )
        guard query.conflictCount > 0 else { return }
        client.log(.notice, "conflict", [("query", name), ("count", .count(query.conflictCount))])
    }

    /// Brings the streams of the queries that want them; one that fails or is left out does not keep the others away.
    private func loadStreams(
        of tasks: [DownloadWork.Task],
        stamp: Int64,
        _ result: inout Result
    ) async throws {
        for (index, task) in tasks.enumerated() {
            if task.query.retrievesStreams {
                try await loadStreams(of: task.query, &result.queries[index])
            } else {
                result.queries[index].take(try await media.refresh(task.query, stamp: stamp))
            }
        }
    }

    /// Brings the streams of a query that wants them all.
    private func loadStreams(
        of query: DefiningQuery,
        _ report: inout OfflineODataDownloadResult.Query
    ) async throws {
        progress.update { $0.step = .receivingStreams }
        report.take(try await media.run(query))
    }

    private var media: MediaDownload {
        var download = MediaDownload(store: store, client: client, progress: progress)
        download.requestsAtOnce = settings.streamsAtOnce
        return download
    }

    /// Brings the streams of queries that an earlier call has loaded, and was cut before their streams came.
    private func loadStreamsOfOthers(_ result: inout Result) async throws {
        let known = Set(result.queries.map(\.name))
        let others = try await store.file.read { try DefiningQueries($0).all() }.filter {
            $0.retrievesStreams && $0.isLoaded && !known.contains($0.name)
        }
        for query in others {
            var report = report(query)
            try await loadStreams(of: query, &report)
            if report.error != nil || !report.remarks.isEmpty { result.queries.append(report) }
        }
    }

    /// Keeps what was staged of queries whose loading was cut, if nothing newer of the same entities has been merged.
    private func keep(
        _ staging: StagingFile,
        key: String?,
        tasks: [DownloadWork.Task],
        answers: [Swift.Result<DownloadWork.Loaded, any Error>]
    ) async throws {
        let cut = zip(tasks, answers).filter { Self.isCut($1) }.map(\.0)
        let merged = answers.compactMap { try? $0.get().task }
        guard let key, !cut.isEmpty, try await work.areApart(cut, merged) else {
            let path = store.file.path
            return try await DiskWork.run { StagingFile.delete(besides: path) }
        }
        try await DiskWork.run { try staging.keep(cut.map(\.query), key: key) }
    }

    private static func isCut(_ answer: Swift.Result<DownloadWork.Loaded, any Error>) -> Bool {
        guard case .failure(let error) = answer,
            let error = OfflineODataError.mapping(error) as? OfflineODataError
        else { return false }
        return error.category == .communication
    }

    /// The result of a query that has brought nothing so far.
    private func report(_ query: DefiningQuery) -> OfflineODataDownloadResult.Query {
        OfflineODataDownloadResult.Query(name: query.name, url: client.url.root + query.url)
    }

    /// The result of one query.
    private func report(
        _ task: DownloadWork.Task,
        answer: Swift.Result<DownloadWork.Loaded, any Error>,
        merged: DownloadWork.Merged
    ) -> OfflineODataDownloadResult.Query {
        let name = task.query.name
        var query = report(task.query)
        if case .failure(let error) = answer {
            query.error = Self.ofQuery(OfflineODataError.mapping(error))
        } else if let reason = merged.refused[name] {
            query.error = OfflineODataError(.server, reason)
        } else if let result = merged.results[name] {
            query.insertedCount = result.inserted
            query.updatedCount = result.updated
            query.removedCount = result.removed
            query.linkCount = result.links
            query.conflictCount = result.conflictCount
            query.remarks = result.remarks
        }
        return query
    }

    /// The error of a query; what the service has sent is not the caller's input.
    private static func ofQuery(_ error: any Error) -> OfflineODataError {
        guard var error = error as? OfflineODataError else {
            return OfflineODataError(.internal, "unexpected: \(error)", cause: error)
        }
        if error.cause is PayloadError || error.category == .notFound { error.category = .server }
        return error
    }

    /// Loads queries, several at once where the settings allow it; the answers stand in the order of the queries.
    private func load(_ tasks: [DownloadWork.Task], loader: QueryLoader) async throws
        -> [Swift.Result<DownloadWork.Loaded, any Error>]
    {
        try await tasks.atOnce(settings.parallelQueryCount) { index, task in
            progress.update {
                $0.step = .receivingData
                $0.query = task.query.name
                $0.queryNumber = index + 1
                $0.queryCount = tasks.count
            }
            do {
                return .success(try await loader.loadTracked(task))
            } catch {
                guard Self.isOfQuery(error) else { throw error }
                return .failure(error)
            }
        }
    }

    /// Whether an error concerns one query, and not the store or the whole download.
    private static func isOfQuery(_ error: any Error) -> Bool {
        guard !Task.isCancelled else { return false }
        switch error {
        case let error as OfflineODataError: return error.category != .cancelled
        case let error as StoreError: return error.code == .invalid
        default:
            return error is PayloadError || error is HTTPTransportError || error is ODataURLError
        }
    }
}

extension OfflineODataDownloadResult.Query {
    /// Takes what was left out of the query's streams; the first error stays.
    fileprivate mutating func take(_ streams: MediaDownload.Result) {
        remarks += streams.remarks
        error = error ?? streams.failure
    }
}
