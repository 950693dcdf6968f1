package import ODataSQLite
import ODataTables

/// Rows to which a local link has led that is there no more, by an upload or because it was taken back.
///
/// A delta that came while the link was there has left its target with the query that expands the property. Nobody tells again that
/// nothing leads there, so the next merge looks.
package enum UnledRows {
    private static let key = "unled"

    /// Remembers rows; in the transaction that takes their links.
    package static func note(_ rows: [Int64], on connection: SQLiteConnection) throws {
        guard !rows.isEmpty else { return }
        try connection.setMetaIDs(key, to: Set(noted(connection)).union(rows).sorted())
    }

    /// Returns the remembered rows.
    package static func noted(_ connection: SQLiteConnection) throws -> [Int64] {
        try connection.metaIDs(key)
    }

    /// Forgets the rows, once all queries have looked.
    package static func forget(_ connection: SQLiteConnection) throws {
        try connection.removeMetaValue(key)
    }
}
