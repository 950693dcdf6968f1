import StoreRecords
import ODataBinding
import ODataSQLite
import OfflineStore
import ODataSQL
import ODataValues
import ODataModel
import ODataPayload
import ODataTables

/// Writes what pages bring; everything here happens on the target's queue.
final class PageWriter: @unchecked Sendable {
    private let destination: PageLoad.Destination
    private let schema: TableSchema
    private let query: DefiningQuery
    private let plan: EntityPlan
    private let request: EntityPath
    private let options: BoundOptions
    private let stamp: Int64
    private let isDelta: Bool
    /// The address that the query's first page was asked from.
    private let start: String
    /// The collection inside of an entity that is gone on with.
    private let nested: NestedLink?
    private let cancelFlag: CancelFlag
    /// Service root, which links are held against.
    private let root: String?
    /// Whether properties that entities leave out get their declared defaults; set before the first page.
    var setsDefaults = false
    /// The changes that writing makes room for; set before the first page.
    var waitingChanges: WaitingChanges?
    // Touched on the queue only.
    private var loader: RowLoader?
    /// When the load began.
    private let begun = Timestamp.now
    /// Whether nothing has been loaded since the load began or went on.
    private var isAtStart = true
    /// The last row of the pages that are there as a whole; an empty page that a load goes on with has none of its own.
    private var completeID: Int64 = 0
    /// Whether a load straight into the store has whole pages in it: those that it goes on behind, or its own.
    private var goesOn: Bool

    init(
        _ query: DefiningQuery,
        schema: TableSchema,
        into destination: PageLoad.Destination,
        stamp: Int64,
        isDelta: Bool,
        start: String,
        nested: NestedLink?,
        plan: EntityPlan,
        path: EntityPath,
        options: BoundOptions,
        cancelFlag: CancelFlag,
        root: String?
    ) {
        self.query = query
        self.schema = schema
        self.destination = destination
        self.stamp = stamp
        self.isDelta = isDelta
        self.start = start
        self.nested = nested
        self.plan = plan
        request = path
        self.options = options
        self.cancelFlag = cancelFlag
        self.root = root
        goesOn = query.nextLink != nil
    }

    /// Its statements belong to the queue's connection, which writes pages of other queries meanwhile: they end there too.
    deinit {
        let kept = Kept()
        // Nothing of it is left to this thread.
        swap(&kept.loader, &loader)
        queue.enqueue { _ in kept.loader = nil }
    }

    /// What guards what: touched on the queue only, once it is handed over.
    private final class Kept: @unchecked Sendable {
        var loader: RowLoader?
    }

    private var queue: DatabaseQueue {
        switch destination {
        case .staging(let file): file.queue
        case .store(let store, _): store.file.writer
        }
    }

    /// Writes entities in one transaction; with the end of a page, where the load goes on.
    func write(_ buffer: RecordingBuffer, after page: PageInfo?) async throws {
        try await queue.run { [self] connection in
            do {
                try connection.cancellable(by: cancelFlag) {
                    try connection.write { try play(buffer.recording, page: page, on: connection) }
                }
                if page != nil { goesOn = true }
            } catch {
                drop()
                throw error
            }
        }
    }

    /// Makes the next writing begin as the first one does.
    func forget() async {
        try? await queue.run { [self] _ in drop() }
    }

    /// Ids that the loader took may have been rolled back, so it goes.
    private func drop() {
        loader = nil
        isAtStart = true
    }

    private func play(
        _ recording: EntityRecording,
        page: PageInfo?,
        on connection: SQLiteConnection
    ) throws {
        if isAtStart { try begin(connection) }
        isAtStart = false
        var loader =
            self.loader.take()
            ?? RowLoader(
                connection,
                schema: schema,
                target: target(connection),
                isDelta: isDelta,
                keepsIDs: isDelta || QuerySelection.leavesKeysOut(query, in: schema),
                parent: nested.map { ($0.row, $0.navigation) },
                unknownSlots: unknownSlots(),
                setsDefaults: setsDefaults,
                root: root
            )
        try recording.play(into: &loader) { waitingChanges?.makeRoom() }
        if let page { try end(page, lastID: loader.lastUsedID, on: connection) }
        self.loader = loader
    }

    /// Writes down the end of a page, and where the load goes on.
    private func end(_ page: PageInfo, lastID: Int64, on connection: SQLiteConnection) throws {
        completeID = max(completeID, lastID)
        guard case .staging = destination else {
            try DefiningQueries(connection).setNextLink(page.nextLink, of: query)
            return try PartialLoad(query).markComplete(upTo: completeID, connection)
        }
        if let nested { return try end(page, of: nested, on: connection) }
        try takeETag(page, on: connection)
        let progress = StagingProgress(
            next: page.nextLink,
            deltaLink: page.deltaLink,
            lastID: completeID,
            isRead: page.nextLink == nil,
            begun: begun
        )
        try progress.write(query, start: start, on: connection)
    }

