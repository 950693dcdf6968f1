package import ODataModel
package import ODataProtocol
package import ODataTables

/// Loads the pages of one defining query: bytes as they arrive, into the staging file or straight into the store.
///
/// All of it runs on the target's queue; a page is one transaction there, begun by its first bytes.
package final class PageLoad: @unchecked Sendable {
    /// Where the rows go.
    package enum Destination: Sendable {
        case staging(StagingFile)
        /// The first load of a set that this query alone brings: no index is in the way, no merge is needed.
        case store(LocalStore, table: TableLayout)
    }

    private let destination: Destination
    private let schema: TableSchema
    private let query: DefiningQuery
    private let request: EntityPath
    private let options: BoundOptions
    private let stamp: Int64
    /// Whether the pages tell changes since the last download.
    private let isDelta: Bool
    // Touched on the queue only.
    private var reader: PayloadReader?
    private var loader: RowLoader?

    /// Prepares the loading of a query.
    ///
    /// - Throws: ``StoreError`` where the query cannot be a defining query.
    package init(
        _ query: DefiningQuery,
        _ schema: TableSchema,
        into destination: Destination,
        stamp: Int64,
        isDelta: Bool
    ) throws {
        self.destination = destination
        self.schema = schema
        self.query = query
        self.stamp = stamp
        self.isDelta = isDelta
        let bound = try BoundRequest(parsing: query.url, in: schema.model)
        guard case .entities(let path) = bound.resource, case .entities = path.target else {
            throw StoreError(
                .invalid,
                "the defining query \(query.name) must ask for entities: \(query.url)"
            )
        }
        request = path
        options = bound.options
    }

    private var queue: DatabaseQueue {
        switch destination {
        case .staging(let file): file.queue
        case .store(let store, _): store.file.writer
        }
    }

    /// Takes the next bytes of a page.
    ///
    /// - Throws: `PayloadError` where they are no payload; the page's transaction is then rolled back.
    package func feed(_ bytes: [UInt8]) async throws {
        try await onQueue { [self] connection in
            if reader == nil { try begin(connection) }
            guard var loader else { return }
            try reader?.feed(bytes.span, into: &loader)
        }
    }

    /// Ends a page: everything in it is committed together with where the load goes on.
    package func finishPage() async throws -> PageInfo {
        try await onQueue { [self] connection in
            guard reader != nil, let info = try reader?.finish() else {
                throw StoreError(.invalid, "the service answered an empty page for \(query.name)")
            }
            reader = nil
            loader = nil
            if case .store = destination {
                try DefiningQueries(connection).setNextLink(info.nextLink, of: query.name)
            }
            try connection.execute("COMMIT")
            return info
        }
    }

    /// Gives up the page that is being loaded.
    package func abandonPage() async {
        reader = nil
        try? await queue.run { connection in
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
        }
    }

    private func onQueue<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await queue.run { [self] connection in
            do {
                return try body(connection)
            } catch {
                reader = nil
                if connection.isInTransaction { try? connection.execute("ROLLBACK") }
                throw error
            }
        }
    }

    private func begin(_ connection: SQLiteConnection) throws {
        try connection.execute("BEGIN IMMEDIATE")
        guard let source = request.finalSource, let plan = schema.plans.plan(for: source) else {
            throw StoreError(
                .invalid,
                "the defining query \(query.name) leads to no known entity set"
            )
        }
        try makeTables(connection)
        loader = RowLoader(connection, schema, target(connection), unknownSlots: unknownSlots(plan))
        reader = PayloadReader(
            model: schema.model,
            plan: plan,
            plans: schema.plans,
            isDelta: isDelta
        )
    }

    private func target(_ connection: SQLiteConnection) -> RowLoader.Target {
        switch destination {
        case .staging:
            RowLoader.Target(
                system: [:],
                takeIDs: { count in
                    try connection.integer(
                        "UPDATE \"$counter\" SET \"next\" = \"next\" + ?1 RETURNING \"next\" - ?1",
                        [.integer(Int64(count))]
                    ) ?? 1
                },
                keepsLinks: true,
                tableName: { [query] in StagingFile.name($0, query) }
            )
        case .store:
            RowLoader.Target(
                system: [
                    .queries: .integer(query.bit), .stamp: .integer(stamp), .state: .integer(0),
                ],
                takeIDs: { try connection.takeRowIDs($0) },
                keepsLinks: false,
                tableName: { $0 }
            )
        }
    }

    /// Makes the tables that the page may fill.
    ///
    /// In the staging file they have no indexes; the store's own gets them after the load.
    private func makeTables(_ connection: SQLiteConnection) throws {
        let catalog = TableCatalog(connection, schema.layout)
        let sources: [NavigationSource] =
            switch destination {
            case .staging: reachedSources()
            case .store(_, let table): [table.source]
            }
        if case .staging = destination { try StagingFile.prepare(connection, for: query) }
        for source in sources {
            guard let table = schema.layout[source] else { continue }
            let name = target(connection).tableName(table.name)
            guard try !catalog.exists(name) else { continue }
            if case .store = destination {
                try catalog.createTable(table)
            } else {
                try connection.execute(table.createStatement(named: name))
            }
        }
    }

    /// The query's own source and every source that its expands lead to.
    private func reachedSources() -> [NavigationSource] {
        func sources(_ expands: [BoundExpand]) -> [NavigationSource] {
            expands.flatMap { [$0.target].compactMap { $0 } + sources($0.options.expand) }
        }
        return [request.finalSource].compactMap { $0 } + sources(options.expand)
            + schema.model.navigationSources.filter {
                if case .contained = $0 { true } else { false }
            }
    }

    /// Slots that `$select` leaves out.
    private func unknownSlots(_ plan: EntityPlan) -> [Int: [Int]] {
        guard case .paths(let paths) = options.select,
            let table = schema.layout[schema.plans.source(of: plan)]
        else { return [:] }
        let slots = table.columns.indices.filter { slot in
            let column = table.columns[slot]
            return column.keyIndex == nil
                && !paths.contains { $0.starts(with: column.path) || column.path.starts(with: $0) }
        }
        return [plan.destination: slots]
    }

    /// Whether the query brings nothing but the entities of one set, each once.
    package static func isPlain(_ query: DefiningQuery, in schema: TableSchema) -> NavigationSource?
    {
        guard let bound = try? BoundRequest(parsing: query.url, in: schema.model),
            case .entities(let path) = bound.resource, path.steps.isEmpty,
            case .entitySet = path.source, bound.options.expand.isEmpty
        else { return nil }
        return path.source
    }
}
