import ODataProtocol
import ODataTables

/// The rows that entities contain, those among them that are deleted here.
struct ContainedRows {
    private let connection: SQLiteConnection
    private let catalog: TableCatalog

    init(_ connection: SQLiteConnection, _ layout: Layout) {
        self.connection = connection
        catalog = TableCatalog(connection, layout)
    }

    /// Returns what a row contains, at every depth; what contains others comes after them.
    func below(_ row: Int64) throws -> [RowReference] {
        try children(of: row).flatMap { try below($0.row) + [$0] }
    }

    /// Returns what contains a row, the nearest first.
    func containers(of row: Int64) throws -> [RowReference] {
        let rows = RowEditor(catalog)
        for table in try catalog.tables() where table.isContained {
            guard let parent = try rows.heldParent(of: row, in: table),
                let holder = try catalog.tables().first(where: {
                    try rows.holder(of: parent, in: $0) != nil
                })
            else { continue }
            return try [RowReference(source: holder.source, row: parent)] + containers(of: parent)
        }
        return []
    }

    /// Returns what a row contains itself, in the order of creation.
    func children(of row: Int64) throws -> [RowReference] {
        var found: [RowReference] = []
        for table in try catalog.tables() where table.isContained {
            var rows: Set<Int64> = []
            for name in [table.name, table.baseName] where try catalog.exists(name) {
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
