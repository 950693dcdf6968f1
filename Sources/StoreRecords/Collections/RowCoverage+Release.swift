import ODataSQL
import ODataSQLite
import ODataValues
import ODataTables

/// What is left over when queries and collections go while changes wait.
extension RowCoverage {
    private static let removalKey = "removedQuery"

    /// Takes a collection's mark from rows, and removes those that nothing holds any more; answers how many went.
    package func release(_ rows: [Int64], of query: DefiningQuery) throws -> Int {
        guard !rows.isEmpty else { return 0 }
        let list = rows.map(String.init).joined(separator: ",")
        let isOne = "\"$id\" IN (SELECT value FROM json_each('[\(list)]'))"
        var removed = 0
        for table in try catalog.tables() {
            let before = try count(table, where: isOne)
            try clear(query, in: table, where: isOne)
            guard before > 0 else { continue }
            if table.isContained {
                let kept = Self.kept.rawValue
                try remove(
                    where: "\(isOne) AND \"$queries\" = 0 AND \"$state\" & \(kept) = 0",
                    in: table
                )
            } else {
                try removeUncovered(in: table, where: isOne)
            }
            removed += try before - count(table, where: isOne)
        }
        return removed
    }

    private func count(_ table: TableLayout, where condition: String) throws -> Int {
        Int(
            try connection.integer("SELECT count(*) FROM main.\(table.sql) WHERE \(condition)")
                ?? 0
        )
    }

    /// Remembers that rows may be left which no query holds and changes wait for.
    package func noteRemoval() throws {
        guard try !RequestQueue(connection).isEmpty() else { return }
        try connection.setMetaValue(Self.removalKey, to: .integer(1))
    }

    /// Removes rows that a removed query has left because of changes that waited, once they do not any more.
    package func sweep() throws {
        guard try connection.metaValue(Self.removalKey) != nil else { return }
        for table in try catalog.tables() { try removeUncovered(in: table) }
        if try RequestQueue(connection).isEmpty() {
            try connection.removeMetaValue(Self.removalKey)
        }
    }
}
