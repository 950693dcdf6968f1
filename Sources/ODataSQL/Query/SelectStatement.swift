package import ODataValues
package import ODataBinding

/// A translated query of one level: its text, its values, and where each thing stands in a row.
@usableFromInline
package struct SelectStatement {
    package var sql: String
    package var bindings: [Scalar]
    package var table: TableLayout
    /// Places of property columns in the table, in the order in which they are selected.
    package var places: [Int]
    /// Columns of the order values of pages: those of properties, and others that follow the properties.
    package var orderColumns: [Int] = []
    /// How many order values follow the properties.
    var orderCount = 0

    /// Values of `$compute` and `$apply`, which follow the order values.
    package var computed: [ComputedColumn] = []
    /// Places of the collections with a count; the counts follow the computed values.
    package var counted: [Int] = []
    /// Whether rows are no entities, but what `$apply` has made of them.
    package var isGrouped = false
    /// Index of the value that holds the parents' ids, on expanded levels.
    package var idsIndex: Int?
    /// Whether the number of a row among those of its parent follows all else: where a count is wanted of parents whose page is empty,
    /// their first row comes though it is beside the page.
    package var showsRanks = false
    /// Index of the value that names the list, where the rows are those of one.
    var listIndex: Int?
    /// Whether the values are those of one moment: the statement must not be kept for later.
    package var isMomentary = false

    package init(
        sql: String,
        bindings: [Scalar],
        table: TableLayout,
        places: [Int],
        orderColumns: [Int] = [],
        orderCount: Int = 0,
        computed: [ComputedColumn] = [],
        counted: [Int] = [],
        isGrouped: Bool = false,
        idsIndex: Int? = nil,
        showsRanks: Bool = false,
        listIndex: Int? = nil,
        isMomentary: Bool = false
    ) {
        self.sql = sql
        self.bindings = bindings
        self.table = table
        self.places = places
        self.orderColumns = orderColumns
        self.orderCount = orderCount
        self.computed = computed
        self.counted = counted
        self.isGrouped = isGrouped
        self.idsIndex = idsIndex
        self.showsRanks = showsRanks
        self.listIndex = listIndex
        self.isMomentary = isMomentary
    }

    /// Columns that every level selects first.
    package static let system: [SystemColumn] = [
        .id, .type, .etag, .control, .exact, .dynamic, .state,
    ]
    /// The parent's position among those of the level above, on expanded levels.
    @inlinable package static var parentColumn: Int { 7 }
    /// The number of all matches (per parent), where it is asked for.
    @inlinable package static var countColumn: Int { 8 }
    /// Where property columns begin.
    @inlinable package static var firstProperty: Int { 9 }

    /// Where order values begin.
    var firstOrderValue: Int { Self.firstProperty + places.count }

    /// Where values of `$compute` begin.
    package var firstComputed: Int { firstOrderValue + orderCount }

    /// Where the counts of collections begin.
    package var firstItemCount: Int { firstComputed + computed.count }

    /// Where the number of a row among those of its parent stands, from 1 on.
    package var rankColumn: Int { firstItemCount + counted.count }

    /// Where a system column stands; readers ask for every row, so that the compiler has to know the answer.
    @inlinable package static func place(of column: SystemColumn) -> Int {
        switch column {
        case .id: 0
        case .type: 1
        case .etag: 2
        case .control: 3
        case .exact: 4
        case .dynamic: 5
        case .state: 6
        default: parentColumn
        }
    }

    /// The values for certain parents, whose ids are given as a JSON array.
    package func bindings(ids: String) -> [Scalar] {
        var bindings = bindings
        if let idsIndex { bindings[idsIndex] = .text(ids) }
        return bindings
    }

    /// The values for a list of rows.
    package func bindings(list: RowList) -> [Scalar] {
        var bindings = bindings
        if let listIndex { bindings[listIndex] = .integer(list.number) }
        return bindings
    }
}

