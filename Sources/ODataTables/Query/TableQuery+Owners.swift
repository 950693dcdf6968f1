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
}
