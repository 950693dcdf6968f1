package import ODataBinding
package import ODataModel
package import ODataValues

/// Query options on the items of a collection of primitive or complex values (OData 4.01 Part 1 § 11.2.6).
extension QueryCompiler {
    /// A property of one row whose value is a collection.
    package struct ItemSource {
        let row: RowReference
        let type: StructuredTypeID?
        let property: [String]

        package init(row: RowReference, type: StructuredTypeID?, property: [String]) {
            self.row = row
            self.type = type
            self.property = property
        }
    }

    /// The statement that gives the places of the chosen items in their order.
    package func items(of source: ItemSource, _ options: BoundOptions) throws
        -> (sql: String, bindings: [Scalar])
    {
        let (alias, clauses) = try openItems(of: source, filter: options.filter)
        let order = try orderTerms(options.orderBy).map(\.clause) + ["\(alias).key"]
        let sql =
            "SELECT \(alias).key\(clauses) ORDER BY \(order.joined(separator: ", "))"
            + limits(options.top, skip: options.skip)
        try checkSize()
        return (sql, bindings)
    }

    /// The statement that counts the items that meet the condition.
    package func itemCount(of source: ItemSource, filter: BoundExpression?) throws
        -> (sql: String, bindings: [Scalar])
    {
        let sql = "SELECT count(*)" + (try openItems(of: source, filter: filter).clauses)
        try checkSize()
        return (sql, bindings)
    }

    private func openItems(of source: ItemSource, filter: BoundExpression?) throws
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
        var conditions = ["\(scope.reference(.id)) = \(parameter(.integer(source.row.row)))"]
        if let filter { conditions.append(parenthesized(try condition(filter))) }
        let clauses =
            " FROM \(rows(of: table)) AS \(scope.alias) JOIN \(from)"
            + " WHERE " + conditions.joined(separator: " AND ")
        return (alias, clauses)
    }
}
