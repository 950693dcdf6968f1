package import ODataSQL
package import ODataSQLite
import ODataValues

/// The table of a source under a hidden name, until it is published under the source's own name.
///
/// It has its indexes from the beginning, and only names change in the end: that takes a moment, however many rows there are.
package struct HiddenTable {
    private let catalog: TableCatalog
    private let table: TableLayout
    private var connection: SQLiteConnection { catalog.connection }

    private static let prefix = "$load:"

    package init(_ table: TableLayout, catalog: TableCatalog) {
        (self.table, self.catalog) = (table, catalog)
    }

    /// Its name while it is hidden.
    package var name: String { Self.prefix + table.name }

    /// Makes it, without rows.
    package func create() throws {
        try connection.execute(table.createStatement(named: name))
        for index in catalog.indexes(of: table) {
            try connection.execute(
                index.createStatement(named: Self.prefix + index.name, on: name)
            )
        }
    }

    /// Whether the source's table is missing, or has nothing that the hidden one does not have.
    package func canTakePlace() throws -> Bool {
        for name in [table.name, table.baseName, table.serverName] where try catalog.exists(name) {
            guard try connection.integer("SELECT 1 FROM \(name.sqlQuoted) LIMIT 1") == nil else {
                return false
            }
        }
        // Indexes of the application's own, which the hidden table does not have.
        let known = Set(catalog.indexes(of: table).map(\.name))
        var isKnown = true
        try connection.forEachRow(
            "SELECT \"name\" FROM main.sqlite_schema WHERE \"type\" = 'index' AND \"tbl_name\" = ?1",
            [.text(table.name)]
        ) { isKnown = isKnown && known.contains($0.string(0)) }
        return isKnown
    }

    /// Takes the name of the source's table, which must be missing or empty; in a write transaction.
    package func takePlace() throws {
        try connection.execute("DROP TABLE IF EXISTS main.\(table.sql)")
        try connection.withWritableSchema {
            try rename("table", from: name, to: table.name, text: table.createStatement())
            for index in catalog.indexes(of: table) {
                let text = index.createStatement(named: index.name, on: table.name)
                try rename("index", from: Self.prefix + index.name, to: index.name, text: text)
            }
        }
        try catalog.saveNames(in: table)
        // Its triggers are gone with the table that had the name.
        try catalog.renewSearchIndex(of: table)
    }

    private func rename(_ kind: String, from old: String, to new: String, text: String) throws {
        try connection.run(
            """
            UPDATE main.sqlite_schema SET "name" = ?3, "tbl_name" = ?4, "sql" = ?5
            WHERE "type" = ?1 AND "name" = ?2
            """,
            [.text(kind), .text(old), .text(new), .text(table.name), .text(text)]
        )
    }

    /// Drops all hidden tables of a file: what a download that did not come to its end has left.
    package static func dropAll(_ connection: SQLiteConnection) throws {
        for name in try connection.tableNames() where name.hasPrefix(prefix) {
            try connection.execute("DROP TABLE main.\(name.sqlQuoted)")
        }
    }
}
