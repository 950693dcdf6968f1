import ODataBinding
import ODataSQLite
import ODataValues
import ODataModel

/// `aggregate`, `groupby` and `concat` (OData Extension for Data Aggregation 4.0 §§ 3.2, 3.1.4).
extension QueryCompiler {
    /// One row of aggregates for each partition.
    func aggregated(_ rows: RowSet, items: [BoundAggregate]) throws -> RowSet {
        var values: [(column: RowSet.Column, sql: String)] = []
        for item in items {
            let value = try aggregate(item)
            values.append(
                (
                    RowSet.Column(
                        path: [item.name],
                        name: newAlias("$a"),
                        form: value.form,
                        isComputed: true
                    ), value.sql
                )
            )
        }
        let keys = rows.partition.map { "\(rows.alias).\($0.sqlQuoted)" }
        let list =
            zip(keys, rows.partition).map { "\($0) AS \($1.sqlQuoted)" }
            + values.map { "\($0.sql) AS \($0.column.name.sqlQuoted)" }
        var sql = "SELECT \(list.joined(separator: ", ")) FROM \(rows.from)"
        if !keys.isEmpty { sql += " GROUP BY " + keys.joined(separator: ", ") }
        var result = RowSet(select: sql, alias: newAlias("r"), type: nil)
        result.partition = rows.partition
        result.columns = values.map(\.column)
        return result
    }

    /// The value of an aggregate over the rows that are being read.
    func aggregate(_ item: BoundAggregate) throws -> SQLExpression {
        if let apart = try aggregateOfReached(item) { return apart }
        if let collection = item.collection { return try aggregate(item, over: collection) }
        guard let expression = item.expression else {
            return SQLExpression(sql: "count(*)", form: BoundAggregate.countForm)
        }
        return aggregate(item.method, of: try knownValue(expression))
    }

    /// An aggregate of a value; where a value is not known, neither is the result.
    private func aggregate(_ method: BoundAggregate.Method, of value: SQLExpression)
        -> SQLExpression
    {
        let scale = if case .scaledDecimal(let scale)? = value.form { scale } else { 0 }
        var value = value
        switch method {
        case .countDistinct, .min, .max: value = value.withAllDigits
        // Decimal texts stand beside integers of the scale.
        case .sum, .average:
            value.sql = value.exact.map { "coalesce(\($0), \(value.sql))" } ?? value.sql
        case .count: break
        }
        let sql = value.sql
        switch (method, value.form) {
        case (.count, _):
            return SQLExpression(sql: "count(\(sql))", form: BoundAggregate.countForm)
        case (.countDistinct, _):
            return known("count(DISTINCT \(sql))", value: value, form: BoundAggregate.countForm)
        case (.sum, .scaledDecimal), (.sum, .decimalText):
            return SQLExpression(sql: "odata_sum(\(sql), \(scale))", form: .decimalText)
        case (.average, .scaledDecimal), (.average, .decimalText), (.average, .integer):
            return SQLExpression(sql: "odata_average(\(sql), \(scale))", form: .decimalText)
        case (.average, .duration):
            return known("CAST(avg(\(sql)) AS INTEGER)", value: value, form: .duration)
        case (.average, _): return known(Self.realResult("avg", sql), value: value, form: .double)
        case (.sum, .integer): return known("sum(\(sql))", value: value, form: .integer(.int64))
        case (.sum, .single), (.sum, .double):
            return known(Self.realResult("sum", sql), value: value, form: .double)
        case (.sum, let form): return known("sum(\(sql))", value: value, form: form)
        case (.min, let form): return known("min(\(sql))", value: value, form: form)
        case (.max, let form): return known("max(\(sql))", value: value, form: form)
        }
    }

    /// NaN, which is text, makes the result NaN; so do infinities of both signs, of which SQLite makes null.
    private static func realResult(_ function: String, _ sql: String) -> String {
        "CASE WHEN max(typeof(\(sql)) = 'text') THEN 'NaN' WHEN count(\(sql)) > 0"
            + " THEN coalesce(\(function)(\(sql)), 'NaN') END"
    }

    private func known(_ sql: String, value: SQLExpression, form: ScalarForm?) -> SQLExpression {
        let isBlob = value.form?.affinity == "BLOB"
        let test = "max(typeof(\(value.sql)) = '\(isBlob ? "text" : "blob")')"
        let unknown = form?.affinity == "BLOB" ? "''" : "x''"
        return SQLExpression(
            sql: "CASE WHEN \(test) THEN \(unknown) ELSE \(sql) END",
            form: form
        )
    }

