package import ODataSQL
import ODataValues
import ODataSQLite

/// New requests: what they do, what they name and what they wait for.
extension RequestQueue {
    /// What a request needs to know of the rows it is about.
    package struct Involved {
        /// The row it changes.
        package var affected: RowReference?
        /// Rows that its URL or body names.
        package var referred: [Int64]
        /// The link of the entity, where it has one.
        package var link: String?
        /// What it did to the store.
        package var effects: [ChangeEffect] = []
        /// Requests that it has to wait for besides.
        package var after: [Int64] = []

        package init(affected: RowReference?, referred: [Int64]) {
            self.affected = affected
            self.referred = referred
        }
    }

    /// A request that was appended.
    package struct Added {
        package var id: Int64
        /// Whether it waits for a refused one.
        package var isParked: Bool
    }

    /// Appends a request.
    ///
    /// It depends on the last request that changes the same row or link, and on the creation of each row that it names; a
    /// deletion on every request that names the row. What depends on a refused request is parked with it.
    ///
    /// - Parameter isAmongOpen: Whether the other members of the request's transaction are known to wait for nothing that was refused.
    @discardableResult
    package func add(
        _ entry: QueueEntry,
        involved: Involved,
        isAmongOpen: Bool = false
    ) throws -> Added {
        let id = try nextID()
        // A creation says by a flag what nearly all of them do: it is written with nothing but the entry.
        let inserted = involved.affected.flatMap { affected in
            involved.effects.first { $0.isInsertion && $0.row?.row == affected.row }
        }
        var (entry, involved) = (entry, involved)
        if let inserted {
            entry.flags.insert(.insertsOwnRow)
            involved.effects.removeAll { $0 == inserted }
        }
        try connection.insert(Self.values(of: entry, involved, id: id))
        let own = inserted.flatMap(\.row?.row)
        let isWaiting = try relate(id, involved: involved, own: own)
        let isLookedAt = isWaiting || entry.transaction != nil && !isAmongOpen
        return Added(id: id, isParked: try isLookedAt && parkIfBlocked(id))
    }

    /// The row of a new request; what is said of its sending and its answer comes later.
    private static func values(of entry: QueueEntry, _ involved: Involved, id: Int64)
        -> RecordValues<QueueColumn>
    {
        var values = RecordValues<QueueColumn>()
        values[.id] = .integer(id)
        values[.position] = .integer(id)
        values[.status] = .text(QueueEntry.Status.pending.rawValue)
        values[.method] = .text(entry.method)
        values[.url] = .text(entry.url)
        values[.body] = Scalar(entry.body)
        values[.source] = Scalar(entry.source)
        values[.row] = Scalar(involved.affected?.row)
        values[.etag] = Scalar(entry.etag)
        for (column, text) in entry.labels { values[column] = .text(text) }
        values[.category] = Scalar(entry.category)
        values[.transaction] = Scalar(entry.transaction)
        values[.headers] = Scalar(entry.headers)
        values[.affected] = Scalar(involved.link)
        values[.flags] = .integer(entry.flags.rawValue)
        values[.created] = .text(Timestamp.now)
        values[.stream] = Scalar(entry.stream)
        values[.streamProperty] = Scalar(entry.streamProperty)
        return values
    }

    /// The next number of a request, greater than all before; in the transaction that uses it.
    ///
    /// The greatest one in the queue says it; the counter only keeps that of requests which are gone.
    private func nextID() throws -> Int64 {
        let next = try lastID() + 1
        connection.remember(next, as: \.lastRequest)
        return next
    }

    /// The greatest number that a request has had, in a write transaction.
    package func lastID() throws -> Int64 {
        try connection.remembered(\.lastRequest) {
            try connection.integer(
                """
                SELECT max(coalesce((SELECT max("id") FROM "$queue"), 0),
                    coalesce((SELECT "value" FROM "$meta" WHERE "key" = 'request'), 0))
                """
            ) ?? 0
        }
    }

    /// Writes down what a request does, what it names and what it waits for; one that is only corrected keeps its place.
    ///
    /// Answers whether it waits for anything.
    ///
    /// - Parameter own: The row that the request inserts and is about.
    @discardableResult
    package func relate(
        _ id: Int64,
        involved: Involved,
        own inserted: Int64? = nil,
        isNew: Bool = true
    ) throws -> Bool {
        let journal = EffectJournal(connection)
        let effects = involved.effects
        // Most creations are about their own row and nothing else.
        let isAlone =
            inserted != nil && effects.isEmpty && involved.after.isEmpty
            && involved.referred.allSatisfy { $0 == inserted }
        if isAlone { return false }
        var awaited = Set(involved.after)
        let touched = Set(
            effects.compactMap(\.row?.row) + [involved.affected?.row].compactMap { $0 }
        )
        // Rows that the request itself makes have no history.
        let own = Set(
            effects.filter(\.isInsertion).compactMap(\.row?.row) + [inserted].compactMap { $0 }
        )
        for row in touched where isNew && !own.contains(row) {
            awaited.formUnion(try journal.requests(on: row).filter { $0 != id }.suffix(1))
        }
        for link in Set(effects.compactMap(\.link)) where isNew {
            awaited.formUnion(try journal.requests(on: link).filter { $0 != id }.suffix(1))
        }
        for row in Set(involved.referred) where !own.contains(row) {
            if let creator = try journal.creator(of: row) { awaited.insert(creator) }
        }
        for effect in effects {
            guard case .deleted(_, let row) = effect else { continue }
            awaited.formUnion(try requests(referringTo: row))
        }
        awaited.remove(id)
        for other in awaited {
            try connection.run(
                "INSERT OR IGNORE INTO \"$depends\" VALUES (?1, ?2)",
                [.integer(id), .integer(other)]
            )
        }
        // The entry itself names its own row.
        for row in touched.union(involved.referred) where row != inserted {
            try connection.run(
                "INSERT OR IGNORE INTO \"$refers\" VALUES (?1, ?2)",
                [.integer(id), .integer(row)]
            )
        }
        try journal.add(effects, of: id)
        return !awaited.isEmpty
    }

    /// Returns the requests that name a row.
    private func requests(referringTo row: Int64) throws -> [Int64] {
        var found: [Int64] = []
        try connection.forEachRow(
            """
            SELECT "request" FROM "$refers" WHERE "row" = ?1
            UNION SELECT "id" FROM "$queue" WHERE "row" = ?1
            """,
            [.integer(row)]
        ) { found.append($0.integer(0)) }
        return found
    }

    /// Parks a request that waits for a refused one, or whose transaction does, with the other members; answers whether it did.
    @discardableResult
    package func parkIfBlocked(_ id: Int64) throws -> Bool {
        let isBlocked = try connection.integer(
            """
            SELECT 1 FROM "$depends" d JOIN "$queue" q ON q."id" = d."on"
            WHERE d."request" = ?1 AND q."status" IN ('failed', 'parked')
            UNION ALL SELECT 1 FROM "$queue"
            WHERE "transaction" = (SELECT "transaction" FROM "$queue" WHERE "id" = ?1) AND "id" <> ?1
                AND "status" IN ('failed', 'parked')
            """,
            [.integer(id)]
        )
        guard isBlocked != nil else { return false }
        try set(.parked, of: id)
        try park(behind: [id])
        return true
    }
}
