import ODataModel
import ODataProtocol
package import ODataTables

/// Brings what was staged for one query into the store, in the caller's transaction: readers see before or after.
///
/// Rows meet by key. A row with local changes keeps its values: what came becomes its server copy.
package struct StagedMerge {
    let connection: SQLiteConnection
    let schema: TableSchema
    let query: DefiningQuery
    let stamp: Int64
    /// Whether what was staged are changes: what they do not mention stays as it is.
    let isDelta: Bool
    /// Sources of which the query brings only some properties.
    let partialSources: Set<NavigationSource>
    /// The properties that the query expands, where their entities may be left alone by what came.
    let leads: [Lead]
    /// The source that the query itself asks for.
    let ownSource: NavigationSource?
    var layout: Layout { schema.layout }
    var catalog: TableCatalog { TableCatalog(connection, schema.layout) }

    /// What a merge did.
    package struct Result: Sendable {
        package var inserted = 0
        package var updated = 0
        package var removed = 0
        package var conflicts = 0
        /// Whether the service told of entities that are gone.
        package var hasTombstones = false

        package init() {}

        /// Adds what another merge did.
        package mutating func add(_ other: Result) {
            inserted += other.inserted
            updated += other.updated
            removed += other.removed
            conflicts += other.conflicts
        }
    }

    /// How a staged row stands to the store; stored in `$map`.
    enum Kind: Int {
        case known = 0
        case new = 1
        /// Deleted here, and the service does not know yet.
        case deletedHere = 2
    }

    package init(
        _ connection: SQLiteConnection,
        _ schema: TableSchema,
        _ query: DefiningQuery,
        stamp: Int64,
        isDelta: Bool = false
    ) {
        self.connection = connection
        self.schema = schema
        self.query = query
        self.stamp = stamp
        self.isDelta = isDelta
        partialSources = QuerySelection.partialSources(of: query, in: schema)
        leads = isDelta ? Self.leads(of: query, in: schema) : []
        ownSource = QueryReach.ownSource(of: query, in: schema)
    }

    /// Merges everything that is staged; a full read also takes the query's mark from rows that did not come.
    ///
    /// - Parameter build: What has been built aside.
    func merge(_ build: TableBuild? = nil) throws -> Result {
        var result = Result()
        var former: [FormerTarget] = []
        var built: NavigationSource?
        for table in stagedTables() {
            if let build, try build.takePlace(of: table, self) {
                built = table.source
                result.inserted += build.rowCount
                continue
            }
            try catalog.ensureTable(table.source)
            if isDelta { try readKeysFromIDs(table) }
            try settleUntold(table)
            try map(table)
            former += try formerTargets(of: table)
            try refreshBases(table)
            try keepServerCopies(table, &result)
            try keepCopiesOfCreated(table, &result)
            try update(table, &result)
            try settleBases(table)
            try insert(table, &result)
            try mark(table)
        }
        try mergeAddresses()
        try mergeLinks()
        try removeTombstones(&result, &former)
        try mergeLinkChanges(&former)
        if isDelta {
            former += try unledTargets()
            try releaseOrphans(former, &result)
        }
        if !isDelta { try clearAbsent(besides: built) }
        result.hasTombstones = try hasTombstones()
        // A delta says one by one what has left; only a full read can leave rows behind that nothing holds any more.
        if !isDelta { try removeUncovered(&result, besides: built) }
        return result
    }

    /// Takes the query's mark from the rows that did not come, and leaves those that came as they are.
    package func compare() throws -> Result {
        var result = Result()
        for table in stagedTables() { try map(table) }
        try clearAbsent()
        try removeUncovered(&result)
        return result
    }

    private func removeUncovered(_ result: inout Result, besides built: NavigationSource? = nil)
        throws
    {
        for table in try catalog.tables() where table.source != built {
            let before = connection.totalChangedRowCount
            try RowCoverage(connection, layout).removeUncovered(in: table)
            result.removed += connection.totalChangedRowCount - before
        }
    }

    private func hasTombstones() throws -> Bool {
        guard isDelta else { return false }
        return try connection.integer("SELECT 1 FROM \(staged("$removed")) LIMIT 1") != nil
    }

    /// Staged tables that exist, parents before what they contain.
    func stagedTables() -> [TableLayout] {
        let names = (try? stagedNames()) ?? []
        let tables = layout.sources.compactMap { source in
            layout.tableName(of: source).map { names.contains(StagingFile.name($0, query)) } == true
                ? layout[source] : nil
        }
        return tables.filter { !$0.isContained } + tables.filter(\.isContained)
    }

    func stagedNames() throws -> Set<String> {
        var names: Set<String> = []
        try connection.forEachRow(
            "SELECT \"name\" FROM staging.sqlite_schema WHERE \"type\" = 'table'"
        ) {
            names.insert($0.string(0))
        }
        return names
    }

    /// The quoted name of a table of the staging file that belongs to this query.
    func staged(_ name: String) -> String {
        "staging." + StagingFile.name(name, query).sqlQuoted
    }
}