/// A value that answers hold besides the properties of an entity.
package struct ComputedColumn {
    /// Names on the way to it in an answer; several where rows were grouped by the property of a related entity.
    package var path: [String]
    var sql: String
    package var form: ScalarForm?
    /// Whether the metadata does not state its type.
    package var isTyped = true
}

extension QueryCompiler {
    /// A position after which a page begins: the order values of the last row before it.
    package typealias Position = [Scalar]

    /// Translates the first level of a query.
    ///
    /// - Parameter beside: Makes the expressions in the columns that only expanded levels use: parent and count.
    package func select(
        _ request: EntityPath,
        options: BoundOptions,
        limit: Int?,
        after position: Position?,
        skipping offset: Int = 0,
        among rows: [Int64]? = nil,
        isPaged: Bool = true,
        beside: (QueryScope) -> (String, String) = { _ in ("NULL", "NULL") }
    ) throws -> SelectStatement {
        let source = try path(request)
        if !options.apply.isEmpty {
            return try transformed(source, options: options, limit: limit, skipping: offset)
        }
        let scope = source.scope
        variables[.it] = .row(scope)
        var conditions = source.conditions
        if let rows, rows.count == 1 {
            conditions.append("\(scope.reference(.id)) = \(parameter(.integer(rows[0])))")
        } else if let rows {
            let ids = parameter(.text("[" + rows.map(String.init).joined(separator: ",") + "]"))
            conditions.append("\(scope.reference(.id)) IN (SELECT value FROM json_each(\(ids)))")
        }
        try define(options.compute)
        if let filter = options.filter { conditions.append(try grouped(filter)) }
        conditions += try searchConditions(options.search, in: scope)
        let order = try orderTerms(options.orderBy, in: scope)
        if let position { conditions.append(try beyond(position, order: order)) }
        let properties = try selectedProperties(options, in: scope)
        let added = computedColumns(options)
        let (first, second) = beside(scope)
        let selected = systemColumns(scope) + [first, second] + properties.sql
        let ordered = orderColumns(isPaged ? order : [], behind: selected)
        let columns = selected + ordered.others + added.map(\.sql) + properties.counts
        var sql =
            "SELECT \(columns.joined(separator: ", ")) FROM \(searched(source, for: options.search))"
        sql += scope.allJoins.map { " " + $0 }.joined()
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        sql += " ORDER BY " + order.map(\.clause).joined(separator: ", ")
        sql += limits(limit, skip: position == nil ? options.skip : nil)
        try checkSize()
        return SelectStatement(
            sql: sql,
            bindings: bindings,
            table: scope.table,
            places: properties.places,
            orderColumns: ordered.columns,
            orderCount: ordered.others.count,
            computed: added,
            counted: properties.counted,
            isMomentary: isMomentary
        )
    }

    /// Translates the first level of a query with `$apply`; its pages are found by counting rows.
    private func transformed(
        _ source: PathSource,
        options: BoundOptions,
        limit: Int?,
        skipping offset: Int
    ) throws -> SelectStatement {
        let rows = try applied(options.apply, to: source)
        enter(rows)
        try define(options.compute)
        let conditions = try conditions(options, on: rows)
        var order = try orderTerms(options.orderBy).map(\.clause)
        order += rows.orderClauses
        let scope = rows.scope
        let properties = try scope.map { try selectedProperties(options, in: $0) }
        let added = appliedColumns(rows, options: options) + computedColumns(options)
        let system = scope.map(systemColumns) ?? SelectStatement.system.map { _ in "NULL" }
        let columns =
            system + ["NULL", "NULL"] + (properties?.sql ?? []) + added.map(\.sql)
            + (properties?.counts ?? [])
        var sql = "SELECT \(columns.joined(separator: ", ")) FROM \(rows.from)"
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        sql += " ORDER BY " + order.joined(separator: ", ")
        sql += limits(limit, skip: (options.skip ?? 0) + offset)
        try checkSize()
        return SelectStatement(
            sql: sql,
            bindings: bindings,
            table: source.scope.table,
            places: properties?.places ?? [],
            computed: added,
            counted: properties?.counted ?? [],
            isGrouped: scope == nil,
            isMomentary: isMomentary
        )
    }

