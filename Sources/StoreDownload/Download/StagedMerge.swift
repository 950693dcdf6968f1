package import ODataSQLite
package import StoreRecords
import ODataSQL
import StoreUpload
import ODataModel
package import ODataTables

/// Brings what was staged for one query into the store, in the caller's transaction: readers see before or after.
///
/// Rows are matched by key. A row with local changes keeps its values: the staged values become its server copy.
package struct StagedMerge {
    let connection: SQLiteConnection
    let schema: TableSchema
    let query: DefiningQuery
    let stamp: Int64
    /// Whether what was staged are changes: what they do not mention stays as it is.
    let isDelta: Bool
    /// Whether pages may be missing: then what did not come is not taken for gone.
    let isIncomplete: Bool
    /// Which links are those of the convention; read once, since each id is looked at by it.
    let convention: LinkConvention
    let linkCount = LinkCount()
    /// Queries of the same download that have been merged before.
    var earlier: [DefiningQuery] = []
    /// Sources of which the query brings only some properties.
    let partialSources: Set<NavigationSource>
    /// The properties that the query expands, whose entities may have lost their last link.
    let leads: [QueryLead]
    /// The source that the query itself asks for.
    let ownSource: NavigationSource?
    /// Whether what was staged may name entities by their ids only.
    let namesByID: Bool
    var layout: Layout { schema.layout }
    var catalog: TableCatalog { TableCatalog(connection, layout: schema.layout) }

    /// What a merge did.
    package struct Result: Sendable {
        package var inserted = 0
        package var updated = 0
        package var removed = 0
        /// Links that were made or ended; where a foreign key is the link, its entity counts as updated.
        package var links = 0
        /// How many entities are in conflict with what the query has brought, and are not counted for another query.
        package var conflictCount: Int { conflicted.count }
        /// Rows whose change here met one of the service.
        var conflicted: Set<Int64> = []
        /// Whether the service reported deleted entities.
        package var hasTombstones = false
        /// Warnings, such as that many rows were removed without the service reporting their deletion.
        package var remarks: [String] = []
        /// Rows that the query does not hold any more.
        var lapsed: [Int64] = []
        /// Entities that the service says have left the query's own result.
        var left: [RowReference] = []
        /// Rows that have left the query's own result, and come inside of other entities still.
        var expanded: [Int64] = []
        /// Where foreign keys led to that have come with other values, by the queries that expand them.
        var moved: [String: [FormerTarget]] = [:]
        /// Rows with an ETag that is newer than some of their values.
        var renewed: [PartlyRenewed] = []
        /// How many rows the query held before it was read in full.
        var held = 0
        /// Relations to entities that the store does not have yet.
        var missing: [MissingTarget] = []
        /// Whether a delta is silent about links or contained entities that were sent from here, or about what is below an entity that
        /// comes back.
        var omitsLinks = false
        /// The set that has taken the place of its table as a whole.
        var built: NavigationSource?

        package init() {}

        static func += (result: inout Result, gone: GoneRows) {
            result.removed += gone.removed
            result.conflicted.formUnion(gone.conflicted)
        }
    }

    /// Why what was staged for a query is not taken over; nothing of it is then.
    struct Refusal: Error {
        var message: String
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
        schema: TableSchema,
        query: DefiningQuery,
        stamp: Int64,
        isDelta: Bool = false,
        isIncomplete: Bool = false,
        mapsForeignLinks: Bool = false
    ) throws {
        self.connection = connection
        self.schema = schema
        self.query = query
        self.stamp = stamp
        self.isDelta = isDelta
        self.isIncomplete = isIncomplete
        convention = LinkConvention(
            schema,
            root: try ServiceRoot.text(connection),
            statedRoot: try ServiceRoot.stated(connection),
            mapsForeignLinks: mapsForeignLinks
        )
        partialSources = QuerySelection.partialSources(of: query, in: schema)
        leads = isDelta ? QueryLead.all(of: query, in: schema) : []
        ownSource = QueryReach.ownSource(of: query, in: schema)
        namesByID = isDelta || QuerySelection.leavesKeysOut(query, in: schema)
    }

    /// Merges everything that is staged; a full read also takes the query's mark from rows that did not come.
    ///
    /// - Parameter build: What has been built aside.
    func merge(_ build: TableBuild? = nil) throws -> Result {
        var result = Result()
        var former: [FormerTarget] = []
        var dropped: [FormerLink] = []
        var inside: Set<Int64> = []
        for table in try stagedTables() {
            if let build, try build.takePlace(of: table, self) {
                result.built = table.source
                result.inserted += build.rowCount
                continue
            }
            try catalog.ensureTable(table.source)
            try completeKeys(table)
            try adoptContained(table)
            try settleUnreturnedKeys(table)
            try map(table)
            inside.formUnion(try comingInside(table))
            dropped += try joinRepeated(table)
            result.renewed += try partlyRenewed(table)
            result.moved.merge(try movedTargets(table), uniquingKeysWith: +)
            if try bringsBack(table) || hasUnclearLinks(table) { result.omitsLinks = true }
            former += try formerTargets(of: table)
            try refreshBases(table)
            try keepServerCopies(table, into: &result)
            try keepCopiesOfCreated(table, into: &result)
            try update(table, into: &result)
            try settleBases(table)
            try insert(table, into: &result)
            try mark(table)
        }
        try keepMembers()
        try mergeAddresses()
        try mergeLinks()
        var stray = StrayIDs()
        let unlinked = try removeTombstones(
            &result,
            former: &former,
            inside: inside,
            noting: &stray
        )
        let ended = try mergeRelationChanges(
            unlinked,
            into: &result,
            former: &former,
            noting: &stray
        )
        result.remarks += stray.remarks
        if isDelta {
            if try omitsSentContents() { result.omitsLinks = true }
            former += try unledTargets() + formerTargets(of: dropped)
            try releaseOrphans(former, ended: ended, into: &result)
        }
        if query.isStoredCollection {
            if !isDelta, !isIncomplete { try releaseAbsentMembers(&result) }
        } else if !isDelta, !isIncomplete {
            try clearAbsent(&result, besides: result.built)
        }
        // A full read says of all of the result what is in it.
        if !isDelta, !isIncomplete { result.expanded += inside }
        result.hasTombstones = try hasTombstones()
        result.links = linkCount.value
        return result
    }

    /// Takes the query's mark from the rows that did not come, and leaves those that came as they are.
    package func compare() throws -> Result {
        var result = Result()
        for table in try stagedTables() {
            try completeKeys(table)
            try adoptContained(table)
            try map(table)
            try joinRepeated(table)
        }
        if !isIncomplete { try clearAbsent(&result) }
        return result
    }

    /// Whether a delta brings an entity again that has gone here with its parent, and the query asks for what is below it.
    private func bringsBack(_ table: TableLayout) throws -> Bool {
        guard leads.contains(where: { $0.source == table.source }) else { return false }
        return try CascadedRows(connection).isAny(among: staged(table.name), of: table)
    }

    private func hasTombstones() throws -> Bool {
        guard isDelta else { return false }
        return try connection.integer("SELECT 1 FROM \(staged("$removed")) LIMIT 1") != nil
    }

    /// Staged tables that exist: that of the query's own entities first, parents before what they contain.
    func stagedTables() throws -> [TableLayout] {
        let names = try stagedNames()
        let tables = layout.sources.compactMap { source in
            layout.tableName(of: source).map {
                names.contains(StagingFile.name(of: $0, query: query))
            } == true
                ? layout[source] : nil
        }
        let entities = tables.filter { !$0.isContained }
        return entities.filter { $0.source == ownSource }
            + entities.filter { $0.source != ownSource }
            + tables.filter(\.isContained)
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
    func staged(_ name: String) -> String { Self.staged(name, query: query) }

    static func staged(_ name: String, query: DefiningQuery) -> String {
        "staging." + StagingFile.name(of: name, query: query).sqlQuoted
    }
}
