import ODataSQLite
import ODataSQL
import ODataAnswers
import ODataTables

/// Brings the tables of our own in an older file up to date, one version after the other.
///
/// A file of a newer version is refused: what its tables mean is not known here.
enum StoreMigration {
    /// Version of the tables that this engine writes: each change of them is a step.
    static let version = Int64(steps.count) + 1

    /// Brings a file up to date in one transaction; does nothing to one that is.
    ///
    /// - Throws: ``StoreError`` where the file is of a version that this engine does not know.
    static func run(_ connection: SQLiteConnection, path: String) throws {
        var found = try connection.integer("PRAGMA user_version") ?? 0
        guard found <= version else {
            throw StoreError(
                .notAStore,
                "\(path) was made by a newer version of this engine (file version \(found), known up to \(version))"
            )
        }
        guard found < version else { return }
        try connection.write {
            // Another process may have done it meanwhile.
            found = try connection.integer("PRAGMA user_version") ?? 0
            while found < version {
                guard let statements = steps[found] else {
                    throw StoreError(
                        .notAStore,
                        "\(path) has file version \(found), from which no way leads to \(version)"
                    )
                }
                for sql in statements { try connection.execute(sql) }
                found += 1
                try connection.execute("PRAGMA user_version = \(found)")
            }
            if let schema = try StoreSchema.compile(connection) {
                try BuiltInSets.createViews(connection, layout: schema.layout)
                try indexBaseCopies(connection, schema: schema)
            }
        }
    }

    /// Files before version 4 have base copies without the index over their keys, those before version 5 copies without that of
    /// awaited keys.
    private static func indexBaseCopies(_ connection: SQLiteConnection, schema: TableSchema)
        throws
    {
        let catalog = TableCatalog(connection, layout: schema.layout)
        for table in try catalog.tables() {
            for name in [table.baseName, table.serverName] where try catalog.exists(name) {
                try catalog.createAwaitedKeyIndexes(name, of: table)
            }
            guard try catalog.exists(table.baseName) else { continue }
            if let sql = StoreTables.baseKeyIndex(of: table) { try connection.execute(sql) }
        }
    }
}
