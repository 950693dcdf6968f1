import ODataModel
import ODataProtocol

/// Boolean expressions.
///
/// In `$filter` a null condition keeps nothing, as in SQL's WHERE, so comparisons stand there bare and indexes serve them. Below a
/// `not`, or as a value, a comparison with null must be false rather than null (`exact`).
extension QueryCompiler {
    func condition(_ expression: BoundExpression, exact: Bool = false) throws -> String {
        switch expression {
        case .and(let terms): return try chain(terms, "AND", exact: exact)
        case .or(let terms): return try chain(terms, "OR", exact: exact)
        case .not(let operand): return "NOT \(parenthesized(try condition(operand, exact: true)))"
        case .comparison(let operation, let left, let right):
            return try comparison(operation, left, right, exact: exact)
        case .isIn(let value, let list): return try membership(value, list, exact: exact)
        case .has(let value, let flags):
            let flags = try self.value(flags).sql
            return "(\(try self.value(value).sql) & \(flags)) = \(flags)"
        case .lambda(let lambda): return try self.lambda(lambda)
        case .isOf(let path, let type):
            return try typeCondition(type, in: try scope(of: path))
        case .state(let state, let path): return try self.state(state, path)
        case .call(let function, let arguments):
            return try conditionCall(function, arguments, exact: exact)
        default: return try value(expression).sql
        }
    }

    func parenthesized(_ sql: String) -> String { "(\(sql))" }

    /// A balanced tree, since SQLite's parser stops at a thousand terms in a row and at a hundred levels.
    private func chain(_ terms: [BoundExpression], _ word: String, exact: Bool) throws -> String {
        if let list = try equalityList(terms, word) { return list }
        let conditions = try terms.map { term -> String in
            let sql = try condition(term, exact: exact)
            return switch term {
            case .and, .or, .conditional: parenthesized(sql)
            default: sql
            }
        }
        return balanced(conditions[...], word)
    }

    private static let plainChainLength = 16

    private func balanced(_ conditions: ArraySlice<String>, _ word: String) -> String {
        if conditions.count <= Self.plainChainLength {
            return conditions.joined(separator: " \(word) ")
        }
        let middle = conditions.startIndex + conditions.count / 2
        return parenthesized(balanced(conditions[..<middle], word)) + " \(word) "
            + parenthesized(balanced(conditions[middle...], word))
    }

    /// `a eq 1 or a eq 2 or …` of one path as a list; nil for any other chain.
    private func equalityList(_ terms: [BoundExpression], _ word: String) throws -> String? {
        guard word == "OR", terms.count > Self.plainChainLength else { return nil }
        var first: BoundPath?
        var values: [BoundExpression] = []
        for term in terms {
            guard case .comparison(.equal, .path(let path), let value) = term,
                case .literal = value, first.map({ $0.isSame(as: path) }) ?? true
            else { return nil }
            first = path
            values.append(value)
        }
        return try first.map { try membership(.path($0), values, exact: true) }
    }
}

// MARK: - Comparison

extension QueryCompiler {
    private func comparison(
        _ operation: ComparisonOperator,
        _ left: BoundExpression,
        _ right: BoundExpression,
        exact: Bool
    ) throws -> String {
        switch (operation, left, right) {
        case (.equal, let operand, .null), (.equal, .null, let operand):
            return "\(try nullTestable(operand)) IS NULL"
        case (.notEqual, let operand, .null), (.notEqual, .null, let operand):
            return "\(try nullTestable(operand)) IS NOT NULL"
        case (_, .null, _), (_, _, .null): return "0"
        default: break
        }
        let (left, right) = try harmonized(value(left), value(right))
        let sql = "\(left.sql) \(operation.sql) \(right.sql)"
        switch operation {
        // IS and IS NOT are OData's eq and ne: null equals null, and nothing else.
        case .equal, .notEqual: return sql
        default: return exact ? "\(parenthesized(sql)) IS TRUE" : sql
        }
    }

    /// A navigation property or entity compared with null is asked for its row.
    private func nullTestable(_ expression: BoundExpression) throws -> String {
        guard case .path(let path) = expression, path.form == nil else {
            if case .null = expression { return "NULL" }
            return try value(expression).sql
        }
        if path.property.isEmpty { return try scope(of: path).reference(.id) }
        return try value(expression).sql
    }

