import ODataSQL
import ODataSQLite
package import ODataTables

/// What goes with a defining query that is removed.
extension RowCoverage {
    /// Takes the mark of a query from its rows, and removes the rows and values that no other query brings.
    ///
    /// - Parameter others: The queries that stay.
    package func release(_ query: DefiningQuery, others: [DefiningQuery], in schema: TableSchema)
        throws
    {
        for table in try catalog.tables() {
            let held = try rows(heldBy: query, in: table)
            try clear(query, in: table)
            try LapsedRows(connection, schema: schema)
                .forgetValues(of: query, in: table, held, besides: others)
            try removeUncovered(in: table)
            if table.isContained { try removeContained(held, in: table) }
        }
        try noteRemoval()
    }

    /// Removes contained rows that nothing holds any more; their parents may stay.
    private func removeContained(_ held: [Int64], in table: TableLayout) throws {
        guard !held.isEmpty else { return }
        let list = held.map(String.init).joined(separator: ",")
        let lapsed = try rows(
            in: table,
            where: """
                "$id" IN (SELECT value FROM json_each('[\(list)]')) AND "$queries" = 0
                    AND "$state" & \(Self.kept.union(.local).rawValue) = 0
                    AND "$id" NOT IN (SELECT "row" FROM "$refers")
                """
        )
        for row in lapsed where try !holdsChanges(row) { try remove(row, in: table) }
    }

    /// The rows that a query holds; of those that are deleted here, their copies.
    private func rows(heldBy query: DefiningQuery, in table: TableLayout) throws -> [Int64] {
        var found: Set<Int64> = []
        for name in try catalog.versions(of: table) {
            try connection.forEachRow(
                "SELECT \"$id\" FROM \(name.sqlQuoted) WHERE \(query.holds())"
            ) { found.insert($0.integer(0)) }
        }
        return found.sorted()
    }
}
