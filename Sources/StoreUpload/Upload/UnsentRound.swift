package import ODataSQLite
import StoreRecords
import ODataTables

/// The requests that are marked as being sent while the round before them is still at the service.
///
/// The mark of a request says that the service may have it. Of those in this list it is known that it has not: the list is taken
/// away, durably, before their first byte leaves. So a crash in between leaves nothing in doubt that was never sent.
package enum UnsentRound {
    private static let key = "unsent"

    /// Writes the list, in the transaction that marks its requests.
    package static func hold(_ requests: [Int64], on connection: SQLiteConnection) throws {
        try connection.setMetaIDs(key, to: requests)
    }

    /// Takes the list away: what it names may be at the service from now on.
    package static func release(_ connection: SQLiteConnection) throws {
        try connection.removeMetaValue(key)
    }

    /// Whether no request is marked as being sent but those of the list.
    package static func isAll(_ connection: SQLiteConnection) throws -> Bool {
        let unsent = Set(try connection.metaIDs(key))
        return try RequestQueue(connection).entries([.sending]).allSatisfy {
            unsent.contains($0.id)
        }
    }

    /// Lets the listed requests wait again.
    package static func giveBack(_ connection: SQLiteConnection) throws {
        let queue = RequestQueue(connection)
        for id in try connection.metaIDs(key) where try queue.entry(id)?.status == .sending {
            try queue.setPending(id, isForgotten: false)
        }
        try release(connection)
    }
}
