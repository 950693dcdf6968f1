/// The SQL names chosen for sources, link tables and properties, kept in the file so that they never change.
///
/// SQLite folds ASCII case, keeps tables and indexes in one name space and reserves `sqlite_`, which gets a `$` before it; names
/// that would meet get the suffix `$2`, `$3`, ….
package struct LayoutNames: Sendable {
    /// An entry of the file's `$layout` table.
    package struct Entry: Sendable, Hashable {
        /// SQL name of the table; empty for tables themselves.
        package var table: String
        /// What is named: a source's name, `link:` and a navigation property, `type:` and a type's name, or
        /// `declaring type|path|storing form`.
        package var element: String

        package init(table: String, element: String) {
            self.table = table
            self.element = element
        }
    }

    /// Names of tables.
    package private(set) var tables = TableNames()
    /// Names inside each table, by the table's name.
    private var columns: [String: TableNames] = [:]

    package init() {}

    /// Takes over a name chosen before.
    package mutating func restore(_ entry: Entry, as name: String) {
        if entry.table.isEmpty {
            tables.restore(entry.element, as: name)
        } else {
            columns[entry.table, default: TableNames()].restore(entry.element, as: name)
        }
    }

    /// Takes over every name of a table, also those that no file holds yet.
    package mutating func restore(_ table: TableLayout) {
        for (element, name) in table.names.all {
            restore(Entry(table: table.name, element: element), as: name)
        }
    }

    /// Returns the name of a table, chosen now if it has none.
    mutating func tableName(of element: String, preferring wish: String) -> String {
        tables.name(of: element, preferring: wish)
    }

    /// Returns the name of a table chosen before.
    func knownTableName(of element: String) -> String? { tables.known(element) }

    /// The names inside a table.
    func names(in table: String) -> TableNames { columns[table] ?? TableNames() }
}
