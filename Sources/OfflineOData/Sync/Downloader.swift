import ODataModel
import ODataProtocol
import ODataTables
import OfflineStore

/// Downloads: metadata first, then every defining query, then one moment in which all of it appears.
struct Downloader {
    let store: LocalStore
    let client: ServiceClient
    let progress: ProgressReporter
    let settings: DownloadSettings
    /// Settles changes whose answers were lost, so that nothing comes down twice.
    let settle: @Sendable () async throws -> Void

    private var work: DownloadWork { DownloadWork(store) }
    private var metadata: MetadataUpdate {
        MetadataUpdate(store: store, client: client, progress: progress)
    }

    /// What a download did.
    struct Result {
        var merged = StagedMerge.Result()
        /// What the service sent and its metadata does not name.
        var unknownNames: [String] = []
        /// Queries that an earlier call had begun to read, and of which the service can tell what has changed since.
        var outdated: Set<String> = []
        /// Queries of which only the changes were asked for.
        var deltas: Set<String> = []

        mutating func add(_ other: Result) {
            merged.add(other.merged)
            unknownNames = Set(unknownNames + other.unknownNames).sorted()
            outdated = other.outdated
        }
    }

    /// Loads the given queries, or all; `onlyUnloaded` those that have never been loaded.
    func download(names: Set<String>? = nil, onlyUnloaded: Bool = false) async throws -> Result {
        try await metadata.run()
        try await settle()
        var first = try await load(names, onlyUnloaded)
        if !first.outdated.isEmpty { first.add(try await load(first.outdated, false)) }
        try await compareKeys(&first)
        guard !first.unknownNames.isEmpty,
            try await metadata.runAgain(after: first.unknownNames)
        else { return first }
        // The model has grown since: what could not be read the first time is read now.
        var second = try await load(names, onlyUnloaded)
        second.merged.add(first.merged)
        return second
    }

    /// Finds out about deletions of which services of version 1 to 3 do not tell.
    private func compareKeys(_ result: inout Result) async throws {
        guard settings.comparesKeys, !client.version.isV4, !result.deltas.isEmpty else { return }
        let tasks = try await work.comparisons(of: result.deltas)
        if !tasks.isEmpty { result.add(try await load(tasks)) }
    }

    private func load(_ names: Set<String>?, _ onlyUnloaded: Bool) async throws -> Result {
        try await load(try await work.tasks(names: names, onlyUnloaded: onlyUnloaded))
    }

    private func load(_ tasks: [DownloadWork.Task]) async throws -> Result {
        let stamp = try await work.begin()
        let staging = try StagingFile(
            besides: store.file.path,
            continuing: settings.continuesTransfers ? try await work.stagingKey() : nil
        )
        let unknown = UnknownNames()
        let loader = QueryLoader(
            store: store,
            client: client,
            progress: progress,
            settings: settings,
            staging: staging,
            stamp: stamp,
            unknown: unknown
        )
        let loaded = try await load(tasks, loader)
        progress.update { $0.step = .mergingData }
        try Task.checkCancellation()
        let merged = try await work.merge(loaded, staging: staging, stamp: stamp)
        StagingFile.delete(besides: store.file.path)
        // The log of a large merge would stay large; where a reader is in the way, the next merge does it.
        try? await work.checkpoint()
        if tasks.contains(where: \.query.retrievesStreams) {
            progress.update { $0.step = .receivingStreams }
            try await MediaDownload(store: store, client: client, progress: progress)
                .run(tasks.map(\.query))
        }
        let outdated = loaded.filter { $0.isResumed && $0.deltaLink != nil }
        return Result(
            merged: merged,
            unknownNames: unknown.names,
            outdated: Set(outdated.map(\.task.query.name)),
            deltas: Set(tasks.filter(\.isDelta).map(\.query.name))
        )
    }

    /// Loads queries, several at once where the settings allow it; the answers stand in the order of the queries.
    private func load(_ tasks: [DownloadWork.Task], _ loader: QueryLoader) async throws
        -> [DownloadWork.Loaded]
    {
        var loaded: [DownloadWork.Loaded?] = Array(repeating: nil, count: tasks.count)
        try await withThrowingTaskGroup(of: (Int, DownloadWork.Loaded).self) { group in
            var next = 0
            func start() {
                guard next < tasks.count else { return }
                let index = next
                next += 1
                group.addTask {
                    progress.update {
                        $0.step = .receivingData
                        $0.query = tasks[index].query.name
                        $0.queryNumber = index + 1
                        $0.queryCount = tasks.count
                    }
                    return (index, try await loader.load(tasks[index]))
                }
            }
            for _ in 0..<settings.parallelQueryCount { start() }
            while let (index, answer) = try await group.next() {
                loaded[index] = answer
                start()
            }
        }
        return loaded.compactMap { $0 }
    }
}
