package import ODataBinding
import ODataSQL
import ODataSQLite
import ODataValues
package import ODataModel
import ODataURL

/// Combinations of entities of several sets (`$crossjoin`, OData 4.01 Part 2 § 4.15).
extension TableQuery {
    /// An entity in a combination.
    package struct Member: Sendable {
        /// Its row.
        package var row: Int64
        /// Its URL relative to the service root; nil where its key is not known.
        package var url: String?
    }

    /// A page of combinations.
    package struct Combinations: Sendable {
        /// The entities of each combination, in the order of the sets.
        package var items: [[Member]] = []
        /// The number of all combinations, where it was asked for.
        package var totalCount: Int64?
        /// Where the next page begins; nil where this is the last one.
        package var next: Page?
    }

    /// Returns the combinations that meet the options' conditions.
    package func combinations(
        of sources: [NavigationSource],
        _ options: BoundOptions,
        page: Page = Page()
    ) throws -> Combinations {
        let remaining = options.top.map { max(0, $0 - page.offset) }
        let isPaged = page.size.map { size in remaining.map { $0 > size } ?? true } ?? false
        let wanted = [remaining, page.size].compactMap { $0 }.min()
        let statement = try compiler().combinations(
            of: sources,
            options,
            limit: isPaged ? wanted.map { $0 + 1 } : wanted,
            skipping: page.offset
        )
        let names = EntityURL(model: layout.model, version: .v4)
        var result = Combinations()
        var hasMore = false
        let row = try prepared(statement.sql, bindings: statement.bindings)
        defer { row.reset() }
        while try row.step() {
            if isPaged, result.items.count == wanted {
                hasMore = true
                break
            }
            var column = 0
            result.items.append(
                statement.tables.map { table in
                    let key = table.keyColumns.indices.map { row.scalar(column + 1 + $0) }
                    let isKnown = zip(table.keyColumns, key).allSatisfy {
                        !UnknownValue.isUnknown($1, in: table.columns[$0])
                    }
                    defer { column += 1 + table.keyColumns.count }
                    return Member(
                        row: row.integer(column),
                        url: isKnown ? names.canonical(table.source, key: key) : nil
                    )
                }
            )
        }
        if options.count {
            let count = try compiler().combinationCount(of: sources, options)
            result.totalCount = try integer(count.sql, bindings: count.bindings)
        }
        if hasMore { result.next = Page(size: page.size, offset: page.offset + result.items.count) }
        return result
    }

    /// Returns the JSON objects of rows of a set by their ids, read by one statement for each level.
    package func objects(
        of source: NavigationSource,
        _ options: BoundOptions,
        rows: [Int64],
        format: AnswerFormat
    ) throws -> [Int64: [UInt8]] {
        let path = EntityPath(source: source)
        let statement = try compiler().select(
            path,
            options: options,
            limit: nil,
            after: nil,
            among: rows
        )
        let plan = LevelPlan(statement, options: options, in: layout, format: format)
        var level = LevelWriter(self, plan: plan)
        try plan.read(self) { row in
            try level.write(row)
            return true
        }
        try level.expand()
        return level.objects()
    }
}

extension QueryCompiler {
    /// The statement that gives row id and key of each entity of each combination.
    fileprivate func combinations(
        of sources: [NavigationSource],
        _ options: BoundOptions,
        limit: Int?,
        skipping offset: Int
    ) throws -> (sql: String, bindings: [Scalar], tables: [TableLayout]) {
        let scopes = try enter(sources)
        var order = try orderTerms(options.orderBy).map(\.clause)
        var columns: [String] = []
        for scope in scopes {
            let key = scope.table.keyColumns.map(scope.reference)
            columns += [scope.reference(.id)] + key
            order += key + [scope.reference(.id)]
        }
        var sql =
            "SELECT \(columns.joined(separator: ", "))" + (try from(scopes, filter: options.filter))
        sql += " ORDER BY " + order.joined(separator: ", ")
        sql += " LIMIT \(limit ?? -1) OFFSET \((options.skip ?? 0) + offset)"
        try checkSize()
        return (sql, bindings, scopes.map(\.table))
    }

    fileprivate func combinationCount(of sources: [NavigationSource], _ options: BoundOptions)
        throws
        -> (sql: String, bindings: [Scalar])
    {
        let scopes = try enter(sources)
        let sql = "SELECT count(*)" + (try from(scopes, filter: options.filter))
        try checkSize()
        return (sql, bindings)
    }

    private func enter(_ sources: [NavigationSource]) throws -> [QueryScope] {
        var scopes: [QueryScope] = []
        for (index, source) in sources.enumerated() {
            let scope = QueryScope(alias: newAlias(), table: try table(source))
            variables[.lambda(index + 1)] = .row(scope)
            scopes.append(scope)
        }
        return scopes
    }

    private func from(_ scopes: [QueryScope], filter: BoundExpression?) throws -> String {
        let condition = try filter.map { " WHERE " + parenthesized(try self.condition($0)) } ?? ""
        let tables = scopes.map { "\(rows(of: $0.table)) AS \($0.alias)" }
        let joins = scopes.flatMap(\.allJoins).map { " " + $0 }.joined()
        return " FROM " + tables.joined(separator: " JOIN ") + joins + condition
    }
}
