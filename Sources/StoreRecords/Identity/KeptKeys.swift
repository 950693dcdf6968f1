package import ODataSQLite
package import ODataSQL
import ODataValues
import ODataTables

/// Whether the service keeps the keys that are sent with creations, by table.
///
/// A service may give an entity another key than the one that was sent (OData 4.01 Part 1 § 11.4.2). Only where it has kept one does
/// a key that is not there prove that a creation was not carried out.
package struct KeptKeys {
    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    private func name(_ table: TableLayout) -> String { "keptKeys:" + table.name }

    /// Writes down what became of a key that was sent; one that was replaced counts for all.
    package func note(isKept: Bool, in table: TableLayout) throws {
        let known = try connection.metaValue(name(table))
        let value = Scalar.integer(isKept ? 1 : 0)
        guard known != value, known != .integer(0) else { return }
        try connection.setMetaValue(name(table), to: value)
    }

    /// Whether the service has ever replaced a key that was sent.
    package func areReplaced(in table: TableLayout) throws -> Bool {
        try connection.metaValue(name(table)) == .integer(0)
    }

    /// Whether the service has kept every key that was sent; false where none was.
    package func areKept(in table: TableLayout) throws -> Bool {
        try connection.metaValue(name(table)) == .integer(1)
    }
}
