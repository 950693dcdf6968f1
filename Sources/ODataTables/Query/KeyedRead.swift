package import ODataValues
import ODataSQL
package import ODataSQLite
import ODataBinding
package import ODataModel
package import ODataURL

/// The read of one entity of a set by the one value of its key, translated once.
package final class KeyedRead {
    /// The entity set.
    package let name: String
    /// The form of the key.
    package let form: ScalarForm
    private let plan: LevelPlan
    private let nameBytes: [UInt8]
    /// Where the set is found.
    package let source: NavigationSource
    /// Writes the URLs of the set's entities; nil where they have none that a key alone makes.
    package let urls: KeyedURL?

    init(_ name: String, from source: NavigationSource, as form: ScalarForm, plan: LevelPlan) {
        (self.name, self.source) = (name, source)
        let model = plan.layout.model
        urls = KeyedURL(source, in: model, version: model.version)
        nameBytes = Array(name.utf8)
        self.form = form
        self.plan = plan
    }

    /// Whether it reads of the set of this name, byte for byte.
    func isOf(_ name: String) -> Bool {
        var index = 0
        for byte in name.utf8 {
            guard index < nameBytes.count, nameBytes[index] == byte else { return false }
            index += 1
        }
        return index == nameBytes.count
    }

    /// Reads the entity, if there is one; in a transaction.
    package func read(_ query: TableQuery, key: Scalar) throws -> RowBatch {
        if let ahead = query.plans?.takeReadAhead(plan, key: CollectionOfOne(key)) { return ahead }
        let statement = try plan.prepared(query)
        return try batch(statement, key: key, query: query) { true }
            ?? RowBatch(
                RowBatchReader(plan),
                nested: [],
                in: plan.layout
            )
    }

    /// Reads the entity, if there is one, in the transaction that the statement itself is.
    ///
    /// - Returns: nil where the file has been changed since the connection's plans were compared with it.
    package func step(_ connection: SQLiteConnection, plans: PlanCache, key: Scalar) throws
        -> RowBatch?
    {
        let statement =
            try plan.ready(connection) ?? plan.prepared(TableQuery(connection, plans: plans))
        return try batch(statement, key: key, query: TableQuery(connection, plans: plans)) {
            plans.isUnchanged(connection)
        }
    }

    /// Steps the statement; nil where what it sees is not current.
    ///
    /// - Parameter query: Made for a row only that holds more than values.
    private func batch(
        _ statement: SQLiteStatement,
        key: Scalar,
        query: @autoclosure () -> TableQuery,
        unless isCurrent: () -> Bool
    ) throws -> RowBatch? {
        var reader = RowBatchReader(plan)
        try statement.bind(key, at: 1)
        defer { statement.reset() }
        let isFound = try statement.step()
        guard isCurrent() else { return nil }
        if isFound { try reader.append(statement, query: query()) }
        return RowBatch(reader, nested: [], in: plan.layout)
    }
}

/// An entity of a set, named by the one value of its key.
package struct KeyedEntity: Sendable {
    package let source: NavigationSource
    package let key: Scalar

    package init(source: NavigationSource, key: Scalar) { (self.source, self.key) = (source, key) }

    var path: EntityPath { EntityPath(source: source, steps: [.key([key])]) }
}

extension TableQuery {
    /// Returns the form of a set's key; nil where there is no such set, or its key is not one property with a column.
    package func keyForm(of name: String) -> ScalarForm? {
        guard let source = layout.model.navigationSource(named: name), let table = layout[source],
            table.keyColumns.count == 1
        else { return nil }
        return table.columns[table.keyColumns[0]].form
    }

    /// Returns the read by key of a set; nil where there is no such set, or its key is not one property with a column.
    package func keyedRead(_ name: String) throws -> KeyedRead? {
        // Its plan knows nothing of relatives.
        if showsRelatives { return nil }
        if let known = plans?.keyedRead(name) { return known }
        guard let source = layout.model.navigationSource(named: name), let form = keyForm(of: name)
        else { return nil }
        let path = EntityPath(source: source, steps: [.key([.null])])
        // The key says which entity it is, whatever rows answer other requests.
        guard let (plan, _) = try ofAllRows.valuePlan(path, options: BoundOptions(), knowing: nil)
        else { return nil }
        let made = KeyedRead(name, from: source, as: form, plan: plan)
        plans?.keep(made)
        return made
    }
}
