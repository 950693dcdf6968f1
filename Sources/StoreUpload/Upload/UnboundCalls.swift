import ODataSQLite
import StoreRecords
import ODataValues
import Synchronization

/// The calls in the queue that name no entity: what they read and change is not known, so they keep their place in the order.
///
/// Such a call goes behind all that was queued before it, and what was queued later goes behind the call. In one message that a service
/// has to carry out in order (OData 4.01 Part 1 § 11.7.7.1) they may stand together. Where what is left waits for each other, the
/// order is given up.
package final class UnboundCalls: Sendable {
    /// Calls found so far, and up to which request was looked; ids are never used again.
    private let found = Mutex<(last: Int64, ids: Set<Int64>)>((0, []))

    package init() {}

    /// Returns the order of what waits or is at the service; nil where no such call was ever queued.
    func order(_ connection: SQLiteConnection, categories: Set<String>?) throws -> QueueOrder? {
        let ids = try update(connection)
        guard !ids.isEmpty else { return nil }
        var order = QueueOrder()
        try connection.forEachRow(
            """
            SELECT "id", coalesce("category", ''), "status" = 'sending' FROM "$queue"
            WHERE "status" IN ('pending', 'sending')
            ORDER BY min("position") OVER (PARTITION BY coalesce("transaction", "id")), "position"
            """
        ) { row in
            // What is not to be sent now keeps nothing waiting.
            guard categories?.contains(row.string(1)) ?? true else { return }
            let id = row.integer(0)
            order.append(id, isCall: ids.contains(id), isSent: row.integer(2) != 0)
        }
        return order.hasCalls ? order : nil
    }

    private func update(_ connection: SQLiteConnection) throws -> Set<Int64> {
        let last = found.guarded { $0.last }
        let newest = try connection.integer("SELECT max(\"id\") FROM \"$queue\"") ?? 0
        let new = newest > last ? try RequestQueue(connection).calls(after: last) : []
        return found.guarded { found in
            found.last = max(found.last, newest)
            found.ids.formUnion(new.filter(\.isUnboundCall).map(\.id))
            return found.ids
        }
    }
}
