import ODataSQL
import ODataSQLite
import StoreRecords
import StoreUpload
import ODataModel
import ODataTables

extension DownloadWork {
    /// What a merge did, query by query.
    package struct Merged: Sendable {
        /// By the names of the queries; those that were refused are not here.
        package var results: [String: StagedMerge.Result] = [:]
        /// Queries of which nothing was taken over, and why.
        package var refused: [String: String] = [:]
        /// Queries whose changes were merged and leave something open: they are read in full next.
        package var unclear: Set<String> = []

        package init() {}
    }
}

/// Merges what was staged for the queries of one download, in the caller's transaction.
struct DownloadMerge {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private let stamp: Int64
    private var lapsed: LapsedRows
    private var built: Set<NavigationSource> = []
    /// Sets whose rows this download has brought, every one of them.
    private var loadedDirectly: Set<NavigationSource> = []
    private var hasFullRead = false
    private var names: Set<String> = []
    /// Rows in conflict that a query merged before has counted.
    private var conflicted: Set<Int64> = []
    /// The queries of this download, in its order.
    private var queries: [DefiningQuery] = []
    /// Merges of queries whose path says what their entities are related to.
    private var placed: [StagedMerge] = []
    /// Relations to entities that were not there when their query was merged.
    private var missing: [(merge: StagedMerge, targets: [MissingTarget])] = []
    /// Rows that a query which selects some properties has given a newer ETag.
    private var renewed: [StagedMerge.PartlyRenewed] = []
    /// What queries reached by foreign keys that others have changed.
    private var moved: [String: [StagedMerge.FormerTarget]] = [:]
    private(set) var merged = DownloadWork.Merged()

    /// The share of its rows that a full read may remove without a remark.
    private static let unremarkedShare = 0.25

    init(_ connection: SQLiteConnection, schema: TableSchema, stamp: Int64) {
        self.connection = connection
        self.schema = schema
        self.stamp = stamp
        lapsed = LapsedRows(connection, schema: schema)
    }

    /// Merges one query; one that is refused leaves nothing, and the others are merged all the same.
    mutating func add(_ item: DownloadWork.Loaded, build: TableBuild?) throws {
        let query = item.task.query
        if let headers = item.headers { try headers.save(of: query, connection) }
        // A direct load has been finished by itself.
        guard item.task.direct == nil else {
            var result = StagedMerge.Result()
            result.inserted = item.directCount
            if let source = item.task.direct?.source { loadedDirectly.insert(source) }
            return take(result, item: item)
        }
        guard !item.isUnchanged else {
            try DefiningQueries(connection).finish(
                query,
                deltaLink: query.deltaLink,
                etag: item.etag
            )
            return take(StagedMerge.Result(), item: item)
        }
        do {
            let result = try connection.savepoint { try merge(item, build: build) }
            lapsed.add(result.lapsed, from: query)
            lapsed.add(expanded: result.expanded, of: query)
            hasFullRead = hasFullRead || !item.task.isDelta
            take(result, item: item)
            if let source = result.built { built.insert(source) }
        } catch let refusal as StagedMerge.Refusal {
            merged.refused[query.name] = refusal.message
        }
    }

    /// Takes nothing of a query that another process, or another task, has removed or replaced while it was read.
    mutating func pass(_ item: DownloadWork.Loaded) {
        var result = StagedMerge.Result()
        result.remarks = [
            "the query was removed or replaced while it was read: nothing of what was read is kept"
        ]
        merged.results[item.task.query.name] = result
    }

    private mutating func take(_ result: StagedMerge.Result, item: DownloadWork.Loaded) {
        var result = result
        result.remarks = item.remarks + result.remarks
        result.conflicted.subtract(conflicted)
        conflicted.formUnion(result.conflicted)
        merged.results[item.task.query.name] = result
        names.insert(item.task.query.name)
        queries.append(item.task.query)
    }

