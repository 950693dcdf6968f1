import ODataBinding
import ODataSQLite
import ODataValues
import ODataURL

/// `$apply` (OData Extension for Data Aggregation 4.0 § 3): each transformation is a SELECT around the one before.
extension QueryCompiler {
    /// Translates transformations of the rows that a path reaches.
    func applied(_ transformations: [BoundTransformation], to source: PathSource) throws -> RowSet {
        var sql = "SELECT \(source.scope.alias).*"
        sql += " FROM " + (source.from + source.scope.allJoins).joined(separator: " ")
        if !source.conditions.isEmpty {
            sql += " WHERE " + source.conditions.joined(separator: " AND ")
        }
        let rows = RowSet(select: sql, alias: newAlias("r"), type: source.scope)
        return try apply(transformations, to: rows)
    }

    func apply(_ transformations: [BoundTransformation], to rows: RowSet) throws -> RowSet {
        var rows = rows
        for transformation in transformations { rows = try apply(transformation, to: rows) }
        return rows
    }

    private func apply(_ transformation: BoundTransformation, to rows: RowSet) throws -> RowSet {
        enter(rows)
        switch transformation {
        case .identity: return rows
        case .filter(let condition):
            let sql = try self.condition(condition)
            return select(from: rows, where: parenthesized(sql))
        case .search(let search):
            return select(from: rows, where: try searchCondition(search, in: rows))
        case .compute(let definitions): return try computing(definitions, rows: rows)
        case .orderBy(let items): return try ordered(rows, by: items)
        case .top(let count): return try ranked(rows, where: "\"\(RowSet.rank)\" <= \(count)")
        case .skip(let count): return try ranked(rows, where: "\"\(RowSet.rank)\" > \(count)")
        case .ranked(let ranking, let amount, let value):
            return try ranked(rows, ranking: ranking, amount: amount, by: value)
        case .aggregate(let items): return try aggregated(rows, items: items)
        case .groupBy(let groupings, let sequence):
            return try grouped(rows, groupings: groupings, sequence: sequence)
        case .concat(let sequences):
            return try united(sequences.map { try apply($0, to: rows) }, keeping: rows)
        }
    }

    /// Lets expressions read the columns of a set of rows.
    func enter(_ rows: RowSet) {
        computed = [:]
        computedGuards = [:]
        isGrouped = rows.scope == nil
        variables[.it] = rows.scope.map { .row($0) }
        for column in rows.columns {
            let sql = "\(rows.alias).\(column.name.sqlQuoted)"
            computed[column.path] = SQLExpression(sql: sql, form: column.form)
            let unknown = column.form?.affinity == "BLOB" ? "text" : "blob"
            computedGuards[column.path] = ["typeof(\(sql)) <> '\(unknown)'"]
        }
        currentRows = rows
    }

    // MARK: Rows

    /// Selects rows again, with more columns or fewer rows.
    private func select(
        from rows: RowSet,
        adding columns: [(name: String, sql: String)] = [],
        where condition: String? = nil
    ) -> RowSet {
        var result = rows
        let list = ["\(rows.alias).*"] + columns.map { "\($0.sql) AS \($0.name.sqlQuoted)" }
        result.select = "SELECT \(list.joined(separator: ", ")) FROM \(rows.from)"
        if let condition { result.select += " WHERE \(condition)" }
        result.rename(newAlias("r"))
        return result
    }

    private func computing(_ definitions: [BoundCompute], rows: RowSet) throws -> RowSet {
        var rows = rows
        for definition in definitions {
            enter(rows)
            let value = try knownValue(definition.expression).withAllDigits
            let name = newAlias("$c")
            rows = select(from: rows, adding: [(name, value.sql)])
            rows.columns.append(
                .init(path: [definition.name], name: name, form: value.form, isComputed: true)
            )
        }
        return rows
    }