    /// Where the values of an order stand that the position of a page is made of, and those that are not selected anyway.
    private func orderColumns(_ order: [OrderTerm], behind selected: [String]) -> (
        columns: [Int], others: [String]
    ) {
        var others: [String] = []
        let columns = order.map { term in
            if let column = selected.firstIndex(of: term.sql) { return column }
            others.append(term.sql)
            return selected.count + others.count - 1
        }
        return (columns, others)
    }

    private func conditions(_ options: BoundOptions, on rows: RowSet) throws -> [String] {
        var conditions: [String] = []
        if let filter = options.filter { conditions.append(try grouped(filter)) }
        if let search = options.search {
            conditions.append(parenthesized(try searchCondition(search, in: rows)))
        }
        return conditions
    }

    /// Translates the number of matches of a query.
    package func count(_ request: EntityPath, options: BoundOptions) throws -> (
        sql: String, bindings: [Scalar]
    ) {
        let source = try path(request)
        if !options.apply.isEmpty {
            let rows = try applied(options.apply, to: source)
            enter(rows)
            try define(options.compute)
            let conditions = try conditions(options, on: rows)
            let test = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
            try checkSize()
            return ("SELECT count(*) FROM \(rows.from)\(test)", bindings)
        }
        if let sql = searchCount(options, of: source) {
            try checkSize()
            return (sql, bindings)
        }
        variables[.it] = .row(source.scope)
        try define(options.compute)
        var conditions = source.conditions
        if let filter = options.filter { conditions.append(try grouped(filter)) }
        conditions += try searchConditions(options.search, in: source.scope)
        var sql = "SELECT count(*) FROM \(searched(source, for: options.search))"
        sql += source.scope.allJoins.map { " " + $0 }.joined()
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        try checkSize()
        return (sql, bindings)
    }

    /// Translates an expanded level: the targets of a navigation property for rows whose ids one value gives as a JSON array.
    ///
    /// - Parameter isFirst: Whether the rows are those of the resource path, which `$it` stands for.
    package func expand(_ expand: BoundExpand, of parent: TableLayout, isFirst: Bool) throws
        -> SelectStatement
    {
        let row = QueryScope(alias: newAlias("p"), table: parent)
        let joined = try innerJoin(expand.navigation, to: expand.target, from: row)
        let scope = joined.scope
        variables[.it] = .row(scope)
        if isFirst { variables[.outer] = .row(row) }
        let options = expand.options
        try define(options.compute)
        var conditions = try options.filter.map { [try grouped($0)] } ?? []
        conditions += try searchConditions(options.search, in: scope)
        if let cast = expand.cast { conditions.append(try typeCondition(cast, in: scope)) }
        let order = try orderTerms(options.orderBy, in: scope)
        let properties = try selectedProperties(options, in: scope)
        let total = options.count ? "count(*) OVER (PARTITION BY ids.key)" : "NULL"
        let added = computedColumns(options)
        let columns =
            systemColumns(scope) + ["ids.key", total] + properties.sql + added.map(\.sql)
            + properties.counts
        let idsIndex = bindings.count
        let from =
            ["json_each(\(parameter(.text("[]")))) AS ids"]
            + ["JOIN \(rows(of: row.table)) AS \(row.alias) ON \(row.reference(.id)) = ids.value"]
            + row.allJoins + joined.clauses + scope.allJoins
        let rank = ["ids.key"] + order.map(\.clause)
        var sql = "SELECT \(columns.joined(separator: ", "))"
        let isLimited = options.top != nil || options.skip != nil
        if isLimited {
            let partition =
                "PARTITION BY ids.key ORDER BY \(order.map(\.clause).joined(separator: ", "))"
            sql += ", row_number() OVER (\(partition)) AS \"$rank\", ids.key AS \"$key\""
        }
        sql += " FROM \(from.joined(separator: " "))"
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        if isLimited {
            let first = options.count ? " OR \"$rank\" = 1" : ""
            sql =
                "SELECT * FROM (\(sql)) WHERE \(rankCondition(options))\(first) ORDER BY \"$key\", \"$rank\""
        } else {
            sql += " ORDER BY \(rank.joined(separator: ", "))"
        }
        try checkSize()
        return SelectStatement(
            sql: sql,
            bindings: bindings,
            table: scope.table,
            places: properties.places,
            computed: added,
            counted: properties.counted,
            idsIndex: idsIndex,
            showsRanks: isLimited && options.count,
            isMomentary: isMomentary
        )
    }

