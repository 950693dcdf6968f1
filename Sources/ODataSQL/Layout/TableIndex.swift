import ODataSQLite

/// An index that the layout wants for a table.
package struct TableIndex: Sendable {
    /// Its name.
    package let name: String
    /// Whether no two rows have the same values.
    package let isUnique: Bool
    /// Quoted names of its columns.
    package let columns: [String]

    package init(name: String, isUnique: Bool, columns: [String]) {
        self.name = name
        self.isUnique = isUnique
        self.columns = columns
    }

    /// The statement that makes it, for a table under any name.
    package func createStatement(named name: String, on table: String) -> String {
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.sqlQuoted) ON \(table.sqlQuoted)"
            + " (\(columns.joined(separator: ", ")))"
    }
}