    // MARK: Collections

    /// Aggregates the members of a collection of each row, then those results.
    private func aggregate(_ item: BoundAggregate, over path: BoundPath) throws -> SQLExpression {
        switch item.method {
        case .count:
            return SQLExpression(
                sql: "coalesce(sum(\(try count(path, filter: nil))), 0)",
                form: BoundAggregate.countForm
            )
        case .sum, .min, .max:
            let part = try memberValue(item.method, item: item, path: path)
            return aggregate(item.method, of: part)
        case .average:
            let sum = try memberValue(.sum, item: item, path: path)
            let count = try memberValue(.count, item: item, path: path)
            let total = aggregate(.sum, of: sum)
            if total.form == .double {
                let sql =
                    "CASE WHEN typeof(\(total.sql)) = 'text' THEN 'NaN'"
                    + " ELSE \(total.sql) / nullif(sum(\(count.sql)), 0) END"
                return SQLExpression(sql: sql, form: .double)
            }
            let dividend = try converted(total, to: .decimalText).sql
            let divisor = "nullif(odata_decimal(sum(\(count.sql)), 0), '1')"
            let sql = "odata_compute('div', \(dividend), \(divisor))"
            return SQLExpression(sql: sql, form: .decimalText)
        case .countDistinct:
            throw QueryError(
                .notSupported,
                "countdistinct of the members of a collection is not offered; begin with their own set"
            )
        }
    }

    /// The aggregate of a row's collection as a value of the row.
    private func memberValue(
        _ method: BoundAggregate.Method,
        item: BoundAggregate,
        path: BoundPath
    ) throws -> SQLExpression {
        let saved = variables
        defer { variables = saved }
        let variable = LambdaVariable.lambda(1)
        let (from, correlation) = try open(path, as: variable)
        guard let expression = item.expression else {
            return SQLExpression(sql: try count(path, filter: nil), form: .integer(.int64))
        }
        let value = aggregate(method, of: try knownValue(expression))
        let test = correlation.map { " WHERE \($0)" } ?? ""
        return SQLExpression(
            sql: "(SELECT \(value.sql) FROM \(from)\(joinsOf(variable))\(test))",
            form: value.form
        )
    }

    /// `$these/aggregate(…)`: an aggregate of all rows that the transformation works on, of the same partition.
    func these(_ aggregate: BoundAggregate) throws -> SQLExpression {
        guard let rows = currentRows else {
            throw QueryError(.notSupported, "$these has a meaning inside $apply only")
        }
        let saved = (variables, computed, computedGuards, isGrouped)
        defer { (variables, computed, computedGuards, isGrouped) = saved }
        var inner = rows
        inner.rename(newAlias("r"))
        enter(inner)
        defer { currentRows = rows }
        let value = try self.aggregate(aggregate)
        let keys = rows.partition.map(\.sqlQuoted)
            .map { "\(inner.alias).\($0) IS \(rows.alias).\($0)" }
        var sql = "SELECT \(value.sql) FROM \(inner.from)"
        if !keys.isEmpty { sql += " WHERE " + keys.joined(separator: " AND ") }
        return SQLExpression(sql: "(\(sql))", form: value.form)
    }

    // MARK: groupby

    func grouped(
        _ rows: RowSet,
        groupings: [BoundGrouping],
        sequence: [BoundTransformation]
    ) throws -> RowSet {
        let levels = try levels(groupings)
        let results = try levels.map { try grouped(rows, by: $0, sequence: sequence) }
        guard results.count > 1 else { return results[0] }
        return try united(results, keeping: rows)
    }

    private static let maximumLevels = 64

    /// The lists of paths that groupings stand for: each combination of the levels of every `rollup`.
    private func levels(_ groupings: [BoundGrouping]) throws -> [[BoundPath]] {
        var all: [[BoundPath]] = [[]]
        for grouping in groupings {
            switch grouping {
            case .path(let path): all = all.map { $0 + [path] }
            case .rollup(let paths):
                all = all.flatMap { list in
                    (0..<max(1, paths.count)).map { list + paths.dropLast($0) }
                }
            }
            guard all.count <= Self.maximumLevels else {
                throw QueryError(
                    .limitExceeded,
                    "the rollups make more than \(Self.maximumLevels) levels"
                )
            }
        }
        return all
    }

