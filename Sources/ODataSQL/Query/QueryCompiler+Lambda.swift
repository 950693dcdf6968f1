import ODataBinding
import ODataModel
import ODataURL

/// `any`, `all` and `$count` over collections (OData 4.01 Part 2 §§ 5.1.1.13, 4.8).
extension QueryCompiler {
    func lambda(_ lambda: BoundLambda, truth: Truth) throws -> String {
        let sql = try quantified(lambda, truth: truth)
        guard truth != .value else { return sql }
        return guarded(sql, guards: try guards(.lambda(lambda)))
    }

    private func quantified(_ lambda: BoundLambda, truth: Truth) throws -> String {
        let saved = variables
        defer { variables = saved }
        let (from, correlation) = try open(lambda.collection, as: lambda.variable)
        var conditions = correlation.map { [$0] } ?? []
        let isPositive = (lambda.quantifier == .any) != (truth == .fails)
        if let condition = lambda.condition {
            let sql = try self.condition(condition)
            let guards = truth == .fails ? try guards(condition) : []
            switch (lambda.quantifier, truth) {
            case (.any, .fails) where !guards.isEmpty:
                // An item of which something is not known might be the one.
                let known = guards.joined(separator: " AND ")
                conditions.append("((\(sql)) IS TRUE OR NOT (\(known)))")
            case (.any, _): conditions.append(parenthesized(sql))
            case (.all, .fails):
                conditions.append(guarded("(\(sql)) IS NOT TRUE", guards: guards))
            case (.all, _): conditions.append("(\(sql)) IS NOT TRUE")
            }
        } else if lambda.quantifier == .all {
            conditions.append("0")
        }
        let joins = joinsOf(lambda.variable)
        let test = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return "\(isPositive ? "" : "NOT ")EXISTS (SELECT 1 FROM \(from)\(joins)\(test))"
    }

    /// The number of items of a collection that meet a condition.
    func count(_ path: BoundPath, filter: BoundLambda?) throws -> String {
        let saved = variables
        defer { variables = saved }
        let variable = filter?.variable ?? .lambda(.max)
        let (from, correlation) = try open(path, as: variable)
        var conditions = correlation.map { [$0] } ?? []
        if let condition = filter?.condition {
            conditions.append(parenthesized(try self.condition(condition)))
        }
        if case .row(let scope)? = variables[variable] {
            conditions += try searchConditions(filter?.search, in: scope)
        }
        let test = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return "(SELECT count(*) FROM \(from)\(joinsOf(variable))\(test))"
    }

    func joinsOf(_ variable: LambdaVariable) -> String {
        guard case .row(let scope) = variables[variable] else { return "" }
        return scope.allJoins.map { " " + $0 }.joined()
    }

    /// Opens a collection: what to select from, how it belongs to the outer row; and binds the variable.
    func open(
        _ path: BoundPath,
        as variable: LambdaVariable
    ) throws -> (from: String, correlation: String?) {
        guard let navigation = path.navigation else {
            let alias = newAlias("j")
            let array = try jsonArray(.path(path))
            variables[variable] = .item(alias: alias)
            return ("json_each(\(array)) AS \(alias)", nil)
        }
        let outer = try scope(of: path, navigationExcluded: true)
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

    /// A collection as a JSON array; null where it is not known, since SQLite reads no blob as JSON.
    func jsonArray(_ expression: BoundExpression) throws -> String {
        let sql = try value(expression).sql
        if case .path = expression { return "nullif(\(sql), x'')" }
        return sql
    }
}
