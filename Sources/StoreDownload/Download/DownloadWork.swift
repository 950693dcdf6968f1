package import OfflineStore
package import StoreRecords
package import ODataSQL
import ODataValues
import ODataBinding
import ODataSQLite
import ODataTables
import ODataModel

/// The store's side of a download: what to ask for, where to put it, and the moment in which all of it appears.
package struct DownloadWork: Sendable {
    let store: LocalStore

    package init(_ store: LocalStore) {
        self.store = store
    }

    /// A query to load and the way it is loaded.
    package struct Task: Sendable {
        package var query: DefiningQuery
        /// Straight into the store's table: the first load of a set that nothing else brings.
        package var direct: TableLayout?
        /// Whether the delta link is asked.
        package var isDelta: Bool
        /// Whether it only finds out what is not there any more.
        package var isComparison = false
        /// Whether at most one entity can come: then there may be none (OData 4.01 Part 1 §§ 9.1.4, 9.2.2).
        package var isSingle = false
        /// Whether the service is asked to track changes; not where it has refused that before.
        package var asksForChanges = true
        /// What the result was asked for with of which the changes are asked for.
        package var loadHeaders: LoadHeaders?
    }

    /// A query that was loaded.
    package struct Loaded: Sendable {
        package var task: Task
        package var deltaLink: String?
        /// The ETag of a result that came in one page.
        package var etag: String?
        /// How many entities the service has counted, where it was asked to.
        package var count: Int64?
        /// Whether the service said that nothing has changed: then nothing was staged.
        package var isUnchanged: Bool
        /// Whether some of it was read by an earlier call, and may be out of date by now.
        package var isResumed: Bool
        /// Whether pages may be missing: then what did not come is not taken for gone.
        package var isIncomplete = false
        /// Entities that were loaded straight into the store.
        package var directCount = 0
        /// Warnings of the load.
        package var remarks: [String] = []
        /// Whether links of another host mean what this one has at the same path.
        package var mapsForeignLinks = false
        /// What a full read was asked for with.
        package var headers: LoadHeaders?

        package init(
            task: Task,
            deltaLink: String?,
            etag: String? = nil,
            isUnchanged: Bool = false,
            isResumed: Bool = false
        ) {
            self.task = task
            self.deltaLink = deltaLink
            self.etag = etag
            self.isUnchanged = isUnchanged
            self.isResumed = isResumed
        }

        /// Whether it is the first load of its query, staged as a whole.
        var isNewInOpenStore: Bool {
            task.direct == nil && !isUnchanged && !task.isDelta && !task.isComparison
                && !task.query.isLoaded
        }
    }

    /// Returns what is to be loaded, in the order of addition.
    ///
    /// - Parameter isFull: Whether queries are read in full, whatever is known of them.
    package func tasks(
        names: Set<String>? = nil,
        onlyUnloaded: Bool = false,
        isFull: Bool = false
    ) async throws -> [Task] {
        try await store.file.read { [store] connection in
            let schema = try store.schema(connection)
            let queries = try DefiningQueries(connection).all()
            let sources = queries.map { PageLoad.isPlain($0, in: schema) }
            // A store that was never opened has no readers until all queries are loaded: plain sets may be appended to.
            let isFirst = !(try StoreState.isOpened(connection))
            return try queries.enumerated().compactMap { index, query in
                if let names, !names.contains(query.name) { return nil }
                if onlyUnloaded, query.isLoaded, !query.needsFullRead { return nil }
                let isDelta =
                    query.isLoaded && query.deltaLink != nil && !isFull
                var direct: TableLayout?
                if isFirst, !query.isLoaded, !query.keepsMembers, let source = sources[index],
                    let table = schema.layout[source],
                    try isAlone(table, among: queries, besides: index, in: schema)
                {
                    direct = table
                }
                var task = Task(query: query, direct: direct, isDelta: isDelta)
                task.isSingle = Self.isSingle(query, in: schema)
                // The ETag of an entity need not change with what belongs to it (OData 4.01 Part 1 § 8.2.4).
                if isFull || query.retrievesStreams || QueryReach.expands(query, in: schema) {
                    task.query.etag = nil
                }
                if isDelta { task.loadHeaders = try LoadHeaders(of: query, connection) }
                task.asksForChanges =
                    try Self.mayBeTracked(query, in: schema)
                    && (isFull
                        || connection.metaValue(Self.untrackedKey(query)) != .text(query.url))
                return task
            }
        }
    }

    /// Whether changes of a query can be asked for: the metadata does not say that its set is not tracked (`Capabilities.ChangeTracking`).
    private static func mayBeTracked(_ query: DefiningQuery, in schema: TableSchema) -> Bool {
        let model = schema.layout.model
        guard let path = EntityPath(ofService: query.url, in: schema.model),
            case .entitySet(let index) = path.source
        else { return true }
        return model.isChangeTracked(model.container.entitySets[index]) ?? true
    }

    private static func isSingle(_ query: DefiningQuery, in schema: TableSchema) -> Bool {
        guard let path = EntityPath(ofService: query.url, in: schema.model)
        else { return false }
        return path.isSingle(in: schema.model)
    }

    /// Returns reads that find deletions for queries whose deltas have never reported one: of the keys alone, or of
    /// everything where the query expands.
    package func comparisons(of names: Set<String>) async throws -> [Task] {
        try await store.file.read { [store] connection in
            let schema = try store.schema(connection)
            return try DefiningQueries(connection).all().compactMap { query in
                guard names.contains(query.name),
                    try connection.metaValue(Self.deletionsKey(query)) == nil,
                    let url = KeyQuery.url(of: query, in: schema)
                else { return nil }
                var task = Task(query: query, direct: nil, isDelta: false)
                task.query.url = url
                task.query.etag = nil
                task.isComparison = true
                return task
            }
        }
    }

    private static func deletionsKey(_ query: DefiningQuery) -> String {
        "deletions:" + query.name
    }

    static func untrackedKey(_ query: DefiningQuery) -> String {
        "untracked:" + query.name
    }

    /// Remembers that the service refuses to track changes of a query.
    package func noteUntracked(_ query: DefiningQuery) async throws {
        try await store.file.write {
            try $0.setMetaValue(Self.untrackedKey(query), to: .text(query.url))
        }
    }

    static func noteReportedDeletions(_ query: DefiningQuery, on connection: SQLiteConnection)
        throws
    {
        try connection.setMetaValue(deletionsKey(query), to: .integer(1))
    }

    /// Whether no other query can bring rows of a table, at top level or by an expand.
    private func isAlone(
        _ table: TableLayout,
        among queries: [DefiningQuery],
        besides index: Int,
        in schema: TableSchema
    ) throws -> Bool {
        for (other, query) in queries.enumerated() where other != index {
            if QueryReach.sources(of: query, in: schema).contains(table.source) { return false }
        }
        return true
    }

    /// What staged rows fit: the model, and everything that the service has answered to changes from here.
    package func stagingKey() async throws -> String {
        try await store.file.read { connection in
            let model = try StoreSchema.version(connection)
            return try "\(model)|\(AnswerCounter.value(connection))"
        }
    }

    /// Whether some queries bring entities of other sets than others do.
    package func areApart(_ some: [Task], _ others: [Task]) async throws -> Bool {
        let schema = try await store.schema()
        func sources(_ tasks: [Task]) -> Set<NavigationSource> {
            tasks.reduce(into: []) { $0.formUnion(QueryReach.sources(of: $1.query, in: schema)) }
        }
        return sources(some).isDisjoint(with: sources(others))
    }

    /// The number of the download that begins now.
    package func begin() async throws -> Int64 {
        try await store.file.write { connection in
            // An earlier download may have been killed.
            try HiddenTable.dropAll(connection)
            return try connection.nextNumber("download")
        }
    }

    /// Runs work of the writing connection that ends when the task is cancelled, and is rolled back then.
    func cancellable<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        let flag = CancelFlag()
        return try await withTaskCancellationHandler {
            try await store.file.writer.run { connection in
                try connection.cancellable(by: flag) { try body(connection) }
            }
        } onCancel: {
            flag.set()
        }
    }

    /// Makes the indexes of a table that was loaded without them, and writes down that the query is loaded.
    ///
    /// A key that came twice keeps the row that came last.
    /// - Returns: How many entities there are.
    @discardableResult
    package func finishDirectLoad(
        _ table: TableLayout,
        of query: DefiningQuery,
        deltaLink: String?,
        etag: String?
    ) async throws -> Int {
        let flag = CancelFlag()
        return try await withTaskCancellationHandler {
            // Loads that end at the same time share a sync.
            try await store.file.writeTogether { [store] connection in
                try connection.cancellable(by: flag) {
                    let schema = try store.schema(connection)
                    let catalog = TableCatalog(connection, layout: schema.layout)
                    return try DirectLoadEnd(catalog: catalog, table: table, query: query)
                        .run(deltaLink: deltaLink, etag: etag)
                }
            }
        } onCancel: {
            flag.set()
        }
    }

    /// Makes what a cut first load has brought fit to be read and changed: each entity once.
    package func settleCutLoad(_ table: TableLayout, of query: DefiningQuery) async throws {
        try await store.file.write { [store] connection in
            let catalog = TableCatalog(connection, layout: try store.schema(connection).layout)
            try DirectLoadEnd(catalog: catalog, table: table, query: query).settleCut()
        }
    }

    /// Takes back what a first load has brought straight into its table: the query is to be loaded in another way.
    package func abandonDirectLoad(into table: TableLayout, of query: DefiningQuery) async throws {
        try await store.file.write { [store] connection in
            let catalog = TableCatalog(connection, layout: try store.schema(connection).layout)
            // The page that showed it may have been the first: the table went with it.
            guard try catalog.exists(table.name) else { return }
            try PartialLoad(query).abandon(in: table, connection)
        }
    }

    /// Returns when a first load that goes on was begun, RFC 3339; nil where none was cut.
    package func beginning(of query: DefiningQuery) async throws -> String? {
        guard query.nextLink != nil else { return nil }
        return try await store.file.read { try PartialLoad(query).begun($0) }
    }

    /// Returns the size of the pages that the client cuts a result into itself; nil where the service cuts them.
    ///
    /// A load that goes on keeps to the way in which it was begun: the page that it goes on with may be one of the client's, behind which
    /// there is more than the service says.
    package func pageSize(of query: DefiningQuery, wanted: Int?, isGoingOn: Bool) async throws
        -> Int?
    {
        // A note of before is in nobody's way: behind the last page of the service a page by the key brings nothing new.
        guard isGoingOn || wanted != nil else { return nil }
        let key = DefiningQueries.pageSizeKey(of: query.name)
        let begun = try await store.file.read { connection -> Int? in
            guard case .integer(let size)? = try connection.metaValue(key) else { return nil }
            return Int(size)
        }
        if isGoingOn { return begun.map { wanted ?? $0 } }
        guard begun != wanted, let wanted else { return wanted }
        try await store.file.write { try $0.setMetaValue(key, to: .integer(Int64(wanted))) }
        return wanted
    }

    /// Brings the pages of the write-ahead log into the file and lets the log shrink.
    package func checkpoint() async throws {
        try await store.file.writer.run { connection in
            try connection.forEachRow("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
        }
    }
}
