import ODataSQLite
import StoreRecords
import ODataSQL
import ODataTables

/// Entities that went here with a deleted parent, but have another parent at the service by now: they stay.
struct MovedChildren {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }
    private var rebuild: RowRebuild { RowRebuild(connection, layout: schema.layout) }

    init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Returns the rows of a deletion that the service has not deleted with the row it is about.
    func survivors(of effects: [ChangeEffect], deleting row: Int64) throws -> Set<ChangedRow> {
        let deleted = effects.filter(\.isDeletion).compactMap(\.row)
        guard deleted.count > 1, deleted.contains(where: { $0.row == row }),
            try deleted.contains(where: hasServerCopy)
        else { return [] }
        var gone = Set(deleted.filter { $0.row == row })
        var left = Set(deleted).subtracting(gone)
        while true {
            let next = try left.filter { try isOwned($0, by: gone) }
            guard !next.isEmpty else { return left }
            gone.formUnion(next)
            left.subtract(next)
        }
    }

    private func hasServerCopy(_ item: ChangedRow) throws -> Bool {
        guard let table = schema.layout.table(named: item.table) else { return false }
        return try rebuild.has(item.row, in: table.serverName)
    }

    /// Whether the service's version of a row belongs to one of the rows that are gone.
    private func isOwned(_ item: ChangedRow, by gone: Set<ChangedRow>) throws -> Bool {
        guard let table = schema.layout.table(named: item.table) else { return true }
        guard !table.isContained else {
            let container = try rows.heldParent(of: item.row, in: table)
            return container.map { parent in gone.contains { $0.row == parent } } ?? true
        }
        let name = try hasServerCopy(item) ? table.serverName : table.baseName
        guard try rows.catalog.exists(name),
            let values = try rows.values(of: item.row, in: table, named: name)
        else { return true }
        var isRelated = false
        for relation in schema.layout.principals(of: table.source) {
            guard let principal = schema.layout[relation.target] else { continue }
            for owner in gone where owner.table == principal.name {
                guard try rows.catalog.exists(principal.baseName),
                    let key = try rows.values(
                        of: owner.row,
                        in: principal,
                        named: principal.baseName
                    )
                else { continue }
                isRelated = true
                if relation.pairs.allSatisfy({ values[$0.here] == key[$0.there] }) { return true }
            }
        }
        // What has no foreign key to any of them belongs to them in another way.
        return !isRelated
    }
}
