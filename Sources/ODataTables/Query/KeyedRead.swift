import ODataModel
package import ODataProtocol

/// The read of one entity of a set by the one value of its key, translated once.
package final class KeyedRead {
    /// The entity set.
    package let name: String
    /// The form of the key.
    package let form: ScalarForm
    private let plan: LevelPlan

    init(_ name: String, _ form: ScalarForm, _ plan: LevelPlan) {
        self.name = name
        self.form = form
        self.plan = plan
    }

    /// Reads the entity, if there is one; in a transaction.
    package func read(_ query: TableQuery, _ key: Scalar) throws -> RowBatch {
        try batch(query, key) { _ in true }
            ?? RowBatch(RowBatchReader(plan), nested: [], in: query.layout)
    }

    /// Reads the entity, if there is one, in the transaction that the statement itself is.
    ///
    /// - Returns: nil where the file has been changed since the connection's plans were compared with it.
    package func step(_ query: TableQuery, _ key: Scalar) throws -> RowBatch? {
        try batch(query, key) { query.plans?.isUnchanged($0) ?? false }
    }

    private func batch(
        _ query: TableQuery,
        _ key: Scalar,
        unless isCurrent: (SQLiteConnection) -> Bool
    ) throws -> RowBatch? {
        var reader = RowBatchReader(plan)
        let statement = try plan.prepared(query)
        try statement.bind(key, at: 1)
        defer { statement.reset() }
        let isFound = try statement.step()
        guard isCurrent(query.connection) else { return nil }
        if isFound { try reader.append(statement, query) }
        return RowBatch(reader, nested: [], in: query.layout)
    }
}

extension TableQuery {
    /// Returns the read by key of a set; nil where there is no such set, or its key is not one property with a column.
    package func keyedRead(_ name: String) throws -> KeyedRead? {
        if let known = plans?.keyedRead(name) { return known }
        guard let source = layout.model.navigationSource(named: name), let table = layout[source],
            table.keyColumns.count == 1, let form = table.columns[table.keyColumns[0]].form
        else { return nil }
        let path = EntityPath(source: source, steps: [.key([.null])])
        guard let (plan, _) = try valuePlan(path, BoundOptions(), nil) else { return nil }
        let made = KeyedRead(name, form, plan)
        plans?.keep(made)
        return made
    }
}
