package import ODataSQLite
package import ODataSQL
import ODataValues
import ODataTables

/// The rows that entities contain, those among them that are deleted here.
package struct ContainedRows {
    private let connection: SQLiteConnection
    private let catalog: TableCatalog

    package init(_ connection: SQLiteConnection, layout: Layout) {
        self.connection = connection
        catalog = TableCatalog(connection, layout: layout)
    }

    /// Returns what a row contains, at every depth; what contains others comes after them.
    package func below(_ row: Int64) throws -> [RowReference] {
        try children(of: row).flatMap { try below($0.row) + [$0] }
    }

    /// Returns what contains a row, the nearest first.
    package func containers(of row: Int64) throws -> [RowReference] {
        for table in try catalog.tables() where table.isContained {
            guard let container = try container(of: row, in: table) else { continue }
            return try [container] + containers(of: container.row)
        }
        return []
    }

    /// Returns what contains a row of a table.
    func container(of row: Int64, in table: TableLayout) throws -> RowReference? {
        let rows = RowEditor(catalog)
        guard let parent = try rows.heldParent(of: row, in: table) else { return nil }
        return try catalog.tables().first { try rows.holder(of: parent, in: $0) != nil }
            .map { RowReference(source: $0.source, row: parent) }
    }

    /// Returns what a row contains itself, in the order of creation.
    package func children(of row: Int64) throws -> [RowReference] {
        var found: [RowReference] = []
        for table in try catalog.tables() where table.isContained {
            var rows: Set<Int64> = []
            for name in try catalog.versions(of: table) {
                try connection.forEachRow(
                    "SELECT \"$id\" FROM \(name.sqlQuoted) WHERE \"$parent\" = ?1",
                    [.integer(row)]
                ) { rows.insert($0.integer(0)) }
            }
            found += rows.sorted().map { RowReference(source: table.source, row: $0) }
        }
        return found
    }
}
