package import ODataSQL
package import ODataBinding
import ODataSQLite
import ODataValues

extension TableQuery {
    /// A row with what says who holds it.
    package struct HeldRow: Sendable {
        package let row: RowReference
        /// A bit per defining query that brought it.
        package let queries: Int64
        package let state: RowState
        /// What the expression of the caller answers; nil where that is null.
        package let holder: Int64?
    }

    /// Returns the first row that a path reaches; nil where there is none.
    ///
    /// - Parameter holder: Makes an SQL expression of the row's id and of its bits; always the same one, since its text is kept.
    package func heldRow(
        _ path: EntityPath,
        holder: (_ id: String, _ queries: String) -> String
    ) throws -> HeldRow? {
        guard let source = path.finalSource else { return nil }
        let statement: SQLiteStatement
        if let plans, let key = path.onlyKey {
            statement = try connection.statement(
                plans.rowText(path.source) { try heldRowText(path, holder: holder).sql }
            )
            try bind(key, to: statement)
        } else {
            let (sql, bindings) = try heldRowText(path, holder: holder)
            statement = try prepared(sql, bindings: bindings)
        }
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return HeldRow(
            row: RowReference(source: source, row: statement.integer(0)),
            queries: statement.integer(1),
            state: RowState(rawValue: statement.integer(2)),
            holder: statement.isNull(3) ? nil : statement.integer(3)
        )
    }

    /// Returns the row of a key as the other function does, and keeps its values: a read of all of its properties that follows in
    /// this transaction costs no statement.
    ///
    /// - Parameters:
    ///   - request: The request that the path is that of, where it is known.
    ///   - holder: As for ``heldRow(_:holder:)``.
    package func heldEntity(
        _ path: EntityPath,
        of request: KnownRequest? = nil,
        holder: (_ id: String, _ queries: String) -> String
    ) throws -> HeldRow? {
        guard let plans, !showsRelatives, let key = path.onlyKey,
            let read = try plans.heldRead(path.source, make: { try heldRead(path, holder: holder) })
        else { return try heldRow(path, holder: holder) }
        return try read.row(key, query: self, plans: plans, request: request)
    }

    /// The same for an entity that is named by its key alone.
    package func heldEntity(
        _ entity: KeyedEntity,
        holder: (_ id: String, _ queries: String) -> String
    ) throws -> HeldRow? {
        guard let plans, !showsRelatives,
            let read = try plans.heldRead(
                entity.source,
                make: { try heldRead(entity.path, holder: holder) }
            )
        else { return try heldRow(entity.path, holder: holder) }
        return try read.row([entity.key], query: self, plans: plans, request: nil)
    }

    private func heldRead(
        _ path: EntityPath,
        holder: (_ id: String, _ queries: String) -> String
    ) throws -> HeldRead? {
        // The key says which entity it is, whatever rows answer other requests.
        guard let (plan, _) = try ofAllRows.valuePlan(path, options: BoundOptions(), knowing: nil)
        else { return nil }
        let statement = try compiler().select(path, options: BoundOptions(), limit: nil, after: nil)
        {
            (
                $0.reference(SystemColumn.queries),
                holder($0.reference(SystemColumn.id), $0.reference(SystemColumn.queries))
            )
        }
        return statement.isMomentary ? nil : HeldRead(plan, statement: statement)
    }

    private func heldRowText(
        _ path: EntityPath,
        holder: (_ id: String, _ queries: String) -> String
    ) throws -> (sql: String, bindings: [Scalar]) {
        let compiler = compiler()
        let found = try compiler.path(path)
        let columns = [SystemColumn.id, .queries, .state].map(found.scope.reference)
        let expression = holder(columns[0], columns[1])
        var sql =
            "SELECT \(columns.joined(separator: ", ")), \(expression) FROM "
            + (found.from + found.scope.allJoins).joined(separator: " ")
        if !found.conditions.isEmpty {
            sql += " WHERE " + found.conditions.joined(separator: " AND ")
        }
        return (sql + " LIMIT 1", compiler.bindings)
    }
}
