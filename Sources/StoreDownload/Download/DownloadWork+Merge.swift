package import StoreRecords
import OfflineStore
import ODataSQLite
import ODataTables

/// The moment in which everything that a download has staged appears.
extension DownloadWork {
    /// Merges everything that was staged, in one transaction, and writes down where the next download goes on.
    ///
    /// - Parameter releasesRemoved: Whether nothing is kept of defining queries that were removed or replaced since the download began.
    package func merge(
        _ loaded: [Loaded],
        staging: StagingFile,
        stamp: Int64,
        releasesRemoved: Bool = false
    ) async throws -> Merged {
        do {
            let builds = try await build(loaded, staging: staging, stamp: stamp)
            let result = try await merge(
                loaded,
                builds: builds,
                staging: staging,
                stamp: stamp,
                releasesRemoved: releasesRemoved
            )
            await dropHidden()
            return result
        } catch {
            await dropHidden()
            throw error
        }
    }

    /// What cannot be dropped now goes with the next download.
    private func dropHidden() async {
        try? await store.file.write { try HiddenTable.dropAll($0) }
    }

    private func merge(
        _ loaded: [Loaded],
        builds: [String: TableBuild],
        staging: StagingFile,
        stamp: Int64,
        releasesRemoved: Bool
    ) async throws -> Merged {
        try staging.forget()
        return try await attached(staging) { [store] connection in
            let schema = try store.schema(connection)
            let present = releasesRemoved ? try DefiningQueries(connection).all() : nil
            let former = loaded.filter { item in
                present.map { !Self.isCurrent(item.task, among: $0, in: schema) } ?? false
            }
            var merge = DownloadMerge(connection, schema: schema, stamp: stamp)
            for item in Self.mergeOrder(loaded, in: schema) {
                if former.contains(where: { $0.task.query.name == item.task.query.name }) {
                    merge.pass(item)
                } else {
                    try merge.add(item, build: builds[item.task.query.name])
                }
            }
            try merge.finish()
            for item in former where item.task.direct != nil {
                try RowCoverage(connection, layout: schema.layout)
                    .release(item.task.query, others: present ?? [], in: schema)
            }
            return merge.merged
        }
    }

    /// Whether a query is still there as it was asked for: another process, or another task, may have removed or replaced it meanwhile.
    private static func isCurrent(
        _ task: Task,
        among present: [DefiningQuery],
        in schema: TableSchema
    ) -> Bool {
        present.contains { query in
            query.isSame(as: task.query)
                && (task.isComparison ? KeyQuery.url(of: query, in: schema) : query.url)
                    == task.query.url
        }
    }

    /// What is contained in entities comes behind the queries that may bring these.
    ///
    /// Changes of entities with what these lead to come first: the links say what goes with an entity, and are gone once another query
    /// has removed it.
    private static func mergeOrder(_ loaded: [Loaded], in schema: TableSchema) -> [Loaded] {
        let ranks = loaded.map { item in
            let query = item.task.query
            if StagedMerge.needsParent(query, in: schema) { return 2 }
            return item.task.isDelta && QueryReach.expands(query, in: schema) ? 0 : 1
        }
        return (0...2).flatMap { rank in zip(loaded, ranks).filter { $0.1 == rank }.map(\.0) }
    }

    /// Builds the tables of large sets that are loaded for the first time, aside from what is read; by the names of their queries.
    private func build(
        _ loaded: [Loaded],
        staging: StagingFile,
        stamp: Int64
    ) async throws -> [String: TableBuild] {
        var builds: [String: TableBuild] = [:]
        for item in loaded where item.isNewInOpenStore {
            let merge: @Sendable (SQLiteConnection) throws -> StagedMerge = { [store] connection in
                try StagedMerge(
                    connection,
                    schema: store.schema(connection),
                    query: item.task.query,
                    stamp: stamp
                )
            }
            guard var build = try await aside(staging, body: { try TableBuild(merge($0)) }) else {
                continue
            }
            let changes = store.file.waitingChanges
            var begunBefore = changes.begunCount
            while !build.isComplete {
                let begun = changes.begunCount
                build = try await aside(staging) { [build, begunBefore] connection in
                    var build = build
                    try build.copySlice(merge(connection), isBesideChanges: begun != begunBefore)
                    return build
                }
                begunBefore = begun
            }
            build.rowCount = try await store.file.read { [build] in try build.count($0) }
            builds[item.task.query.name] = build
        }
        return builds
    }

    /// Runs a write transaction with the staging file attached; attaching cannot be done inside one.
    func attached<R: Sendable>(
        _ staging: StagingFile,
        body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await withStaging(staging) { connection in
            try connection.write { try body(connection) }
        }
    }

    /// Runs a write transaction with the staging file attached, for changes that no query can see.
    ///
    /// Its checkpoint holds up local changes as well: small ones after each are better than a large one now and then.
    private func aside<R: Sendable>(
        _ staging: StagingFile,
        body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await withStaging(staging) { connection in
            try connection.execute("PRAGMA wal_autocheckpoint = 64")
            defer { try? connection.execute("PRAGMA wal_autocheckpoint = 1000") }
            return try connection.writeUnseen { try body(connection) }
        }
    }

    private func withStaging<R: Sendable>(
        _ staging: StagingFile,
        body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await cancellable { connection in
            try connection.attach(staging.path, as: "staging", key: staging.encryption)
            defer { try? connection.execute("DETACH staging") }
            // Nothing in the scratch file is worth a sync.
            try connection.execute(
                "PRAGMA staging.synchronous = OFF; PRAGMA staging.journal_mode = MEMORY"
            )
            return try body(connection)
        }
    }
}