    private func membership(_ value: BoundExpression, _ list: [BoundExpression], exact: Bool) throws
        -> String
    {
        let hasNull = list.contains { if case .null = $0 { true } else { false } }
        let operand = try self.value(value)
        let items = try list.filter { if case .null = $0 { false } else { true } }
            .map { try harmonized(operand, self.value($0)) }
        var parts: [String] = []
        // Items that made the operand change its form stand in lists of their own.
        for (left, group) in Dictionary(grouping: items, by: \.0.sql).sorted(by: { $0.key < $1.key }
        ) {
            let list = group.map(\.1.sql).joined(separator: ", ")
            parts.append(exact ? "(\(left) IN (\(list))) IS TRUE" : "\(left) IN (\(list))")
        }
        if hasNull { parts.append("\(operand.sql) IS NULL") }
        try checkSize()
        return parts.isEmpty
            ? "0" : parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " OR ")))"
    }
}

extension ComparisonOperator {
    fileprivate var sql: String {
        switch self {
        case .equal: "IS"
        case .notEqual: "IS NOT"
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .less: "<"
        case .lessOrEqual: "<="
        }
    }
}

extension BoundPath {
    /// Whether two paths name the same value (navigation is compared by its properties).
    func isSame(as other: BoundPath) -> Bool {
        variable == other.variable && property == other.property && steps.isEmpty
            && other.steps.isEmpty
    }
}

// MARK: - Lambdas

extension QueryCompiler {
    private func lambda(_ lambda: BoundLambda) throws -> String {
        let saved = variables
        defer { variables = saved }
        let (from, correlation) = try open(lambda.collection, as: lambda.variable)
        var conditions = correlation.map { [$0] } ?? []
        if let condition = lambda.condition {
            let sql = try self.condition(condition, exact: lambda.quantifier == .all)
            switch lambda.quantifier {
            case .any: conditions.append(parenthesized(sql))
            case .all: conditions.append("\(parenthesized(sql)) IS NOT TRUE")
            }
        }
        let joins = joinsOf(lambda.variable)
        let test = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let exists = "EXISTS (SELECT 1 FROM \(from)\(joins)\(test))"
        return lambda.quantifier == .any ? exists : "NOT \(exists)"
    }

    /// The number of items of a collection that meet a condition.
    func count(_ path: BoundPath, _ filter: BoundLambda?) throws -> String {
        let saved = variables
        defer { variables = saved }
        let variable = filter?.variable ?? .lambda(.max)
        let (from, correlation) = try open(path, as: variable)
        var conditions = correlation.map { [$0] } ?? []
        if let condition = filter?.condition {
            conditions.append(parenthesized(try self.condition(condition)))
        }
        let test = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return "(SELECT count(*) FROM \(from)\(joinsOf(variable))\(test))"
    }

    private func joinsOf(_ variable: LambdaVariable) -> String {
        guard case .row(let scope) = variables[variable] else { return "" }
        return scope.allJoins.map { " " + $0 }.joined()
    }

    /// Opens a collection: what to select from, how it belongs to the outer row; and binds the variable.
    private func open(
        _ path: BoundPath,
        as variable: LambdaVariable
    ) throws -> (from: String, correlation: String?) {
        let outer = try scope(of: path, navigationExcluded: true)
        guard let navigation = path.navigation else {
            let column = try self.value(.path(path)).sql
            let alias = newAlias("j")
            variables[variable] = .item(alias: alias)
            return ("json_each(\(column)) AS \(alias)", nil)
        }
        guard let target = path.navigationTarget else { return ("(SELECT 1 WHERE 0)", nil) }
        let inner = QueryScope(
            alias: newAlias(),
            table: try table(target),
            type: path.navigationCast ?? model[navigation].target
        )
        variables[variable] = .row(inner)
        let relationship = layout.relationship(navigation, from: outer.table.source, to: target)
        var correlation = condition(of: relationship, here: outer, there: inner)
        if let cast = path.navigationCast {
            correlation += " AND " + (try typeCondition(cast, in: inner))
        }
        return ("\(rows(of: inner.table)) AS \(inner.alias)", correlation)
    }
}

// MARK: - States

extension QueryCompiler {
    private func state(_ state: EntityState, _ path: BoundPath) throws -> String {
        let row = try scope(of: path)
        switch state {
        case .exists: return "\(row.reference(.id)) IS NOT NULL"
        case .isLocal: return test(.local, row)
        case .hasPendingChanges: return test(.pending, row)
        case .inErrorState: return test(.inError, row)
        case .upsertedLastDownload:
            return
                "\(row.reference(.stamp)) = (SELECT \"value\" FROM \"$meta\" WHERE \"key\" = 'download')"
        }
    }

    private func test(_ state: RowState, _ row: QueryScope) -> String {
        "(\(row.reference(.state)) & \(state.rawValue)) <> 0"
    }
}
