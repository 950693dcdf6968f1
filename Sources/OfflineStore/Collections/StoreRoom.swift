import ODataValues
package import ODataSQLite
import ODataTables
import Synchronization

/// The bytes that copies made by fetch policies and changes that wait may take together; a change beyond them is refused.
///
/// The changes' sizes are added up as they come. All of it is counted anew once in a while, and before a change is refused.
package final class StoreRoom: Sendable {
    private struct State {
        /// Bytes at the last count; nil where they must be counted anew.
        var counted: Int?
        /// The newest request that was part of that count.
        var lastRequest: Int64 = 0
        var limit: Int
    }

    private let state: Mutex<State>

    /// Changes between two counts.
    private static let maximumUncounted = 1_000

    /// - Parameter limit: Bytes in all.
    package init(limit: Int) {
        state = Mutex(State(limit: limit))
    }

    /// Sets the bytes in all.
    package func setLimit(_ limit: Int) { state.guarded { $0.limit = limit } }

    /// Lets everything be counted with the next change: copies have come.
    package func countAnew() { state.guarded { $0.counted = nil } }

    /// The newest request before a change.
    func mark(_ connection: SQLiteConnection) throws -> Int64 {
        try connection.integer("SELECT max(\"id\") FROM \"$queue\"") ?? 0
    }

    /// Refuses the change of a transaction that adds requests without room for them.
    ///
    /// - Parameters:
    ///   - mark: The newest request before the change.
    ///   - grown: Bytes by which earlier requests have grown.
    /// - Throws: `EditError` with `quotaExceeded`.
    func check(since mark: Int64, grown: Int, _ connection: SQLiteConnection) throws {
        let own = try Self.queued(after: mark, connection)
        guard own.bytes > 0 || grown > 0 else { return }
        let limit = state.guarded { state in
            state.counted? += grown
            return state.limit
        }
        guard try used(connection) > limit, try recount(connection) > limit else { return }
        throw EditError(
            .quotaExceeded,
            "the change does not fit into the store (maxStoreSize: \(limit >> 20) MB): evict copies or upload changes, then try again"
        )
    }

    /// Edits requests, and refuses that where they grow beyond the room.
    ///
    /// - Throws: `EditError` with `quotaExceeded`, and what the function throws.
    func check<R>(_ connection: SQLiteConnection, edits body: () throws -> R) throws -> R {
        let before = try Self.queued(after: .min, connection).bytes
        let result = try body()
        let grown = try Self.queued(after: .min, connection).bytes - before
        if grown > 0 { try check(since: mark(connection), grown: grown, connection) }
        return result
    }

    private func used(_ connection: SQLiteConnection) throws -> Int {
        let (counted, last) = state.guarded { ($0.counted, $0.lastRequest) }
        guard let counted else { return try recount(connection) }
        let added = try Self.queued(after: last, connection)
        guard added.count <= Self.maximumUncounted else { return try recount(connection) }
        return counted + added.bytes
    }

    private func recount(_ connection: SQLiteConnection) throws -> Int {
        let copies = try StoredCollections(connection).byteCount(connection)
        let bytes = try copies + Self.queued(after: .min, connection).bytes
        let last = try mark(connection)
        state.guarded { ($0.counted, $0.lastRequest) = (bytes, last) }
        return bytes
    }

    /// Bytes of the bodies and streams of requests behind one.
    package static func queued(after request: Int64, _ connection: SQLiteConnection) throws -> (
        count: Int, bytes: Int
    ) {
        var found = (count: 0, bytes: 0)
        try connection.forEachRow(
            """
            SELECT count(*), CAST(total(length(CAST(q."body" AS BLOB))) + total(c."byteCount") AS INTEGER)
            FROM "$queue" q LEFT JOIN "$content" c ON c."id" = q."stream" WHERE q."id" > ?1
            """,
            [.integer(request)]
        ) { found = (Int($0.integer(0)), Int($0.integer(1))) }
        return found
    }
}