    /// An answer with one entity may state its ETag in the header alone (OData 4.01 Part 1 § 8.3.1); its row is the first.
    private func takeETag(_ page: PageInfo, on connection: SQLiteConnection) throws {
        guard let etag = page.etag, !isDelta, request.isSingle(in: schema.model),
            let table = request.finalSource.flatMap({ schema.layout[$0] })
        else { return }
        let name = StagingFile.name(of: table.name, query: query).sqlQuoted
        try connection.run(
            """
            UPDATE \(name) SET "$etag" = ?1
            WHERE "$etag" IS NULL AND "$id" = (SELECT min("$id") FROM \(name))
            """,
            [.text(etag)]
        )
    }

    private func end(_ page: PageInfo, of nested: NestedLink, on connection: SQLiteConnection)
        throws
    {
        let name = StagingFile.name(of: "$nested", query: query).sqlQuoted
        if let next = page.nextLink {
            try connection.run(
                "UPDATE \(name) SET \"link\" = ?2 WHERE \"id\" = ?1",
                [.integer(nested.id), .text(next)]
            )
        } else {
            try connection.run("DELETE FROM \(name) WHERE \"id\" = ?1", [.integer(nested.id)])
        }
    }

    /// Makes the place for the rows; a page that was cut before must not be there twice.
    private func begin(_ connection: SQLiteConnection) throws {
        try makeTables(connection)
        guard case .store(_, let table) = destination else {
            // Parts of a collection inside of an entity may come twice: the merge takes them once.
            guard nested == nil else { return }
            completeID =
                try connection.integer(
                    "SELECT \"lastID\" FROM \"$progress\" WHERE \"query\" = ?1 AND \"start\" = ?2",
                    [.text(query.name), .text(start)]
                ) ?? 0
            return try StagingProgress.discard(query, after: completeID, on: connection)
        }
        let load = PartialLoad(query)
        if goesOn {
            completeID = try load.discardUnfinished(from: table, connection)
        } else {
            completeID = 0
            try load.beginAnew(in: table, begun: begun, connection)
        }
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
                tableName: { [query] in StagingFile.name(of: $0, query: query) },
                ensureTable: { [query, schema] table in
                    let name = StagingFile.name(of: table.name, query: query)
                    let catalog = TableCatalog(connection, layout: schema.layout)
                    guard try !catalog.exists(name) else { return }
                    try catalog.create(table, named: name)
                }
            )
        case .store:
            RowLoader.Target(
                system: [
                    .queries: .integer(query.bit), .stamp: .integer(stamp), .state: .integer(0),
                ],
                takeIDs: { try connection.takeRowIDs($0) },
                keepsLinks: false,
                tableName: { $0 },
                ensureTable: { [schema] table in
                    try TableCatalog(connection, layout: schema.layout).ensureTable(table.source)
                }
            )
        }
    }

    /// Makes the tables that the query asks for; others, such as those of contained entities, when the first entity of theirs comes.
    ///
    /// In the staging file they have no indexes; the store's own gets them after the load.
    private func makeTables(_ connection: SQLiteConnection) throws {
        let catalog = TableCatalog(connection, layout: schema.layout)
        let sources: [NavigationSource] =
            switch destination {
            case .staging: reachedSources()
            case .store(_, let table): [table.source]
            }
        if case .staging = destination { try StagingFile.prepare(connection, for: query) }
        for source in sources {
            guard let table = schema.layout[source] else { continue }
            let name = target(connection).tableName(table.name)
            guard try !catalog.exists(name) else {
                // The application has made it meanwhile: until the end of the load, keys may come twice.
                if case .store = destination { try catalog.dropKeyIndex(of: table) }
                continue
            }
            if case .store = destination {
                try catalog.createTable(table)
            } else {
                try catalog.create(table, named: name)
            }
        }
    }

    /// The query's own source and every source that its expands lead to.
    private func reachedSources() -> [NavigationSource] {
        func sources(_ expands: [BoundExpand]) -> [NavigationSource] {
            expands.flatMap { [$0.target].compactMap { $0 } + sources($0.options.expand) }
        }
        return [request.finalSource].compactMap { $0 } + sources(options.expand)
    }

    /// Slots that stay unknown where a payload does not mention them: those of entities of which the query selects some properties.
    private func unknownSlots() -> [Int: [Int]] {
        var slots: [Int: [Int]] = [:]
        for source in QuerySelection.partialSources(of: query, in: schema) {
            guard let plan = schema.plans.plan(for: source), let table = schema.layout[source]
            else { continue }
            slots[plan.destination] = table.columns.indices.filter {
                table.columns[$0].keyIndex == nil
            }
        }
        return slots
    }
}
