package import ODataBinding
package import ODataValues
import ODataSQLite

extension QueryCompiler {
    /// Translates a list of rows as the options show entities: selected and computed, but neither filtered nor ordered again.
    ///
    /// The list comes first in the join: its index gives the order, and each entity is found by its row id. Rows that were
    /// deleted since are left out.
    package func select(
        _ list: RowList,
        of request: EntityPath,
        options: BoundOptions,
        limit: Int?,
        skipping offset: Int
    ) throws -> SelectStatement {
        let source = try path(request)
        let scope = source.scope
        variables[.it] = .row(scope)
        let listed = listed(list, from: source)
        try define(options.compute)
        let properties = try selectedProperties(options, in: scope)
        let added = computedColumns(options)
        let columns =
            systemColumns(scope) + ["NULL", "NULL"] + properties.sql + added.map(\.sql)
            + properties.counts
        var sql = "SELECT \(columns.joined(separator: ", ")) FROM \(listed.from)"
        sql += scope.allJoins.map { " " + $0 }.joined()
        sql += " WHERE \(listed.condition) ORDER BY \(listed.order)"
        sql += limits(limit, skip: offset > 0 ? offset : nil)
        try checkSize()
        return SelectStatement(
            sql: sql,
            bindings: bindings,
            table: scope.table,
            places: properties.places,
            computed: added,
            counted: properties.counted,
            listIndex: listed.index,
            isMomentary: isMomentary
        )
    }

    /// Translates how many rows of a list are there.
    package func count(_ list: RowList, of request: EntityPath) throws -> (
        sql: String, bindings: [Scalar]
    ) {
        let listed = listed(list, from: try path(request))
        return ("SELECT count(*) FROM \(listed.from) WHERE \(listed.condition)", bindings)
    }

    private func listed(_ list: RowList, from source: PathSource) -> (
        from: String, condition: String, order: String, index: Int
    ) {
        let alias = newAlias("m")
        let index = bindings.count
        let conditions =
            [
                "\(alias).\"query\" = \(parameter(.integer(list.number)))",
                "\(alias).\"position\" IS NOT NULL",
                "\(source.scope.reference(.id)) = \(alias).\"row\"",
            ] + source.conditions
        return (
            "\(list.table.sqlQuoted) AS \(alias) CROSS JOIN "
                + source.from.joined(separator: " "),
            conditions.joined(separator: " AND "),
            "\(alias).\"position\"",
            index
        )
    }
}
