package import ODataSQLite
package import ODataSQL
package import ODataValues
package import ODataBinding

/// Answers bound requests from the tables of one connection; used inside one read transaction.
package struct TableQuery {
    package let connection: SQLiteConnection
    package let layout: Layout
    private let existing: Set<String>
    /// What the connection has translated before; nil where it writes, so that its tables may change at any time.
    package let plans: PlanCache?
    /// What the transaction has translated before to read back what it has changed; nil where nothing is kept.
    package var rowPlans: RowPlans?
    /// The rows that answer instead of those that a query chooses; nil where the query chooses.
    package var members: RowList?
    /// Whether entities include the states of their relatives, which costs look-ups along all navigation properties.
    package var showsRelatives = false
    /// States of relatives by the row of the entity that has them, for the answer that is being made.
    private(set) var relatives: [Int64: RowState] = [:]

    /// Looks at the file's schema.
    package init(_ connection: SQLiteConnection, layout: Layout) throws {
        self.connection = connection
        self.layout = layout
        existing = try TableCatalog.existingTables(connection)
        plans = nil
    }

    /// Reads with plans that have been compared with the file in this transaction.
    package init(_ connection: SQLiteConnection, plans: PlanCache) {
        self.connection = connection
        layout = plans.schema.layout
        existing = plans.tables
        self.plans = plans
    }

    /// The same query with rows as it chooses them.
    package var ofAllRows: TableQuery {
        var query = self
        query.members = nil
        return query
    }

    /// Returns a compiler that knows which tables exist.
    func compiler() -> QueryCompiler {
        QueryCompiler(layout, existing: existing)
    }

    /// Which page of a result is asked for.
    package struct Page: Sendable, Equatable {
        /// At most so many entities; nil for all.
        package var size: Int?
        /// Order values of the last entity of the page before.
        package var position: [Scalar]?
        /// How many entities the pages before have brought, which count against `$top`.
        package var offset: Int

        package init(size: Int? = nil, position: [Scalar]? = nil, offset: Int = 0) {
            self.size = size
            self.position = position
            self.offset = offset
        }
    }

    /// A page of entities.
    package struct Answer: Sendable {
        /// JSON objects of the entities, separated by commas.
        package var entities: [UInt8]
        /// How many entities there are in it.
        package var entityCount: Int
        /// The number of all matches, where it was asked for.
        package var totalCount: Int64?
        /// Where the next page begins; nil where this is the last one.
        package var next: Page?
        /// Ids of the entities' rows, in order.
        package var rows: [Int64] = []
        /// Where the members of each entity lie in `entities`, without braces, where nothing was expanded.
        package var members: [Range<Int>] = []
        /// The ETag of the first entity.
        package var etag: String?
    }

    /// Returns the entities that a path reaches, filtered, ordered, expanded and paged as the options say; of certain rows
    /// only where some are named.
    ///
    /// - Parameter known: The request that path and options are those of, where it is known: its plan is used again.
    package func entities(
        _ path: EntityPath,
        options: BoundOptions,
        page: Page = Page(),
        among rows: [Int64]? = nil,
        format: AnswerFormat,
        known: KnownRequest? = nil
    ) throws -> Answer {
        if showsRelatives, options.apply.isEmpty {
            return try showingRelatives(of: path, among: rows).entities(
                path,
                options: options,
                page: page,
                among: rows,
                format: format,
                known: known
            )
        }
        let size = PageSize(options, page: page)
        if let members, rows == nil, options.apply.isEmpty {
            return try entities(
                path,
                options: options,
                page: page,
                of: members,
                format: format,
                known: known
            )
        }
        let made = try planned(
            path,
            options: options,
            page: page,
            size: size,
            among: rows,
            format: format,
            knowing: known
        )
        let (plan, bindings) = made
        var level = LevelWriter(self, plan: plan)
        var position: [Scalar] = []
        var hasMore = false
        try plan.read(self, bindings: bindings) { row in
            if size.isPaged, level.rows.count == size.wanted {
                hasMore = true
                return false
            }
            try level.write(row)
            if size.isPaged { position = orderValues(row, statement: plan.statement) }
            return true
        }
        try level.expand()
        let total = options.count ? try count(path, options: options) : nil
        return Answer(
            entities: level.joined(),
            entityCount: level.rows.count,
            totalCount: total,
            next: hasMore
                ? Page(size: page.size, position: position, offset: page.offset + level.rows.count)
                : nil,
            rows: level.rows.map(\.id),
            members: level.rows.map(\.members),
            etag: level.firstETag
        )
    }

    /// Returns the query with the states of relatives that answers about a path show, where they do.
    func showingRelatives(of path: EntityPath, among rows: [Int64]? = nil) throws -> TableQuery {
        guard showsRelatives else { return self }
        var query = self
        query.showsRelatives = false
        query.relatives = try query.statesOfRelatives(path, among: rows)
        return query
    }

    /// How many rows a page has.
    private struct PageSize {
        var wanted: Int?
        /// Whether it is the page that ends the answer, not `$top`: then one additional row shows whether a next page exists.
        var isPaged: Bool

        init(_ options: BoundOptions, page: Page) {
            let remaining = options.top.map { max(0, $0 - page.offset) }
            wanted = [remaining, page.size].compactMap { $0 }.min()
            isPaged = page.size.map { size in remaining.map { $0 > size } ?? true } ?? false
        }

        /// How many rows are read.
        var limit: Int? { isPaged ? wanted.map { $0 + 1 } : wanted }
    }

    /// Returns the plan of the first level with its values, one made before where there is one.
    private func planned(
        _ path: EntityPath,
        options: BoundOptions,
        page: Page,
        size: PageSize,
        among rows: [Int64]?,
        format: AnswerFormat,
        knowing known: KnownRequest?
    ) throws -> (LevelPlan, [Scalar]) {
        func make() throws -> LevelPlan {
            let statement = try compiler().select(
                path,
                options: options,
                limit: size.limit,
                after: page.position,
                skipping: page.offset,
                among: rows,
                isPaged: size.isPaged
            )
            return LevelPlan(statement, options: options, in: layout, format: format)
        }
        let isWhole = options.asksForAll && page == Page()
        if isWhole, let rowPlans, let rows, rows.count == 1, path.isSource {
            let plan = try rowPlans.plan(
                of: path.source,
                format: format,
                tablesVersion: connection.tableNamesVersion,
                make: make
            )
            return (plan, [.integer(rows[0])])
        }
        guard rows == nil, page.position == nil, page.offset == 0 else {
            let plan = try make()
            return (plan, plan.statement.bindings)
        }
        if let plans, let key = path.onlyKey, options.asksForAll, page.size == nil {
            return (try plans.plan(ofKeyOf: path.source, format: format, make: make), key)
        }
        let plan = try known?.plan(format, pageSize: page.size, make: make) ?? make()
        return (plan, plan.statement.bindings)
    }

    /// Returns the plan of a whole answer, with its values.
    func levels(_ path: EntityPath, options: BoundOptions) throws -> (LevelPlan, [Scalar]) {
        let size = PageSize(options, page: Page())
        return try planned(
            path,
            options: options,
            page: Page(),
            size: size,
            among: nil,
            format: AnswerFormat(),
            knowing: nil
        )
    }

    /// Returns the plan by which the entities of a request are read as values, with its values; nil where they hold more.
    func valuePlan(_ path: EntityPath, options: BoundOptions, knowing known: KnownRequest?) throws
        -> (LevelPlan, [Scalar])?
    {
        guard options.hasPlainValues else { return nil }
        if let members {
            return try planned(
                members,
                at: path,
                options: options,
                page: Page(),
                format: AnswerFormat(),
                knowing: known
            )
        }
        let size = PageSize(options, page: Page())
        return try planned(
            path,
            options: options,
            page: Page(),
            size: size,
            among: nil,
            format: AnswerFormat(),
            knowing: known
        )
    }

    /// Returns how many entities a path and its filter reach.
    package func count(_ path: EntityPath, options: BoundOptions) throws -> Int64 {
        if let members, options.apply.isEmpty { return try count(of: members, path) }
        let query = try compiler().count(path, options: options)
        return try integer(query.sql, bindings: query.bindings)
    }

    /// Returns the number that a statement answers.
    func integer(_ sql: String, bindings: [Scalar]) throws -> Int64 {
        let statement = try prepared(sql, bindings: bindings)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Returns a statement with its values.
    func prepared(_ sql: String, bindings: [Scalar]) throws -> SQLiteStatement {
        let statement = try statement(sql)
        try bind(bindings, to: statement)
        return statement
    }

    /// Returns the statement of a text.
    func statement(_ sql: String) throws -> SQLiteStatement {
        do {
            return try connection.statement(sql)
        } catch let error as SQLiteError where error.isBeyondLimits {
            throw QueryError(
                .limitExceeded,
                "the request is too deep or too wide to be answered at once: use fewer expressions or levels"
            )
        }
    }

    /// Gives a statement its values; the last ones may stand in no condition, where literals decide alone.
    func bind(_ bindings: [Scalar], to statement: SQLiteStatement) throws {
        let count = statement.parameterCount
        try statement.bind(count < bindings.count ? Array(bindings[..<count]) : bindings)
    }

    /// Returns the rows that a path reaches, in the order of their ids; where one is named, that one alone.
    package func rows(_ path: EntityPath, limit: Int = 1, among row: Int64? = nil) throws
        -> [RowReference]
    {
        guard let source = path.finalSource else { return [] }
        let compiler = compiler()
        var found = try compiler.path(path)
        if let row {
            found.conditions.append(
                "\(found.scope.reference(.id)) = \(compiler.parameter(.integer(row)))"
            )
        }
        var sql =
            "SELECT \(found.scope.reference(.id)) FROM "
            + (found.from + found.scope.allJoins).joined(separator: " ")
        if !found.conditions.isEmpty {
            sql += " WHERE " + found.conditions.joined(separator: " AND ")
        }
        var rows: [RowReference] = []
        try connection.forEachRow(sql + " LIMIT \(limit)", compiler.bindings) {
            rows.append(RowReference(source: source, row: $0.integer(0)))
        }
        return rows
    }

    private func orderValues(_ row: SQLiteStatement, statement: SelectStatement) -> [Scalar] {
        statement.orderColumns.map { row.scalar($0) }
    }
}
