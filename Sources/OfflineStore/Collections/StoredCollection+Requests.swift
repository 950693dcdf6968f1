import StoreRecords
package import ODataSQLite
import ODataValues

extension StoredCollection {
    /// Returns the requests that change members.
    package func requestsOnMembers(_ connection: SQLiteConnection) throws -> [Int64] {
        var found: [Int64] = []
        try connection.forEachRow(
            """
            SELECT q."id" FROM "$queue" q JOIN "$member" m ON m."row" = q."row" WHERE m."query" = ?1
            """,
            [.integer(Int64(slot))]
        ) { found.append($0.integer(0)) }
        return found
    }
}
