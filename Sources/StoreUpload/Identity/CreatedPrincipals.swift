package import StoreRecords
import ODataValues
import ODataSQL
import ODataSQLite
package import ODataTables

/// Rows created here of which changed rows hold the key: the service can take the change only after the creation.
package struct CreatedPrincipals {
    private let rows: RowEditor
    private let journal: EffectJournal

    package init(_ rows: RowEditor) {
        self.rows = rows
        journal = EffectJournal(rows.connection)
    }

    /// Returns the rows that foreign keys name which a change has set, by value or by navigation.
    package func rows(named effects: [ChangeEffect]) throws -> [Int64] {
        var found: Set<Int64> = []
        for effect in effects {
            switch effect {
            case .inserted(let table, let row):
                found.formUnion(try principals(of: row, named: table, column: nil))
            case .set(let table, let row, let column, let value) where value != .null:
                found.formUnion(try principals(of: row, named: table, column: column))
            default: break
            }
        }
        return found.sorted()
    }

    private func principals(of row: Int64, named name: String, column: String?) throws -> [Int64] {
        guard let table = rows.layout.table(named: name) else { return [] }
        let relations = rows.layout.principals(of: table.source).filter { relation in
            column == nil || relation.pairs.contains { table.columns[$0.here].name == column }
        }
        guard !relations.isEmpty, let values = try rows.values(of: row, in: table) else {
            return []
        }
        return try relations.compactMap { try created($0, values: values, of: row) }
    }

    private func created(_ relation: PrincipalRelation, values: [Scalar], of row: Int64) throws
        -> Int64?
    {
        let key = relation.pairs.map { values[$0.here] }
        guard !key.contains(.null), let target = rows.layout[relation.target],
            try rows.catalog.exists(target.name)
        else { return nil }
        let conditions = relation.pairs.enumerated().map {
            "\(target.columns[$1.there].sql) = ?\($0 + 1)"
        }
        let found = try rows.connection.integer(
            "SELECT \"$id\" FROM \(target.sql) WHERE \(conditions.joined(separator: " AND ")) LIMIT 1",
            key
        )
        guard let found, found != row else { return nil }
        return try isCreated(found) ? found : nil
    }

    /// Whether the service does not have a row yet, or has not returned its key.
    func isCreated(_ row: Int64) throws -> Bool {
        let lacksKey = try UnreturnedKeys(rows.connection).all().contains { $0.row == row }
        return try lacksKey || journal.creator(of: row) != nil
    }
}
