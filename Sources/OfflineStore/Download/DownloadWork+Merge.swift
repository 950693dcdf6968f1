import ODataProtocol
import ODataTables

/// The moment in which everything that a download has staged appears.
extension DownloadWork {
    /// Merges everything that was staged, in one transaction, and writes down where the next download goes on.
    package func merge(
        _ loaded: [Loaded],
        staging: StagingFile,
        stamp: Int64
    ) async throws -> StagedMerge.Result {
        do {
            let builds = try await build(loaded, staging: staging, stamp: stamp)
            let result = try await merge(loaded, builds, staging: staging, stamp: stamp)
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
        _ builds: [String: TableBuild],
        staging: StagingFile,
        stamp: Int64
    ) async throws -> StagedMerge.Result {
        try staging.forget()
        return try await attached(staging) { [store] connection in
            let schema = try store.schema(connection)
            var total = StagedMerge.Result()
            for item in loaded {
                let task = item.task
                // A direct load has been finished by itself.
                guard task.direct == nil else { continue }
                guard !item.isUnchanged else {
                    try DefiningQueries(connection).finish(
                        task.query.name,
                        deltaLink: task.query.deltaLink,
                        etag: item.etag
                    )
                    continue
                }
                let merge = StagedMerge(
                    connection,
                    schema,
                    task.query,
                    stamp: stamp,
                    isDelta: task.isDelta
                )
                guard !task.isComparison else {
                    total.add(try merge.compare())
                    continue
                }
                let result = try merge.merge(builds[task.query.name])
                total.add(result)
                if result.hasTombstones {
                    try Self.setTellsDeletions(task.query, connection)
                }
                try DefiningQueries(connection).finish(
                    task.query.name,
                    deltaLink: item.deltaLink,
                    etag: item.etag
                )
            }
            let names = Set(loaded.map(\.task.query.name))
            let all = try DefiningQueries(connection).all()
            let isComplete = !all.isEmpty && all.allSatisfy { names.contains($0.name) }
            guard isComplete else { return total }
            try UnledRows.forget(connection)
            if try AnswerCounter.hasMoved(sinceMark: AnswerCounter.scope, connection) {
                try Self.removeOutOfScope(connection, schema.layout)
                try UnseenRows(
                    connection: connection,
                    catalog: TableCatalog(connection, schema.layout)
                ).settle()
            }
            return total
        }
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
                try StagedMerge(connection, store.schema(connection), item.task.query, stamp: stamp)
            }
            guard var build = try await aside(staging, { try TableBuild(merge($0)) }) else {
                continue
            }
            while !build.isComplete {
                build = try await aside(staging) { [build] connection in
                    var build = build
                    try build.copySlice(merge(connection))
                    return build
                }
            }
            build.rowCount = try await store.file.read { [build] in try build.count($0) }
            builds[item.task.query.name] = build
        }
        return builds
    }

    /// After a download of everything: what was uploaded from here and no query brought is outside the store's scope.
    private static func removeOutOfScope(_ connection: SQLiteConnection, _ layout: Layout) throws {
        let coverage = RowCoverage(connection, layout)
        for table in layout.orderedTables {
            try coverage.removeUncovered(in: table, isComplete: true)
        }
    }

    /// Runs a write transaction with the staging file attached; attaching cannot be done inside one.
    private func attached<R: Sendable>(
        _ staging: StagingFile,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await withStaging(staging) { connection in
            try connection.write { try body(connection) }
        }
    }

    /// Runs a write transaction that changes nothing which anybody reads, with the staging file attached.
    ///
    /// Its checkpoint holds up local changes as well: small ones after each are better than a large one now and then.
    private func aside<R: Sendable>(
        _ staging: StagingFile,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await withStaging(staging) { connection in
            try connection.execute("PRAGMA wal_autocheckpoint = 64")
            defer { try? connection.execute("PRAGMA wal_autocheckpoint = 1000") }
            return try connection.writeUnseen { try body(connection) }
        }
    }

    private func withStaging<R: Sendable>(
        _ staging: StagingFile,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await cancellable { connection in
            try connection.run("ATTACH ?1 AS staging", [.text(staging.path)])
            defer { try? connection.execute("DETACH staging") }
            // Nothing in the scratch file is worth a sync.
            try connection.execute(
                "PRAGMA staging.synchronous = OFF; PRAGMA staging.journal_mode = MEMORY"
            )
            return try body(connection)
        }
    }
}
