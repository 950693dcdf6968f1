import ODataModel
package import ODataProtocol

extension TableQuery {
    /// A row with what says who holds it.
    package struct HeldRow: Sendable {
        package let row: RowReference
        /// A bit per defining query that brought it.
        package let queries: Int64
        package let state: RowState
    }

    /// Returns the first row that a path reaches; nil where there is none.
    package func heldRow(_ path: EntityPath) throws -> HeldRow? {
        guard let source = path.finalSource else { return nil }
        let statement: SQLiteStatement
        if let plans, let key = path.onlyKey {
            statement = try connection.statement(
                plans.rowText(path.source) { try heldRowText(path).sql }
            )
            try bind(key, to: statement)
        } else {
            let (sql, bindings) = try heldRowText(path)
            statement = try prepared(sql, bindings)
        }
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return HeldRow(
            row: RowReference(source: source, row: statement.integer(0)),
            queries: statement.integer(1),
            state: RowState(rawValue: statement.integer(2))
        )
    }

    private func heldRowText(_ path: EntityPath) throws -> (sql: String, bindings: [Scalar]) {
        let compiler = compiler()
        let found = try compiler.path(path)
        let columns = [SystemColumn.id, .queries, .state].map(found.scope.reference)
        var sql =
            "SELECT \(columns.joined(separator: ", ")) FROM "
            + (found.from + found.scope.allJoins).joined(separator: " ")
        if !found.conditions.isEmpty {
            sql += " WHERE " + found.conditions.joined(separator: " AND ")
        }
        return (sql + " LIMIT 1", compiler.bindings)
    }
}
