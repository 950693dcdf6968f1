import ODataModel
package import ODataProtocol

/// Answers bound requests from the tables of one connection; used inside one read transaction.
package struct TableQuery {
    package let connection: SQLiteConnection
    package let layout: Layout
    private let existing: Set<String>

    /// Looks at the file's schema.
    package init(_ connection: SQLiteConnection, _ layout: Layout) throws {
        self.connection = connection
        self.layout = layout
        existing = try TableCatalog.existingTables(connection)
    }

    /// Returns a compiler that knows which tables exist.
    func compiler() -> QueryCompiler {
        QueryCompiler(layout, existing: existing)
    }

    /// Which page of a result is asked for.
    package struct Page: Sendable {
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
        /// The ETag of the first entity.
        package var etag: String?
    }

    /// Returns the entities that a path reaches, filtered, ordered, expanded and paged as the options say; of certain rows
    /// only where some are named.
    package func entities(
        _ path: EntityPath,
        _ options: BoundOptions,
        page: Page = Page(),
        among rows: [Int64]? = nil,
        format: AnswerFormat
    ) throws -> Answer {
        let remaining = options.top.map { max(0, $0 - page.offset) }
        let wanted = [remaining, page.size].compactMap { $0 }.min()
        // One row more than the page tells whether there is a next one.
        let isPaged = page.size.map { size in remaining.map { $0 > size } ?? true } ?? false
        let statement = try compiler().select(
            path,
            options,
            limit: isPaged ? wanted.map { $0 + 1 } : wanted,
            after: page.position,
            skipping: page.offset,
            among: rows
        )
        var level = LevelWriter(self, format: format)
        var position: [Scalar] = []
        var hasMore = false
        try read(statement) { row in
            if let wanted, isPaged, level.rows.count == wanted {
                hasMore = true
                return false
            }
            try level.write(row, statement, options)
            if isPaged { position = orderValues(row, statement) }
            return true
        }
        try level.expand(options, statement.table, format)
        let total = options.count ? try count(path, options) : nil
        return Answer(
            entities: level.joined(),
            entityCount: level.rows.count,
            totalCount: total,
            next: hasMore
                ? Page(size: page.size, position: position, offset: page.offset + level.rows.count)
                : nil,
            rows: level.rows.map(\.id),
            etag: level.firstETag
        )
    }

    /// Returns how many entities a path and its filter reach.
    package func count(_ path: EntityPath, _ options: BoundOptions) throws -> Int64 {
        let query = try compiler().count(path, options)
        return try integer(query.sql, query.bindings)
    }

    /// Returns the number that a statement answers.
    func integer(_ sql: String, _ bindings: [Scalar]) throws -> Int64 {
        let statement = try prepared(sql, bindings)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Returns a statement with its values; the last ones may stand in no condition, where literals decide alone.
    func prepared(_ sql: String, _ bindings: [Scalar]) throws -> SQLiteStatement {
        let statement: SQLiteStatement
        do {
            statement = try connection.statement(sql)
        } catch let error as SQLiteError where error.isBeyondLimits {
            throw QueryError(
                .limitExceeded,
                "the request is too deep or too wide to be answered at once: use fewer expressions or levels"
            )
        }
        let count = statement.parameterCount
        try statement.bind(count < bindings.count ? Array(bindings[..<count]) : bindings)
        return statement
    }

    /// Returns the rows that a path reaches, in the order of their ids.
    package func rows(_ path: EntityPath, limit: Int = 1) throws -> [RowReference] {
        guard let source = path.finalSource else { return [] }
        let compiler = compiler()
        let found = try compiler.path(path)
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

    /// Steps through a statement until the function answers false.
    func read(_ statement: SelectStatement, _ body: (SQLiteStatement) throws -> Bool) throws {
        let prepared = try prepared(statement.sql, statement.bindings)
        defer { prepared.reset() }
        while try prepared.step() {
            guard try body(prepared) else { return }
        }
    }

    private func orderValues(_ row: SQLiteStatement, _ statement: SelectStatement) -> [Scalar] {
        (0..<statement.orderCount).map { row.scalar(statement.firstOrderValue + $0) }
    }
}