    private func rankCondition(_ options: BoundOptions) -> String {
        let skip = options.skip ?? 0
        guard let top = options.top else { return "\"$rank\" > \(skip)" }
        return
            "\"$rank\" > \(skip) AND \"$rank\" <= \(skip.addingReportingOverflow(top).partialValue)"
    }

    private func grouped(_ filter: BoundExpression) throws -> String {
        let sql = try condition(filter)
        return switch filter {
        case .or, .not: parenthesized(sql)
        default: sql
        }
    }

    func systemColumns(_ scope: QueryScope) -> [String] {
        SelectStatement.system.map(scope.reference)
    }

    func limits(_ limit: Int?, skip: Int?) -> String {
        guard limit != nil || skip != nil else { return "" }
        return " LIMIT \(limit ?? -1)" + (skip.map { " OFFSET \($0)" } ?? "")
    }
}

// MARK: - Order

/// A term of ORDER BY.
package struct OrderTerm {
    var sql: String
    var isDescending: Bool
    package var clause: String { isDescending ? sql + " DESC" : sql }
}

extension QueryCompiler {
    /// The order asked for; digits that the stored value does not have decide between equal ones.
    package func orderTerms(_ items: [OrderItem]) throws -> [OrderTerm] {
        try items.flatMap { item in
            let value = try knownValue(item.expression)
            return ([value.sql] + [value.cutDigits].compactMap { $0 })
                .map { OrderTerm(sql: $0, isDescending: item.isDescending) }
        }
    }

    /// The order asked for, then the key: without it, ties would come in any order and pages would lose rows.
    func orderTerms(_ items: [OrderItem], in scope: QueryScope) throws -> [OrderTerm] {
        var terms = try orderTerms(items)
        let known = Set(terms.map(\.sql))
        for place in scope.table.keyColumns where !known.contains(scope.reference(place)) {
            terms.append(OrderTerm(sql: scope.reference(place), isDescending: false))
        }
        if scope.table.keyColumns.isEmpty || scope.table.isContained {
            terms.append(OrderTerm(sql: scope.reference(.id), isDescending: false))
        }
        return terms
    }

    /// The condition that a row comes after a position; nulls come first in ascending order.
    private func beyond(_ position: Position, order: [OrderTerm]) throws -> String {
        guard position.count == order.count else {
            throw QueryError(.invalidToken, "the continuation does not belong to this request")
        }
        var alternatives: [String] = []
        var equal: [String] = []
        for (index, (term, value)) in zip(order, position).enumerated() {
            if let after = after(value, term: term) {
                alternatives.append((equal + [after]).joined(separator: " AND "))
            }
            // A parameter that no condition uses would be one too many.
            if index < order.count - 1 { equal.append("\(term.sql) IS \(parameter(value))") }
        }
        return "(\(alternatives.isEmpty ? "0" : alternatives.joined(separator: " OR ")))"
    }

    private func after(_ value: Scalar, term: OrderTerm) -> String? {
        switch (value, term.isDescending) {
        case (.null, true): nil
        case (.null, false): "\(term.sql) IS NOT NULL"
        case (_, false): "\(term.sql) > \(parameter(value))"
        case (_, true): "(\(term.sql) < \(parameter(value)) OR \(term.sql) IS NULL)"
        }
    }
}
