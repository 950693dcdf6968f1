package import ODataModel
import ODataProtocol

extension TableQuery {
    /// Returns the rows of a source whose navigation property leads to one of the given rows.
    package func owners(
        of targets: [Int64],
        by navigation: NavigationPropertyID,
        from source: NavigationSource
    ) throws -> [Int64] {
        guard let target = layout.model.target(of: navigation, from: source) else { return [] }
        let compiler = compiler()
        let here = QueryScope(alias: "h", table: try compiler.table(source))
        let joined = try compiler.innerJoin(navigation, to: target, from: here)
        let ids = "[" + targets.map(String.init).joined(separator: ",") + "]"
        let sql =
            "SELECT DISTINCT \(here.reference(.id)) FROM \(compiler.rows(of: here.table)) AS h "
            + joined.clauses.joined(separator: " ")
            + " WHERE \(joined.scope.reference(.id)) IN (SELECT value FROM json_each(?1))"
        var found: [Int64] = []
        try connection.forEachRow(sql, [.text(ids)]) { found.append($0.integer(0)) }
        return found
    }

    /// Returns which rows a navigation property leads to from the given rows, as pairs of both.
    package func targets(
        of sources: [Int64],
        by navigation: NavigationPropertyID,
        from source: NavigationSource
    ) throws -> [(source: Int64, target: Int64)] {
        guard let target = layout.model.target(of: navigation, from: source) else { return [] }
        let compiler = compiler()
        let here = QueryScope(alias: "h", table: try compiler.table(source))
        let joined = try compiler.innerJoin(navigation, to: target, from: here)
        let ids = "[" + sources.map(String.init).joined(separator: ",") + "]"
        let sql =
            "SELECT DISTINCT \(here.reference(.id)), \(joined.scope.reference(.id)) "
            + "FROM \(compiler.rows(of: here.table)) AS h "
            + joined.clauses.joined(separator: " ")
            + " WHERE \(here.reference(.id)) IN (SELECT value FROM json_each(?1))"
        var found: [(Int64, Int64)] = []
        try connection.forEachRow(sql, [.text(ids)]) {
            found.append(($0.integer(0), $0.integer(1)))
        }
        return found
    }

    /// Whether a row of a source that queries hold leads to a row, besides some that do not count.
    package func hasOwner(
        _ target: Int64,
        by navigation: NavigationPropertyID,
        from source: NavigationSource,
        queries: Int64,
        besides excluded: [Int64]
    ) throws -> Bool {
        guard let reached = layout.model.target(of: navigation, from: source) else { return false }
        let compiler = compiler()
        let here = QueryScope(alias: "h", table: try compiler.table(source))
        let joined = try compiler.innerJoin(navigation, to: reached, from: here)
        let ids = "[" + excluded.map(String.init).joined(separator: ",") + "]"
        let sql =
            "SELECT 1 FROM \(compiler.rows(of: here.table)) AS h "
            + joined.clauses.joined(separator: " ")
            + " WHERE \(joined.scope.reference(.id)) = ?1 AND \(here.reference(.queries)) & ?2 <> 0"
            + " AND \(here.reference(.id)) NOT IN (SELECT value FROM json_each(?3)) LIMIT 1"
        return try connection.integer(sql, [.integer(target), .integer(queries), .text(ids)]) != nil
    }
}
