package import ODataBinding
import ODataSQL
import ODataValues
import ODataSQLite

/// How a request is answered, for those who want to know whether an index serves it.
extension TableQuery {
    /// A statement that answers a level of a request.
    package struct Explanation: Sendable {
        package var sql: String
        /// The values of its parameters as SQL literals.
        package var values: [String]
        /// What SQLite says of its way to the rows, a line for each step.
        package var plan: [String]
    }

    /// Returns the statements that answer a request, the first level first, those below in the order of `$expand`.
    package func explanation(_ path: EntityPath, options: BoundOptions) throws -> [Explanation] {
        guard case .count = path.target else {
            let (plan, bindings) = try levels(path, options: options)
            return try explanations(plan, bindings: bindings, depth: 0)
        }
        let count = try compiler().count(path, options: options)
        return [try explanation(count.sql, bindings: count.bindings)]
    }

    private func explanations(_ plan: LevelPlan, bindings: [Scalar], depth: Int) throws
        -> [Explanation]
    {
        var result = [try explanation(plan.statement.sql, bindings: bindings)]
        guard depth < Self.explainedDepth else { return result }
        for index in plan.options.expand.indices {
            guard let below = try plan.below(index, query: self) else { continue }
            result += try explanations(below, bindings: below.statement.bindings, depth: depth + 1)
        }
        return result
    }

    /// Levels that are explained: those of `$levels` are alike.
    private static let explainedDepth = 4

    private func explanation(_ sql: String, bindings: [Scalar]) throws -> Explanation {
        var lines: [String] = []
        try connection.forEachRow("EXPLAIN QUERY PLAN " + sql, []) { lines.append($0.string(3)) }
        return Explanation(sql: sql, values: bindings.map(\.sqlLiteral), plan: lines)
    }
}

extension Scalar {
    /// The value as it is written in SQL.
    fileprivate var sqlLiteral: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): value.description
        case .text(let text):
            "'"
                + text.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "''") + "'"
        case .blob(let bytes):
            "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
    }
}