    private mutating func merge(_ item: DownloadWork.Loaded, build: TableBuild?) throws
        -> StagedMerge.Result
    {
        let task = item.task
        var merge = try StagedMerge(
            connection,
            schema: schema,
            query: task.query,
            stamp: stamp,
            isDelta: task.isDelta,
            isIncomplete: item.isIncomplete,
            mapsForeignLinks: item.mapsForeignLinks
        )
        merge.earlier = placed.map(\.query)
        guard !task.isComparison else { return try merge.compare() }
        let result = try merge.merge(build)
        if !result.missing.isEmpty { missing.append((merge, result.missing)) }
        placed.append(merge)
        renewed += result.renewed
        moved.merge(result.moved, uniquingKeysWith: +)
        if result.hasTombstones {
            try DownloadWork.noteReportedDeletions(task.query, on: connection)
        }
        try DefiningQueries(connection).finish(
            task.query,
            deltaLink: item.deltaLink,
            etag: item.etag
        )
        if item.deltaLink != nil {
            try connection.removeMetaValue(DownloadWork.untrackedKey(task.query))
        }
        if result.omitsLinks {
            try DefiningQueries(connection).forgetDelta(of: task.query.name)
            merged.unclear.insert(task.query.name)
        }
        return result
    }

    /// Removes what no query holds any more, once all are merged.
    mutating func finish() throws {
        try linkMissing()
        for merge in placed { try merge.relatePlace() }
        for merge in placed where merge.isDelta {
            guard let former = moved[merge.query.name], !former.isEmpty else { continue }
            let released = try merge.releaseMoved(former)
            lapsed.add(released.lapsed, from: merge.query)
            merged.results[merge.query.name]?.removed += released.removed
        }
        let removed = try lapsed.settle(isFull: hasFullRead, besides: built)
        merged.unclear.formUnion(lapsed.holders.intersection(names))
        for (name, count) in removed {
            merged.results[name.isEmpty ? queries.first?.name ?? "" : name]?.removed += count
        }
        remarkRemovals()
        try forgetWhatHasSettled()
        try placed.first?.settle(renewed, among: placed)
    }

    /// Forgets what the next download would have to look at, once all queries have looked.
    private mutating func forgetWhatHasSettled() throws {
        let all = try DefiningQueries(connection).all()
        guard !all.isEmpty, all.allSatisfy({ names.contains($0.name) }) else { return }
        try OrphanedRows.forget(connection)
        try SentLinks(connection).forget()
        try CascadedRows(connection).forget()
        try CalledRows(connection, schema: schema).forget()
        try RowCoverage(connection, layout: schema.layout).sweep()
        guard try AnswerCounter.hasMoved(sinceMark: AnswerCounter.scope, connection) else { return }
        try removeOutOfScope()
        let catalog = TableCatalog(connection, layout: schema.layout)
        try UnseenRows(connection: connection, catalog: catalog).settle()
    }

    /// Makes the relations to entities that another query has brought; where the service did not send an entity that it should have, the
    /// query is read in full next.
    private mutating func linkMissing() throws {
        for (merge, targets) in missing {
            let left = try targets.filter { try !merge.relate($0) && merge.expands($0) }.map(\.id)
            merged.results[merge.query.name]?.links = merge.linkCount.value
            guard let remark = StrayIDs.missing(left) else { continue }
            merged.results[merge.query.name]?.remarks.append(remark)
            try DefiningQueries(connection).forgetDelta(of: merge.query.name)
            merged.unclear.insert(merge.query.name)
        }
    }

    /// Says so where a full read has removed many rows: the service may have answered less than there is.
    private mutating func remarkRemovals() {
        for (name, result) in merged.results
        where Double(result.removed) > Double(result.held) * Self.unremarkedShare
            && result.held > 0
        {
            // What the removed ones led to was held by no query any more, either.
            let all = max(result.held, result.removed)
            merged.results[name]?.remarks.append(
                "\(result.removed) of \(all) entities were removed, since the service did not send them any more"
            )
        }
    }

    /// After a download of everything: what was uploaded from here and no query brought is outside the store's scope.
    private mutating func removeOutOfScope() throws {
        let coverage = RowCoverage(connection, layout: schema.layout)
        for table in try coverage.catalog.tables() where !loadedDirectly.contains(table.source) {
            let count = try coverage.removeUncovered(in: table, isComplete: true)
            if count > 0 { note(removed: count, from: table.source) }
        }
    }

    /// Counts entities that no query held as removed by one that asks for their set, or by the first.
    private mutating func note(removed count: Int, from source: NavigationSource) {
        let query =
            queries.first { QueryReach.sources(of: $0, in: schema).contains(source) }
            ?? queries.first
        guard let query else { return }
        merged.results[query.name]?.removed += count
    }
}
