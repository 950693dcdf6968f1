package import ODataSQLite
package import StoreRecords
package import StoreUpload
import ODataValues
import ODataSQL
package import ODataTables

/// Transactions that wait for each other: each has a member that waits for one of the other.
///
/// None of them can go before the other, so they go as one: what takes effect together still does. Where their requests cannot stand
/// in one change set, they are refused, with their names.
package struct CrossingTransactions {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private var queue: RequestQueue { RequestQueue(connection) }

    /// What was done about them.
    package struct Result {
        /// Whether transactions were made one, which can go now.
        package var hasMerged = false
        /// The members of those that cannot be sent, and why.
        package var refused: [(members: [QueueEntry], obstacle: AtomicityObstacle)] = []
    }

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Deals with those that have a waiting member of the given categories, or of any.
    package func settle(categories: Set<String>?) throws -> Result {
        let entries = try queue.entries([.pending])
        var result = Result()
        for members in WaitingCircles(entries).all {
            let isChosen = members.contains { categories?.contains($0.category ?? "") ?? true }
            guard isChosen else { continue }
            if try merge(members) {
                result.hasMerged = true
            } else {
                let names = members.map { $0.transaction ?? "request \($0.id)" }
                result.refused.append((members, .circle(Set(names).sorted())))
            }
        }
        return result
    }

    // MARK: Merging

    /// Makes the requests one transaction; answers whether that is possible.
    private func merge(_ members: [QueueEntry]) throws -> Bool {
        let byRow = Dictionary(grouping: members.filter { $0.row != nil && !$0.isLinkChange }) {
            $0.row
        }
        let repeated = byRow.values.filter { $0.count > 1 }
        guard repeated.allSatisfy(areMergeable), try hasNoRepeatedLink(members),
            members.allSatisfy({ $0.stream == nil })
        else { return false }
        for entries in repeated {
            for later in entries.dropFirst() { try absorb(later, into: entries[0].id) }
        }
        let name = members.lazy.compactMap(\.transaction).first
        for member in members {
            try connection.run(
                "UPDATE \"$queue\" SET \"transaction\" = ?2 WHERE \"id\" = ?1",
                [.integer(member.id), .init(name)]
            )
        }
        return true
    }

    /// Whether requests for one entity can be made one: a creation or changes of its values, in the same words.
    private func areMergeable(_ entries: [QueueEntry]) -> Bool {
        entries.allSatisfy { entry in
            entry.isChangeOfValues && entry.streamProperty == nil && entry.body != nil
                && entry.flags.isDisjoint(with: [.unmodifiable, .operation, .upsert])
                && entry.headers == entries[0].headers
        } && entries.dropFirst().allSatisfy { !$0.isCreation }
    }

    /// A link that is set and removed again in one change set would have no order.
    private func hasNoRepeatedLink(_ members: [QueueEntry]) throws -> Bool {
        var seen: Set<RowLink> = []
        for member in members where member.isLinkChange {
            let links = Set(try EffectJournal(connection).effects(of: member.id).compactMap(\.link))
            guard links.isDisjoint(with: seen) else { return false }
            seen.formUnion(links)
        }
        return true
    }

    /// Makes a later change of an entity part of an earlier request for it.
    private func absorb(_ later: QueueEntry, into id: Int64) throws {
        guard let earlier = try queue.entry(id),
            let source = schema.source(of: later),
            let plan = schema.plans.plan(for: source),
            let body = try EntityBodyReader.read(
                Array((later.body ?? "").utf8),
                plan: plan,
                in: schema
            )
        else { throw StoreError(.wrongState, "request \(later.id) carries no values") }
        let isReplacing = later.method == "PUT"
        let transaction = StoreTransaction(connection, schema: schema, options: ChangeOptions())
        let text = try Correction(transaction).merged(
            earlier,
            with: body,
            isReplacing: isReplacing,
            known: body.references
        )
        let method = isReplacing && !earlier.isCreation ? "PUT" : earlier.method
        try connection.run(
            "UPDATE \"$queue\" SET \"body\" = ?2, \"method\" = ?3 WHERE \"id\" = ?1",
            [.integer(id), .text(text), .text(method)]
        )
        try hand(later.id, to: id)
        try queue.remove(later.id)
    }

    /// Gives what a request does, names and waits for to another one.
    private func hand(_ later: Int64, to earlier: Int64) throws {
        let ids: [Scalar] = [.integer(later), .integer(earlier)]
        for sql in [
            "UPDATE \"$effect\" SET \"request\" = ?2 WHERE \"request\" = ?1",
            """
            INSERT OR IGNORE INTO "$refers" SELECT ?2, "row" FROM "$refers" WHERE "request" = ?1
            """,
            """
            INSERT OR IGNORE INTO "$depends" SELECT ?2, "on" FROM "$depends"
            WHERE "request" = ?1 AND "on" <> ?2
            """,
            """
            INSERT OR IGNORE INTO "$depends" SELECT "request", ?2 FROM "$depends"
            WHERE "on" = ?1 AND "request" <> ?2
            """,
        ] {
            try connection.run(sql, ids)
        }
    }
}
