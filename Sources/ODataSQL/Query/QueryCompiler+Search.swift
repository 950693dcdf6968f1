import ODataSQLite
import ODataValues
import ODataURL

/// Conditions of `$search`.
extension QueryCompiler {
    /// The conditions of a search in the string properties of a row.
    func searchConditions(_ search: SearchExpression?, in scope: QueryScope) throws -> [String] {
        guard let search else { return [] }
        if scope.isOfWholeSet, let condition = indexedSearch(search, in: scope) {
            return [condition]
        }
        return [parenthesized(scan(search, in: scope))]
    }

    private func scan(_ search: SearchExpression, in scope: QueryScope) -> String {
        let columns = scope.table.searchedPlaces.map(scope.reference)
        return searchCondition(search, in: columns.joined(separator: ", "))
    }

    func searchCondition(_ search: SearchExpression, in columns: String) -> String {
        switch search {
        case .term(let text, _):
            columns.isEmpty ? "0" : "odata_search(\(parameter(.text(text))), \(columns))"
        case .and(let left, let right):
            "(\(searchCondition(left, in: columns)) AND \(searchCondition(right, in: columns)))"
        case .or(let left, let right):
            "(\(searchCondition(left, in: columns)) OR \(searchCondition(right, in: columns)))"
        case .not(let operand): "NOT \(parenthesized(searchCondition(operand, in: columns)))"
        }
    }

    /// The condition that a row is among those that the index finds; nil where there is none, or the search is beyond it.
    ///
    /// Rows that changed since the index was brought up to date are looked at themselves.
    private func indexedSearch(_ search: SearchExpression, in scope: QueryScope) -> String? {
        guard hasSearchIndex(scope.table), let indexed = IndexedSearch(search) else { return nil }
        let name = SearchIndex.name(of: scope.table.name).sqlQuoted
        let changes = SearchIndex.changesName(of: scope.table.name).sqlQuoted
        let row = QueryScope(alias: newAlias("s"), table: scope.table)
        let not = indexed.isNegated ? "NOT " : ""
        let found =
            "SELECT rowid FROM \(name) WHERE \(name) MATCH \(parameter(.text(indexed.text)))"
        let changed = """
            SELECT \(row.reference(.id)) FROM \(changes) AS c \
            JOIN \(scope.table.sql) AS \(row.alias) ON \(row.reference(.id)) = c."row" \
            WHERE \(not)\(parenthesized(scan(search, in: row)))
            """
        return """
            \(scope.reference(.id)) \(not)IN (\(found) AND rowid NOT IN (SELECT "row" FROM \(changes)) \
            UNION ALL \(changed))
            """
    }
}
