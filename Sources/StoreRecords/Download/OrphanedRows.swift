package import ODataSQLite
import ODataTables

/// Rows that lost a local link, by an upload or by an undo, or a link by the delta of one of several queries that have brought it.
///
/// A delta that came while the link existed has removed its target from the query that expands the property. No later delta reports the
/// row, so the next merge checks whether anything still refers to it.
package enum OrphanedRows {
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
