import ODataSQL
import ODataSQLite
package import ODataValues
package import ODataModel

extension TableQuery {
    /// Returns the rows of a source whose navigation property leads to one of the given rows.
    package func owners(
        of targets: [Int64],
        by navigation: NavigationPropertyID,
        from source: NavigationSource
    ) throws -> [Int64] {
        guard let lead = try lead(navigation, from: source) else { return [] }
        let sql =
            "SELECT DISTINCT \(lead.here.reference(.id)) \(lead.clauses)"
            + " WHERE \(lead.there.reference(.id)) IN (SELECT value FROM json_each(?1))"
        var found: [Int64] = []
        try connection.forEachRow(sql, [Self.list(targets)]) { found.append($0.integer(0)) }
        return found
    }

    /// Returns which rows a navigation property leads to from the given rows, as pairs of both.
    package func targets(
        of sources: [Int64],
        by navigation: NavigationPropertyID,
        from source: NavigationSource
    ) throws -> [(source: Int64, target: Int64)] {
        guard let lead = try lead(navigation, from: source) else { return [] }
        let sql =
            "SELECT DISTINCT \(lead.here.reference(.id)), \(lead.there.reference(.id)) \(lead.clauses)"
            + " WHERE \(lead.here.reference(.id)) IN (SELECT value FROM json_each(?1))"
        var found: [(Int64, Int64)] = []
        try connection.forEachRow(sql, [Self.list(sources)]) {
            found.append(($0.integer(0), $0.integer(1)))
        }
        return found
    }

    /// Whether a row of a source that a query holds leads to a row, besides some that do not count.
    ///
    /// - Parameter holding: The condition that the query holds the row of an alias, which is given with a point at its end.
    package func hasOwner(
        _ target: Int64,
        by navigation: NavigationPropertyID,
        from source: NavigationSource,
        holding: (_ alias: String) -> String,
        besides excluded: [Int64]
    ) throws -> Bool {
        guard let lead = try lead(navigation, from: source) else { return false }
        let sql =
            "SELECT 1 \(lead.clauses)"
            + " WHERE \(lead.there.reference(.id)) = ?1 AND \(holding("h."))"
            + " AND \(lead.here.reference(.id)) NOT IN (SELECT value FROM json_each(?2)) LIMIT 1"
        return try connection.integer(
            sql,
            [.integer(target), Self.list(excluded)]
        ) != nil
    }

    /// The rows of a source, joined to those that a navigation property leads to.
    private struct Lead {
        let here: QueryScope
        let there: QueryScope
        /// `FROM` and the joins.
        let clauses: String
    }

    private func lead(
        _ navigation: NavigationPropertyID,
        from source: NavigationSource
    ) throws -> Lead? {
        guard let target = layout.model.target(of: navigation, from: source) else { return nil }
        let compiler = compiler()
        let here = QueryScope(alias: "h", table: try compiler.table(source))
        let joined = try compiler.innerJoin(navigation, to: target, from: here)
        let rows = "FROM \(compiler.rows(of: here.table)) AS h"
        return Lead(
            here: here,
            there: joined.scope,
            clauses: ([rows] + joined.clauses).joined(separator: " ")
        )
    }

    /// Row ids as one bound value, for `IN (SELECT value FROM json_each(?1))`.
    package static func list(_ ids: [Int64]) -> Scalar {
        .text("[" + ids.map(String.init).joined(separator: ",") + "]")
    }
}
