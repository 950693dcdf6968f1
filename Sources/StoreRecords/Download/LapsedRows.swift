package import ODataSQLite
package import ODataSQL
package import ODataModel
package import ODataTables

/// Rows that have left the result of a query in a merge, looked at when all queries of the download are merged.
///
/// Only then it is known what each query has brought: an entity that moves from one query to another keeps its row, its links and its
/// local changes.
package struct LapsedRows {
    /// A row and the query that it has left.
    private struct Lapse {
        var row: Int64
        var query: DefiningQuery
        /// Whether the query still brings the row inside of other entities.
        var isExpanded = false
    }

    private static let key = "lapsed"

    let connection: SQLiteConnection
    let schema: TableSchema
    private var lapses: [Lapse] = []
    /// Queries that still hold what is not in its set any more: they are read in full next.
    package private(set) var holders: Set<String> = []
    private var coverage: RowCoverage { RowCoverage(connection, layout: schema.layout) }
    private var catalog: TableCatalog { TableCatalog(connection, layout: schema.layout) }

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Adds rows that a query does not hold any more.
    package mutating func add(_ rows: [Int64], from query: DefiningQuery) {
        lapses += rows.map { Lapse(row: $0, query: query) }
    }

    /// Adds rows that have left the result of a query, which still brings them inside of other entities.
    package mutating func add(expanded rows: [Int64], of query: DefiningQuery) {
        lapses += rows.map { Lapse(row: $0, query: query, isExpanded: true) }
    }

    /// Removes the rows that no query holds; what other queries hold loses the values that only the former one has brought.
    ///
    /// - Parameters:
    ///   - isFull: Whether a full read was merged, which may leave any row behind.
    ///   - built: Sets that have just come as a whole.
    /// - Returns: How many entities went, by the query that held them last.
    package mutating func settle(isFull: Bool, besides built: Set<NavigationSource>) throws
        -> [String: Int]
    {
        var owners: [Int64: String] = [:]
        for lapse in lapses { owners[lapse.row] = lapse.query.name }
        let former = try connection.metaIDs(Self.key)
        let candidates = Set(lapses.map(\.row)).union(former)
        guard isFull || !candidates.isEmpty else { return [:] }
        var removed: [String: Int] = [:]
        var waiting: [Int64] = []
        let wholes = wholeSets()
        let relations = LapsedRelations(
            coverage,
            schema: schema,
            queries: try DefiningQueries(connection).all()
        )
        for table in try catalog.tables() where !built.contains(table.source) {
            let left = try uncovered(in: table, isFull ? nil : candidates)
            for row in try left + deleted(wholes, in: table, besides: Set(left)) {
                removed[owners[row] ?? "", default: 0] += try coverage.remove(row, in: table)
            }
            for row in try relations.contents(of: table, among: isFull ? nil : candidates) {
                removed[owners[row] ?? "", default: 0] += try coverage.remove(row, in: table)
            }
            waiting += try unheld(candidates.sorted(), in: table)
        }
        // What a waiting change keeps is looked at again when the change is through.
        try connection.setMetaIDs(Self.key, to: waiting.sorted())
        try forgetValues()
        try readHoldersInFull(wholes)
        return removed
    }

    /// Rows that have left a query for all entities of its set: the service has them no more.
    private struct WholeSet {
        var query: String
        var source: NavigationSource
        var rows: [Int64]
    }

    private func wholeSets() -> [WholeSet] {
        Dictionary(grouping: lapses.filter { !$0.isExpanded }, by: \.query.name).compactMap {
            name,
            group in
            guard let query = group.first?.query, QueryReach.isWholeSet(query, in: schema),
                let source = QueryReach.ownSource(of: query, in: schema)
            else { return nil }
            return WholeSet(query: name, source: source, rows: group.map(\.row))
        }
    }

    /// Lets queries be read in full that still hold what is not in its set any more: their deltas have not reported it.
    ///
    /// Services leave changes of nested entities out of their deltas (OData 4.01 Part 1 § 11.3 wants them there).
    private mutating func readHoldersInFull(_ wholes: [WholeSet]) throws {
        guard !wholes.isEmpty else { return }
        let queries = DefiningQueries(connection)
        let tracked = try queries.all().filter { $0.deltaLink != nil && !$0.keepsMembers }
        for whole in wholes {
            guard let table = schema.layout[whole.source], try catalog.exists(table.name) else {
                continue
            }
            let mask = try masks(of: whole.rows, in: table).reduce(0, |)
            for holder in tracked where holder.name != whole.query && holder.bit & mask != 0 {
                try queries.forgetDelta(of: holder.name)
                holders.insert(holder.name)
            }
        }
    }

    /// Those of a table that left with their whole set, whatever refers to them here.
    private func deleted(
        _ wholes: [WholeSet],
        in table: TableLayout,
        besides others: Set<Int64>
    ) throws -> [Int64] {
        let rows = wholes.filter { $0.source == table.source }.flatMap(\.rows)
        return try chunks(Set(rows).subtracting(others)).flatMap {
            try coverage.uncovered(in: table, includesReferred: true, where: $0)
        }
    }

    private func uncovered(in table: TableLayout, _ candidates: Set<Int64>?) throws -> [Int64] {
        guard let candidates else { return try coverage.uncovered(in: table) }
        return try chunks(candidates).flatMap { try coverage.uncovered(in: table, where: $0) }
    }

    /// Conditions that pick rows by their ids, some hundred in each.
    private func chunks(_ rows: some Sequence<Int64>) -> [String] {
        RowCoverage.chunks(rows, column: "$id")
    }

    // MARK: Values

    /// Makes values unknown that only a query has brought which the entity has left: nothing keeps them up to date any more.
    private func forgetValues() throws {
        let queries = try DefiningQueries(connection).all()
        for (name, group) in Dictionary(grouping: lapses, by: \.query.name) {
            guard let query = group.first?.query, queries.contains(where: { $0.name == name })
            else {
                continue
            }
            let others = queries.filter { $0.slot != query.slot }
            for (isExpanded, part) in Dictionary(grouping: group, by: \.isExpanded) {
                for table in try catalog.tables() {
                    try forgetValues(
                        of: query,
                        in: table,
                        part.map(\.row),
                        besides: others,
                        isExpanded: isExpanded
                    )
                }
            }
        }
    }

    /// Makes values of rows of a table unknown that only a query has brought which does not hold them any more.
    ///
    /// - Parameter isExpanded: Whether the query still brings the rows inside of other entities.
    package func forgetValues(
        of query: DefiningQuery,
        in table: TableLayout,
        _ rows: [Int64],
        besides others: [DefiningQuery],
        isExpanded: Bool = false
    ) throws {
        // Most tables have none of the rows.
        let held = try held(rows, in: table)
        guard !held.isEmpty else { return }
        let place: BroughtValues.Place = isExpanded ? .result : .anywhere
        let brought = BroughtValues(of: query, table, in: schema, at: place)
        var kept = others.map { ($0, BroughtValues(of: $0, table, in: schema)) }
        if isExpanded {
            kept.append((query, BroughtValues(of: query, table, in: schema, at: .expands)))
        }
        // A query that brings everything, as most do, leaves nothing to be forgotten.
        for (holders, rows) in held {
            kept += try reads(among: holders, besides: Set(kept.map(\.0.slot)), of: table)
            let current = Self.brought(by: holders, kept)
            try forget(brought, besides: current, of: rows.sorted(), in: table)
            try LapsedRelations(coverage, schema: schema, queries: kept.map(\.0) + [query])
                .forgetLinks(
                    brought.navigations.subtracting(current.navigations),
                    of: rows,
                    in: table
                )
        }
    }

    /// Makes values of rows of a table unknown that nothing which holds them brings: they are of an older version.
    ///
    /// Foreign keys stay: they are the entity's place among others.
    package func forgetUnbrought(_ rows: [Int64], in table: TableLayout) throws {
        guard !rows.isEmpty else { return }
        let queries = try DefiningQueries(connection).all()
        var kept = queries.map { ($0, BroughtValues(of: $0, table, in: schema)) }
        let foreign = schema.layout.principals(of: table.source).flatMap(\.pairs).map(\.here)
        var all = BroughtValues()
        all.columns = Set(table.columns.indices).subtracting(foreign)
        all.hasDynamic = true
        for (holders, rows) in try held(rows, in: table) {
            kept += try reads(among: holders, besides: Set(kept.map(\.0.slot)), of: table)
            let current = Self.brought(by: holders, kept)
            try forget(all, besides: current, of: rows.sorted(), in: table)
        }
    }

    /// Kept reads hold entities, too; those that are not known yet.
    private func reads(among holders: Holders, besides known: Set<Int>, of table: TableLayout)
        throws
        -> [(DefiningQuery, BroughtValues)]
    {
        try holders.members.subtracting(known).sorted().compactMap { slot in
            try MemberRows(connection).collection(in: slot)
                .map { ($0, BroughtValues(of: $0, table, in: schema)) }
        }
    }

    /// What those of some queries bring that hold a row.
    private static func brought(
        by holders: Holders,
        _ queries: [(DefiningQuery, BroughtValues)]
    ) -> BroughtValues {
        var current = BroughtValues()
        for (query, values) in queries where holders.include(query) { current.formUnion(values) }
        return current
    }

    private func forget(
        _ brought: BroughtValues,
        besides current: BroughtValues,
        of rows: [Int64],
        in table: TableLayout
    ) throws {
        let stale = brought.columns.subtracting(current.columns)
            .subtracting(current.impliedKeys).filter { table.columns[$0].keyIndex == nil }
        let isOpen =
            table.hasOverflow || table.types.contains { schema.layout.model[$0].isOpen }
        let isDynamicStale = isOpen && brought.hasDynamic && !current.hasDynamic
        guard !stale.isEmpty || isDynamicStale else { return }
        try forget(stale.sorted(), isDynamicStale, of: rows, in: table)
    }

    /// What holds a row: queries that have a bit of their own, and the slots of others and of stored collections.
    private struct Holders: Hashable {
        var mask: Int64
        var members: Set<Int>

        func include(_ query: DefiningQuery) -> Bool {
            query.keepsMembers ? members.contains(query.slot) : query.bit & mask != 0
        }
    }

    /// Those of some rows that something holds, by what that is; what is deleted here has only its copy, and comes back when that is taken
    /// back.
    private func held(_ rows: [Int64], in table: TableLayout) throws -> [Holders: [Int64]] {
        var masks: [Int64: Int64] = [:]
        for name in try catalog.versions(of: table) {
            for chunk in chunks(rows) {
                try connection.forEachRow(
                    """
                    SELECT "$id", "$queries" FROM \(name.sqlQuoted) WHERE \(chunk) AND "$queries" <> 0
                    """
                ) { masks[$0.integer(0), default: 0] |= $0.integer(1) }
            }
        }
        let members = try MemberRows(connection).slots(
            of: masks.filter { $0.value & DefiningQueries.memberBit != 0 }.keys.sorted()
        )
        return Dictionary(grouping: masks.keys) {
            Holders(mask: masks[$0] ?? 0, members: members[$0] ?? [])
        }
    }

    /// The sets of queries that hold some rows; of those that are deleted here, their copies.
    private func masks(of rows: [Int64], in table: TableLayout) throws -> Set<Int64> {
        var masks: Set<Int64> = []
        for name in try catalog.versions(of: table) {
            for chunk in chunks(rows) {
                try connection.forEachRow(
                    """
                    SELECT DISTINCT "$queries" FROM \(name.sqlQuoted)
                    WHERE \(chunk) AND "$queries" <> 0
                    """
                ) { masks.insert($0.integer(0)) }
            }
        }
        return masks
    }

    /// Those of some rows that nothing holds; what is deleted here has only its copy.
    private func unheld(_ rows: [Int64], in table: TableLayout) throws -> [Int64] {
        var found: Set<Int64> = []
        for name in try catalog.versions(of: table) {
            for chunk in chunks(rows) {
                try connection.forEachRow(
                    "SELECT \"$id\" FROM \(name.sqlQuoted) WHERE \(chunk) AND \"$queries\" = 0"
                ) { found.insert($0.integer(0)) }
            }
        }
        return found.sorted()
    }

    private func forget(
        _ columns: [Int],
        _ forgetsDynamic: Bool,
        of rows: [Int64],
        in table: TableLayout
    ) throws {
        // What the service does not have yet has the values of its creation alone.
        let created = try found(
            rows,
            in: table.name,
            where: "\"$state\" & \(RowState.created.rawValue) <> 0"
        )
        let rows = rows.filter { !created.contains($0) }
        for name in [table.name, table.baseName, table.serverName] where try catalog.exists(name) {
            if forgetsDynamic { try clearDynamic(of: rows, in: name.sqlQuoted) }
            if !columns.isEmpty { try clear(columns, of: rows, in: name.sqlQuoted, table: table) }
        }
        guard try catalog.exists(table.baseName) else { return }
        let copied = try found(rows, in: table.baseName)
        guard !copied.isEmpty else { return }
        // What is changed here stays: the row is made anew of its base copy and the changes.
        try RowRebuild(connection, layout: schema.layout).rebuild(
            Set(copied.map { ChangedRow(table: table.name, row: $0) }),
            links: []
        )
    }

    /// Those of some rows that a table has and that meet a condition.
    private func found(_ rows: [Int64], in name: String, where condition: String = "1") throws
        -> Set<Int64>
    {
        var found: Set<Int64> = []
        for chunk in chunks(rows) {
            try connection.forEachRow(
                "SELECT \"$id\" FROM \(name.sqlQuoted) WHERE \(chunk) AND \(condition)"
            ) { found.insert($0.integer(0)) }
        }
        return found
    }

    private func clearDynamic(of rows: [Int64], in name: String) throws {
        for chunk in chunks(rows) {
            try connection.execute(
                "UPDATE \(name) SET \(SystemColumn.dynamic.sql) = NULL WHERE \(chunk)"
            )
        }
    }

    private func clear(_ columns: [Int], of rows: [Int64], in name: String, table: TableLayout)
        throws
    {
        let values = columns.map { UnknownValue.scalar(in: table.columns[$0]) }
        let list = columns.enumerated().map { "\(table.columns[$1].sql) = ?\($0 + 1)" }
        let paths = columns.map { "'$.\"\(table.columns[$0].name)\"'" }.joined(separator: ", ")
        let exact = SystemColumn.exact.sql
        for chunk in chunks(rows) {
            try connection.run(
                """
                UPDATE \(name) SET \(list.joined(separator: ", ")),
                    \(exact) = nullif(json_remove(\(exact), \(paths)), '{}') WHERE \(chunk)
                """,
                values
            )
        }
    }
}
