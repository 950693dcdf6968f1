package import ODataBinding
package import ODataModel
package import ODataValues

/// Query options on the items of a collection of primitive or complex values (OData 4.01 Part 1 § 11.2.6).
extension QueryCompiler {
    /// A property of one row whose value is a collection.
    package struct ItemSource {
        let row: RowReference
        let type: StructuredTypeID?
        package var property: [String]

        package init(row: RowReference, type: StructuredTypeID?, property: [String]) {
            self.row = row
            self.type = type
            self.property = property
        }
    }

    // MARK: Properties of one row

    /// The statement that gives the places of the chosen items in their order.
    package func items(of source: ItemSource, _ options: BoundOptions) throws
        -> (sql: String, bindings: [Scalar])
    {
        let (alias, clauses) = try openItems(of: source, options)
        let order = try orderTerms(options.orderBy).map(\.clause) + ["\(alias).key"]
        let sql =
            "SELECT \(alias).key\(clauses) ORDER BY \(order.joined(separator: ", "))"
            + limits(options.top, skip: options.skip)
        try checkSize()
        return (sql, bindings)
    }

    /// The statement that counts the items that meet the condition.
    package func itemCount(of source: ItemSource, _ options: BoundOptions) throws
        -> (sql: String, bindings: [Scalar])
    {
        let sql = "SELECT count(*)" + (try openItems(of: source, options).clauses)
        try checkSize()
        return (sql, bindings)
    }

    private func openItems(of source: ItemSource, _ options: BoundOptions) throws
        -> (alias: String, clauses: String)
    {
        let table = try table(source.row.source)
        let scope = QueryScope(alias: newAlias(), table: table, type: source.type)
        variables[.lambda(.max)] = .row(scope)
        let path = BoundPath(variable: .lambda(.max), property: source.property)
        let from = try open(path, as: .it).from
        guard case .item(let alias)? = variables[.it] else {
            throw QueryError(.notSupported, "the property is no collection of values")
        }
        let conditions =
            ["\(scope.reference(.id)) = \(parameter(.integer(source.row.row)))"]
            + (try itemConditions(options, alias))
        let clauses =
            " FROM \(rows(of: table)) AS \(scope.alias) JOIN \(from)"
            + " WHERE " + conditions.joined(separator: " AND ")
        return (alias, clauses)
    }

    // MARK: Columns of many rows

    /// A collection in a column of the rows of a statement.
    struct ItemColumn {
        let scope: QueryScope
        let place: Int
        /// Names of the members of the column's value that lead to the collection; empty where it is the collection.
        let way: [String]
    }

    /// A column whose collection is filtered, ordered and paged by options; the text of each item is unchanged.
    ///
    /// - Parameter value: The SQL expression of the column without these options.
    func chosenItems(of column: ItemColumn, from value: String, _ options: BoundOptions) throws
        -> String
    {
        let items = items(of: column)
        let places = try amongItems(of: column) { alias in
            let condition = try itemCondition(options, alias)
            // In ORDER BY of such a list SQLite 3.40 finds columns of the outer row under another name only.
            let terms = try orderTerms(options.orderBy).enumerated()
                .map { (name: "o\($0)", term: $1) }
            let values = terms.map { ", \($0.term.sql) AS \($0.name)" }.joined()
            let order = terms.map { $0.name + ($0.term.isDescending ? " DESC" : "") } + ["key"]
            let range = limits(options.top ?? -1, skip: options.skip)
            // An aggregate function takes a list in its order (https://www.sqlite.org/lang_select.html#orderby).
            return """
                SELECT group_concat(key) FROM (SELECT \(alias).key AS key\(values) FROM \(items) AS \(alias)\
                \(condition) ORDER BY \(order.joined(separator: ", "))\(range))
                """
        }
        let isCounted = options.count && !column.way.isEmpty
        let count = isCounted ? try itemCount(of: column, options) : "NULL"
        let path = parameter(.text(column.way.joined(separator: "/")))
        let reference = column.scope.reference(column.place)
        return ifText(
            reference,
            then: "odata_items(\(value), \(path), (\(places)), \(count))",
            else: reference
        )
    }

    /// The number of matching items of a collection; NULL where the column is NULL or unknown.
    func itemCount(of column: ItemColumn, _ options: BoundOptions) throws -> String {
        let items = items(of: column)
        let count = try amongItems(of: column) { alias in
            "SELECT count(*) FROM \(items) AS \(alias)\(try itemCondition(options, alias))"
        }
        return ifText(column.scope.reference(column.place), then: "(\(count))", else: "NULL")
    }

    private func items(of column: ItemColumn) -> String {
        let reference = column.scope.reference(column.place)
        guard !column.way.isEmpty else { return "json_each(\(reference))" }
        return "json_each(\(reference), \(parameter(.text(jsonPath(column.way)))))"
    }

    /// NULL and unknown values are not of type text.
    private func ifText(_ column: String, then chosen: String, else other: String) -> String {
        "CASE typeof(\(column)) WHEN 'text' THEN \(chosen) ELSE \(other) END"
    }

    /// Translates with the item as the implicit variable and its row as `$it`.
    private func amongItems(
        of column: ItemColumn,
        _ translate: (_ alias: String) throws -> String
    ) rethrows -> String {
        let (row, outer) = (variables[.it], variables[.outer])
        defer { (variables[.it], variables[.outer]) = (row, outer) }
        let alias = newAlias("j")
        variables[.it] = .item(alias: alias)
        variables[.outer] = .row(column.scope)
        return try translate(alias)
    }

    private func itemCondition(_ options: BoundOptions, _ alias: String) throws -> String {
        let conditions = try itemConditions(options, alias)
        return conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }

    private func itemConditions(_ options: BoundOptions, _ alias: String) throws -> [String] {
        var conditions = try options.filter.map { [parenthesized(try condition($0))] } ?? []
        if let search = options.search {
            conditions.append(parenthesized(searchCondition(search, inTextsOf: alias)))
        }
        return conditions
    }
}