    func searchCondition(_ search: SearchExpression, in rows: RowSet) throws -> String {
        if let scope = rows.scope {
            return try searchConditions(search, in: scope).joined(separator: " AND ")
        }
        let texts = rows.columns.filter { $0.form == .string }
            .map { "\(rows.alias).\($0.name.sqlQuoted)" }
        return searchCondition(search, in: texts.joined(separator: ", "))
    }

    // MARK: Order

    private func ordered(_ rows: RowSet, by items: [OrderItem]) throws -> RowSet {
        var columns: [(name: String, sql: String)] = []
        var order: [RowSet.Order] = []
        for item in items {
            let name = newAlias("$o")
            columns.append((name, try knownValue(item.expression).withAllDigits.sql))
            order.append(.init(name: name, isDescending: item.isDescending))
        }
        var result = select(from: rows, adding: columns)
        result.order = order + rows.order
        return result
    }

    /// Numbers the rows of each partition in their order and keeps those whose number meets a condition.
    private func ranked(_ rows: RowSet, where condition: String) throws -> RowSet {
        let number = "row_number() OVER (\(window(rows, order: rows.orderClauses)))"
        let numbered = select(from: rows, adding: [(RowSet.rank, number)])
        var result = rows
        result.select =
            "SELECT \(names(of: rows)) FROM \(numbered.from) WHERE \(condition)"
        result.rename(newAlias("r"))
        return result
    }

    /// The columns of a set of rows by name, without those that a translation put beside them.
    private func names(of rows: RowSet) -> String {
        rows.columnNames.joined(separator: ", ")
    }

    private func window(_ rows: RowSet, order: [String], rest: String = "") -> String {
        var clauses: [String] = []
        let keys = rows.partition.map { "\(rows.alias).\($0.sqlQuoted)" }
        if !keys.isEmpty { clauses.append("PARTITION BY " + keys.joined(separator: ", ")) }
        if !order.isEmpty { clauses.append("ORDER BY " + order.joined(separator: ", ")) }
        if !rest.isEmpty { clauses.append(rest) }
        return clauses.joined(separator: " ")
    }

    private func ranked(
        _ rows: RowSet,
        ranking: BoundTransformation.Ranking,
        amount: BoundExpression,
        by expression: BoundExpression
    ) throws -> RowSet {
        let value = try knownValue(expression).withAllDigits
        let direction = ranking.isTop ? " DESC" : ""
        let order = ["\(value.sql)\(direction)"] + rows.orderClauses
        let number = try converted(value, to: .double).sql
        let limit = try converted(self.value(amount), to: .double).sql
        let rank: String
        let test: String
        let running =
            "total(\(number)) OVER (\(window(rows, order: order, rest: "ROWS UNBOUNDED PRECEDING")))"
        let rankName = RowSet.rank.sqlQuoted
        switch ranking {
        case .topcount, .bottomcount:
            rank = "row_number() OVER (\(window(rows, order: order)))"
            test = "\(rankName) <= \(limit)"
        // The smallest number of rows that reach the sum: what comes before a row has not reached it.
        case .topsum, .bottomsum:
            rank = "\(running) - \(number)"
            test = "\(rankName) < \(limit)"
        case .toppercent, .bottompercent:
            let total = "total(\(number)) OVER (\(window(rows, order: [])))"
            rank = "\(running) - \(number) - \(total) * \(limit) / 100.0"
            test = "\(rankName) < 0"
        }
        return keeping(rows, rank: rank, test: test)
    }

    private func keeping(_ rows: RowSet, rank: String, test: String) -> RowSet {
        let numbered = select(from: rows, adding: [(RowSet.rank, rank)])
        var result = rows
        result.select = "SELECT \(names(of: rows)) FROM \(numbered.from) WHERE \(test)"
        result.rename(newAlias("r"))
        return result
    }
}

extension BoundTransformation.Ranking {
    fileprivate var isTop: Bool {
        switch self {
        case .topcount, .topsum, .toppercent: true
        case .bottomcount, .bottomsum, .bottompercent: false
        }
    }
}