    private func grouped(
        _ rows: RowSet,
        by paths: [BoundPath],
        sequence: [BoundTransformation]
    ) throws -> RowSet {
        enter(rows)
        var keys: [RowSet.Column] = []
        var list = ["\(rows.alias).*"]
        for path in paths {
            let value = try knownValue(.path(path)).withAllDigits
            let name = newAlias("$k")
            list.append("\(value.sql) AS \(name.sqlQuoted)")
            let isComputed = path.isComputed
            keys.append(.init(path: path.key, name: name, form: value.form, isComputed: isComputed))
        }
        var inner = rows
        inner.select = "SELECT \(list.joined(separator: ", ")) FROM \(rows.from)"
        inner.rename(newAlias("r"))
        inner.partition += keys.map(\.name)
        var result =
            sequence.isEmpty ? try aggregated(inner, items: []) : try apply(sequence, to: inner)
        result.partition = rows.partition
        if result.scope == nil {
            let named = Set(result.columns.map(\.path))
            result.columns = keys.filter { !named.contains($0.path) } + result.columns
        }
        return result
    }

    // MARK: concat

    /// Puts rows one after the other; what a row does not have is absent from answers, as an unknown value is.
    func united(_ parts: [RowSet], keeping rows: RowSet) throws -> RowSet {
        let scope = parts.lazy.compactMap(\.scope).first
        var columns: [RowSet.Column] = []
        for part in parts {
            for column in part.columns where !columns.contains(where: { $0.path == column.path }) {
                var named = column
                named.name = newAlias("$u")
                columns.append(named)
            }
        }
        let branch = newAlias("$o")
        let orders = parts.map(\.order.count).max() ?? 0
        let orderNames = (0..<orders).map { _ in newAlias("$o") }
        let selects = parts.enumerated().map { index, part in
            united(
                part,
                at: index,
                columns: columns,
                in: scope,
                order: (branch, orderNames),
                partition: rows.partition
            )
        }
        var result = RowSet(
            select: selects.joined(separator: " UNION ALL "),
            alias: newAlias("r"),
            type: scope
        )
        result.columns = columns
        result.partition = rows.partition
        result.order =
            [.init(name: branch, isDescending: false)]
            + orderNames.map { .init(name: $0, isDescending: false) }
        return result
    }

    private func united(
        _ part: RowSet,
        at index: Int,
        columns: [RowSet.Column],
        in scope: QueryScope?,
        order: (branch: String, names: [String]),
        partition: [String]
    ) -> String {
        var list: [String] = []
        if let scope { list += entityColumns(of: part, scope) }
        for column in columns {
            let own = part.columns.first { $0.path == column.path }
            let unknown = column.form?.affinity == "BLOB" ? "''" : "x''"
            let value = own.map { "\(part.alias).\($0.name.sqlQuoted)" } ?? unknown
            list.append("\(value) AS \(column.name.sqlQuoted)")
        }
        list += partition.map { "\(part.alias).\($0.sqlQuoted) AS \($0.sqlQuoted)" }
        // The order inside a part as one number, whatever its terms are.
        list.append("\(index) AS \(order.branch.sqlQuoted)")
        for (place, name) in order.names.enumerated() {
            let number =
                place == 0 && !part.order.isEmpty
                ? "row_number() OVER (ORDER BY \(part.orderClauses.joined(separator: ", ")))"
                : "NULL"
            list.append("\(number) AS \(name.sqlQuoted)")
        }
        return "SELECT \(list.joined(separator: ", ")) FROM \(part.from)"
    }

    /// The columns of an entity; of rows that are none, values that answers leave out, but those they were grouped by.
    private func entityColumns(of part: RowSet, _ scope: QueryScope) -> [String] {
        if let own = part.scope {
            return scope.table.allColumnNames.map { "\(own.alias).\($0) AS \($0)" }
        }
        let system = SystemColumn.allCases.map { column -> String in
            column == .type || column == .state ? "0 AS \(column.sql)" : "NULL AS \(column.sql)"
        }
        return system
            + scope.table.columns.map { column in
                "\(column.affinity == "BLOB" ? "''" : "x''") AS \(column.sql)"
            }
    }
}
