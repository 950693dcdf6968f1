package import ODataModel
package import ODataProtocol
package import ODataTables

/// Loads the pages of one defining query: bytes as they arrive, into the staging file or straight into the store.
///
/// All of it runs on the target's queue; the bytes of one call are one transaction there.
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
    /// Whether nothing has been loaded since the load began or went on.
    private var isAtStart = true

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

    /// Takes the next bytes of a page, in the pieces in which they came.
    ///
    /// What they complete is committed before this returns: no transaction waits for the network.
    /// - Throws: `PayloadError` where they are no payload.
    package func feed(_ pieces: [[UInt8]]) async throws {
        try await onQueue { [self] connection in try read(pieces, connection) }
    }

    /// Takes the last bytes of a page; they are committed together with where the load goes on.
    package func finishPage(_ pieces: [[UInt8]]) async throws -> PageInfo {
        try await onQueue { [self] connection in
            try read(pieces, connection)
            guard let info = try reader?.finish() else {
                throw StoreError(.invalid, "the service answered an empty page for \(query.name)")
            }
            reader = nil
            if case .store = destination {
                try DefiningQueries(connection).setNextLink(info.nextLink, of: query.name)
                try partial.markComplete(upTo: loader?.lastUsedID ?? 0, connection)
            }
            return info
        }
    }

    /// Gives up the page that is being loaded; what it has brought to the store goes when the load goes on.
    package func abandonPage() async {
        try? await queue.run { [self] _ in forget() }
    }

    private func onQueue<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await queue.run { [self] connection in
            do {
                return try connection.write { try body(connection) }
            } catch {
                forget()
                throw error
            }
        }
    }

    /// Ids that the loader took may have been rolled back, so it goes too.
    private func forget() {
        reader = nil
        loader = nil
        isAtStart = true
    }

    private func read(_ pieces: [[UInt8]], _ connection: SQLiteConnection) throws {
        guard pieces.contains(where: { !$0.isEmpty }) else { return }
        if reader == nil { try beginPage(connection) }
        guard var loader = loader.take() else { return }
        for piece in pieces { try reader?.feed(piece.span, into: &loader) }
        self.loader = loader
    }

    private func beginPage(_ connection: SQLiteConnection) throws {
        guard let source = request.finalSource, let plan = schema.plans.plan(for: source) else {
            throw StoreError(
                .invalid,
                "the defining query \(query.name) leads to no known entity set"
            )
        }
        if isAtStart { try begin(connection) }
        isAtStart = false
        if loader == nil {
            loader = RowLoader(connection, schema, target(connection), unknownSlots: unknownSlots(plan))
        }
        reader = PayloadReader(
            model: schema.model,
            plan: plan,
            plans: schema.plans,
            isDelta: isDelta
        )
    }

    /// Makes the place for the rows; a page that was cut before must not be there twice.
    private func begin(_ connection: SQLiteConnection) throws {
        try makeTables(connection)
        guard case .store(_, let table) = destination else { return }
        try partial.discard(from: table, connection)
    }

    private var partial: PartialLoad { PartialLoad(query) }

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
