package import ODataModel

/// A row that expressions can refer to: its alias, its table, and the to-one joins made from it.
package final class QueryScope {
    package let alias: String
    package let table: TableLayout
    /// The type that the row has at least (after casts).
    let type: StructuredTypeID
    /// Whether the row is any of its set, not only of those that another row leads to: then a search may ask the set's index.
    let isOfWholeSet: Bool
    /// `LEFT JOIN` clauses in order, each once per navigation path.
    private(set) var joins: [String] = []
    private var joined: [(key: String, scope: QueryScope)] = []

    package init(
        alias: String,
        table: TableLayout,
        type: StructuredTypeID? = nil,
        isOfWholeSet: Bool = false
    ) {
        self.alias = alias
        self.table = table
        self.isOfWholeSet = isOfWholeSet
        self.type = type ?? table.entityType
    }

    /// The same row under another alias, with nothing joined.
    func renamed(_ alias: String, type: StructuredTypeID? = nil) -> QueryScope {
        QueryScope(
            alias: alias,
            table: table,
            type: type ?? self.type,
            isOfWholeSet: isOfWholeSet
        )
    }

    /// The quoted reference to a property's column.
    package func reference(_ place: Int) -> String {
        alias + "." + table.columns[place].sql
    }

    /// The quoted reference to a system column.
    package func reference(_ column: SystemColumn) -> String {
        alias + "." + column.sql
    }

    /// Returns the scope joined for a navigation property, made by the closure the first time.
    func join(_ key: String, make: () throws -> (clauses: [String], scope: QueryScope)) rethrows
        -> QueryScope
    {
        if let known = joined.first(where: { $0.key == key }) { return known.scope }
        let made = try make()
        joins += made.clauses
        joined.append((key, made.scope))
        return made.scope
    }

    /// The clauses of this scope and of all scopes joined from it, parents first.
    package var allJoins: [String] {
        joins + joined.flatMap(\.scope.allJoins)
    }
}
