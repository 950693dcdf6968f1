import ODataBinding
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

    /// What follows FROM for rows that are searched for.
    ///
    /// Those that the index finds are gone to by their ids: SQLite does not know how few they are, and would rather go through an index
    /// of the filter (https://www.sqlite.org/lang_indexedby.html).
    func searched(_ source: PathSource, for search: SearchExpression?) -> String {
        let from = source.from.joined(separator: " ")
        guard let search, source.from.count == 1, source.scope.isOfWholeSet,
            hasSearchIndex(source.scope.table),
            let indexed = IndexedSearch(search), !indexed.isNegated
        else { return from }
        return from + " NOT INDEXED"
    }

    /// The search condition on an item of a collection: a string, or a value with strings at any depth.
    func searchCondition(_ search: SearchExpression, inTextsOf item: String) -> String {
        // Of a simple value SQLite would read the text as JSON.
        let json =
            "CASE WHEN \(item).type IN ('object', 'array') THEN \(item).value ELSE json_array(\(item).value) END"
        return searchCondition(search) { term in
            "EXISTS (SELECT 1 FROM json_tree(\(json)) WHERE type = 'text' AND odata_search(\(term), atom))"
        }
    }

    private func scan(_ search: SearchExpression, in scope: QueryScope) -> String {
        let columns = scope.table.searchedPlaces.map(scope.reference)
        return searchCondition(search, in: columns.joined(separator: ", "))
    }

    func searchCondition(_ search: SearchExpression, in columns: String) -> String {
        searchCondition(search) { columns.isEmpty ? "0" : "odata_search(\($0), \(columns))" }
    }

    /// The condition of a search, with that of each term made by the function from the term's parameter.
    private func searchCondition(
        _ search: SearchExpression,
        ofTerm: (String) -> String
    ) -> String {
        switch search {
        case .term(let text, _): ofTerm(parameter(.text(text)))
        case .and(let left, let right):
            "(\(searchCondition(left, ofTerm: ofTerm)) AND \(searchCondition(right, ofTerm: ofTerm)))"
        case .or(let left, let right):
            "(\(searchCondition(left, ofTerm: ofTerm)) OR \(searchCondition(right, ofTerm: ofTerm)))"
        case .not(let operand):
            "NOT \(parenthesized(searchCondition(operand, ofTerm: ofTerm)))"
        }
    }

    /// The condition that a row is among those that the index finds; nil where there is none, or the search is beyond it.
    private func indexedSearch(_ search: SearchExpression, in scope: QueryScope) -> String? {
        guard let rows = indexedRows(search, of: scope.table) else { return nil }
        return "\(scope.reference(.id)) \(rows.isNegated ? "NOT " : "")IN (\(rows.select))"
    }

    /// The statement that counts what a search finds in a whole set; nil where the set's rows have to be asked as well.
    func searchCount(_ options: BoundOptions, of source: PathSource) -> String? {
        guard let search = options.search, options.filter == nil, source.scope.isOfWholeSet,
            source.conditions.isEmpty, let rows = indexedRows(search, of: source.scope.table)
        else { return nil }
        // FTS5 alone counts in half the time where no row has changed since.
        let count = """
            CASE WHEN EXISTS (SELECT 1 FROM \(rows.changes)) \
            THEN (SELECT count(*) FROM (\(rows.select))) ELSE (SELECT count(*) FROM \(rows.found)) END
            """
        guard rows.isNegated else { return "SELECT \(count)" }
        return "SELECT (SELECT count(*) FROM \(source.scope.table.sql)) - \(count)"
    }

    /// What an index finds of a table.
    private struct IndexedRows {
        /// The statement for the ids of the rows, or, negated, of those that a search does not want.
        var select: String
        /// Whether the rows are wanted that the statement does not find.
        var isNegated: Bool
        /// What follows FROM for the rows of the index alone.
        var found: String
        /// The rows that changed since the index was brought up to date.
        var changes: String
    }

    /// The ids of the rows that the index finds, or, negated, of those that a search does not want.
    ///
    /// Rows that changed since the index was brought up to date are looked at themselves. `CROSS JOIN` has SQLite begin with them, not
    /// with the whole table (https://www.sqlite.org/lang_select.html#crossjoin).
    private func indexedRows(_ search: SearchExpression, of table: TableLayout) -> IndexedRows? {
        guard hasSearchIndex(table), let indexed = IndexedSearch(search) else { return nil }
        let name = SearchIndex.name(of: table.name).sqlQuoted
        let changes = SearchIndex.changesName(of: table.name).sqlQuoted
        let row = QueryScope(alias: newAlias("s"), table: table)
        let found = "\(name) WHERE \(name) MATCH \(parameter(.text(indexed.text)))"
        let select = """
            SELECT rowid FROM \(found) \
            AND rowid NOT IN (SELECT "row" FROM \(changes)) \
            UNION ALL SELECT \(row.reference(.id)) FROM \(changes) AS c \
            CROSS JOIN \(table.sql) AS \(row.alias) ON \(row.reference(.id)) = c."row" \
            WHERE \(indexed.isNegated ? "NOT " : "")\(parenthesized(scan(search, in: row)))
            """
        return IndexedRows(
            select: select,
            isNegated: indexed.isNegated,
            found: found,
            changes: changes
        )
    }
}
