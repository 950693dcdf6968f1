/// An index that the layout wants for a table.
package struct TableIndex: Sendable {
    /// Its name.
    package let name: String
    /// Whether no two rows have the same values.
    let isUnique: Bool
    /// Quoted names of its columns.
    let columns: [String]

    /// The statement that makes it, for a table under any name.
    package func createStatement(named name: String, on table: String) -> String {
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.sqlQuoted) ON \(table.sqlQuoted)"
            + " (\(columns.joined(separator: ", ")))"
    }
}
