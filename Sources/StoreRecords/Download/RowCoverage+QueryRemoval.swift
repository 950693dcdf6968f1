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
            // The parents may stay.
            guard table.isContained else { continue }
            for row in try uncoveredContents(Set(held), in: table) { try remove(row, in: table) }
        }
        try noteRemoval()
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
