package import ODataSQLite
import ODataValues

/// Rows that the service has deleted, kept for their local changes until the conflict is resolved.
package struct GoneMarks {
    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    package func contains(_ row: Int64) throws -> Bool {
        try connection.integer("SELECT 1 FROM \"$gone\" WHERE \"row\" = ?1", [.integer(row)]) != nil
    }

    package func insert(_ row: Int64) throws { try insert(selection: "SELECT \(row)") }

    /// Marks the rows that a query answers.
    package func insert(selection: String) throws {
        try connection.execute("INSERT OR IGNORE INTO main.\"$gone\" \(selection)")
    }

    package func remove(_ row: Int64) throws { _ = try remove(selection: "SELECT \(row)") }

    /// Takes the mark from the rows that a query answers; returns those that had one.
    package func remove(selection: String) throws -> [Int64] {
        var rows: [Int64] = []
        try connection.forEachRow(
            "DELETE FROM main.\"$gone\" WHERE \"row\" IN (\(selection)) RETURNING \"row\""
        ) { rows.append($0.integer(0)) }
        return rows
    }
}
