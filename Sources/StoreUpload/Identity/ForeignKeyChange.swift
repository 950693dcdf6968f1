import ODataSQLite
import ODataSQL
import StoreRecords
import ODataValues
import ODataTables

/// Puts the new key of a row into the foreign keys that name it.
///
/// The placeholder of an unknown key identifies exactly one row. A key that the client has sent may also be in rows that came from
/// the service, where it is another entity's: only what requests from here have set is changed.
struct ForeignKeyChange {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private let principal: TableLayout
    private let row: Int64
    private let requests: [Int64]
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }
    private var journal: EffectJournal { EffectJournal(connection) }

    init(
        _ connection: SQLiteConnection,
        schema: TableSchema,
        principal: TableLayout,
        row: Int64,
        requests: [Int64]
    ) {
        (self.connection, self.schema) = (connection, schema)
        (self.principal, self.row, self.requests) = (principal, row, requests)
    }

    func replace(_ old: [Scalar], by new: [Scalar]) throws {
        for table in try rows.catalog.tables() {
            for relation in schema.layout.principals(of: table.source)
            where relation.target == principal.source {
                try replace(old, by: new, in: table, relation: relation)
            }
        }
    }

    private func replace(
        _ old: [Scalar],
        by new: [Scalar],
        in table: TableLayout,
        relation: PrincipalRelation
    ) throws {
        try replaceKeys(old, by: new, in: table, relation: relation)
        for pair in relation.pairs {
            guard let place = principal.keyColumns.firstIndex(of: pair.there),
                old[place] != new[place]
            else { continue }
            let column = table.columns[pair.here]
            if UnknownValue.isUnknown(old[place], in: column) {
                try replaceAwaited(column, of: table, old: old[place], new: new[place])
            } else {
                try replaceSent(column, of: table, old: old[place], new: new[place])
            }
        }
    }

    // MARK: Foreign keys that are keys

    /// Where the foreign key is a part of their own key, entities are given another key too, and whatever names them follows.
    private func replaceKeys(
        _ old: [Scalar],
        by new: [Scalar],
        in table: TableLayout,
        relation: PrincipalRelation
    ) throws {
        var parts: [Int: Scalar] = [:]
        for pair in relation.pairs where table.keyColumns.contains(pair.here) {
            guard let place = principal.keyColumns.firstIndex(of: pair.there) else { continue }
            parts[pair.here] = new[place]
        }
        guard !parts.isEmpty else { return }
        for dependent in try named(old, in: table, relation: relation) where dependent != row {
            guard let values = try rows.heldValues(of: dependent, in: table) else { continue }
            let key = table.keyColumns.map { parts[$0] ?? values[$0] }
            try KeyChange(connection, schema: schema).set(key, of: dependent, in: table)
        }
    }

    /// The rows that name the row by its key, those left out that came from the service and mean another entity by it.
    private func named(
        _ key: [Scalar],
        in table: TableLayout,
        relation: PrincipalRelation
    ) throws -> [Int64] {
        var values: [(column: Column, value: Scalar)] = []
        var isAwaited = false
        for pair in relation.pairs {
            guard let place = principal.keyColumns.firstIndex(of: pair.there) else { return [] }
            let column = table.columns[pair.here]
            isAwaited = isAwaited || UnknownValue.isUnknown(key[place], in: column)
            values.append((column, key[place]))
        }
        let found = try rows.heldRows(in: table, having: values)
        guard !isAwaited else { return found }
        let made = try relation.pairs.reduce(into: Set<Int64>()) {
            $0.formUnion(try dependents(table.columns[$1.here], of: table))
        }
        return found.filter(made.contains)
    }

    // MARK: Keys that were awaited

    private func replaceAwaited(
        _ column: Column,
        of table: TableLayout,
        old: Scalar,
        new: Scalar
    )
        throws
    {
        try connection.run(UploadRecorder.replacement(of: column, in: table.name), [old, new])
        for name in [table.baseName, table.serverName] where try rows.catalog.exists(name) {
            try connection.run(UploadRecorder.replacement(of: column, inCopies: name), [old, new])
        }
        try journal.replace(old, by: new, in: table.name, column: column.name)
    }

    // MARK: Keys that were sent

    private func replaceSent(_ column: Column, of table: TableLayout, old: Scalar, new: Scalar)
        throws
    {
        for dependent in try dependents(column, of: table) {
            for name in try rows.catalog.versions(of: table) {
                try connection.run(
                    UploadRecorder.replacement(of: column, in: name) + " AND \"$id\" = ?3",
                    [old, new, .integer(dependent)]
                )
            }
        }
        for request in requests {
            try connection.run(
                """
                UPDATE "$effect" SET "value" = ?2
                WHERE "request" = ?5 AND "kind" = \(EffectJournal.Kind.set.rawValue)
                    AND "value" = ?1 AND "table" = ?3 AND "column" = ?4
                """,
                [old, new, .text(table.name), .text(column.name), .integer(request)]
            )
        }
    }

    /// Rows that the requests have inserted, or whose foreign key they have set.
    private func dependents(_ column: Column, of table: TableLayout) throws -> Set<Int64> {
        var found: Set<Int64> = []
        for request in requests {
            for effect in try journal.effects(of: request) {
                switch effect {
                case .inserted(table.name, let inserted): found.insert(inserted)
                case .set(table.name, let changed, column.name, _): found.insert(changed)
                default: break
                }
            }
        }
        return found
    }
}
