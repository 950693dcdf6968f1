import ODataSQLite
package import ODataValues

/// What waiting requests give to the columns of rows.
extension EffectJournal {
    /// What one request gives to a row.
    package struct Given: Sendable {
        package var request: Int64
        /// In the order in which it was given; columns of JSON objects have the patch.
        package var values: [(column: String, value: Scalar)]
    }

    /// Rows of a table to which waiting requests give a value in one of some columns.
    package func rows(in table: String, givenIn columns: Set<String>) throws -> [Int64] {
        let names = columns.sorted()
        let places = names.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        var rows: [Int64] = []
        try connection.forEachRow(
            """
            SELECT DISTINCT "row" FROM "$effect" WHERE "table" = ?1 AND "kind" = \(Kind.set.rawValue)
                AND "column" IN (\(places)) ORDER BY "row"
            """,
            [.text(table)] + names.map(Scalar.text)
        ) { rows.append($0.integer(0)) }
        return rows
    }

    /// What waiting requests give to a row, request by request in the order of the queue.
    package func given(to row: Int64, in table: String) throws -> [Given] {
        var all: [Given] = []
        try connection.forEachRow(
            """
            SELECT e."request", e."column", e."value"
            FROM "$effect" e JOIN "$queue" q ON q."id" = e."request"
            WHERE e."row" = ?1 AND e."target" IS NULL AND e."table" = ?2 AND e."kind" = \(Kind.set.rawValue)
            ORDER BY q."position", e."id"
            """,
            [.integer(row), .text(table)]
        ) { found in
            let request = found.integer(0)
            if all.last?.request != request { all.append(Given(request: request, values: [])) }
            all[all.count - 1].values.append((found.string(1), found.scalar(2)))
        }
        return all
    }

    /// Puts other values in the place of all that a request gives to a row.
    package func replace(_ given: Given, of row: Int64, in table: String) throws {
        try connection.run(
            """
            DELETE FROM "$effect" WHERE "request" = ?1 AND "row" = ?2 AND "table" = ?3
                AND "kind" = \(Kind.set.rawValue)
            """,
            [.integer(given.request), .integer(row), .text(table)]
        )
        let effects = given.values.map { column, value in
            ChangeEffect.set(table: table, row: row, column: column, value: value)
        }
        try add(effects, of: given.request)
    }
}
