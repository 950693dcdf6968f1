package import ODataProtocol
package import ODataTables

/// The requests of a store, waiting and refused, on one connection.
package struct RequestQueue {
    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    private static let columns = [
        "id", "status", "method", "url", "body", "source", "row", "etag", "tag", "category",
        "transaction",
        "headers", "flags", "unit", "firstSent", "httpStatus", "code", "message", "innerError",
        "answer", "stream", "streamProperty",
    ].map { "\"\($0)\"" }.joined(separator: ", ")

    // MARK: Reading

    /// Returns the requests in the given states, in the order in which they are sent.
    package func entries(_ statuses: [QueueEntry.Status]) throws -> [QueueEntry] {
        let list = statuses.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return try entries(where: "\"status\" IN (\(list))", [])
    }

    /// Returns a request.
    package func entry(_ id: Int64) throws -> QueueEntry? {
        try entries(where: "\"id\" = ?1", [.integer(id)]).first
    }

    /// Returns the requests that change a row, in order.
    package func entries(forRow row: Int64) throws -> [QueueEntry] {
        try entries(where: "\"row\" = ?1", [.integer(row)])
    }

    /// Returns requests that wait for nothing, in order, at most `limit`; of a transaction that waits for nothing from outside
    /// any member stands for all.
    ///
    /// - Parameter categories: Only these; the empty one is that of requests without category.
    func ready(limit: Int, categories: Set<String>?, grouping: Bool) throws -> [QueueEntry] {
        var values: [Scalar] = [.integer(Int64(limit))]
        var chosen = ""
        if let categories {
            let places = categories.sorted().map { category in
                values.append(.text(category))
                return "?\(values.count)"
            }
            chosen = "AND coalesce(\"category\", '') IN (\(places.joined(separator: ", ")))"
        }
        // As long as none was moved, the order of ids is that of positions, and the index of states has it.
        let isMoved =
            try connection.integer(
                "SELECT 1 FROM \"$queue\" WHERE \"position\" <> \"id\" LIMIT 1"
            ) != nil
        return try entries(
            where: """
                "status" = 'pending' \(chosen) AND CASE WHEN "transaction" IS NULL OR \(grouping ? 0 : 1)
                    THEN NOT EXISTS (SELECT 1 FROM "$depends" d WHERE d."request" = "$queue"."id")
                    ELSE NOT EXISTS (SELECT 1 FROM "$queue" m JOIN "$depends" d ON d."request" = m."id"
                        JOIN "$queue" o ON o."id" = d."on"
                        WHERE m."transaction" = "$queue"."transaction"
                            AND o."transaction" IS NOT m."transaction") END
                """,
            values,
            order: isMoved ? "position" : "id",
            limit: "LIMIT ?1"
        )
    }

    /// Returns the waiting members of a transaction.
    func pending(inTransaction transaction: String) throws -> [QueueEntry] {
        try entries(
            where: "\"status\" = 'pending' AND \"transaction\" = ?1",
            [.text(transaction)]
        )
    }

    private func entries(
        where condition: String,
        _ values: [Scalar],
        order: String = "position",
        limit: String = ""
    ) throws -> [QueueEntry] {
        var entries: [QueueEntry] = []
        try connection.forEachRow(
            "SELECT \(Self.columns) FROM \"$queue\" WHERE \(condition) ORDER BY \(order.sqlQuoted) \(limit)",
            values
        ) { entries.append(Self.entry($0)) }
        if limit.isEmpty, entries.count > 1 {
            let all = try dependencies(where: condition, values)
            for index in entries.indices { entries[index].dependsOn = all[entries[index].id] ?? [] }
        } else {
            for index in entries.indices {
                entries[index].dependsOn = try dependencies(of: entries[index].id)
            }
        }
        return entries
    }

    /// What each of several requests waits for, read at once.
    private func dependencies(
        where condition: String,
        _ values: [Scalar]
    ) throws -> [Int64: [Int64]] {
        var found: [Int64: [Int64]] = [:]
        try connection.forEachRow(
            """
            SELECT d."request", d."on" FROM "$depends" d
            WHERE d."request" IN (SELECT "id" FROM "$queue" WHERE \(condition)) ORDER BY d."request", d."on"
            """,
            values
        ) { found[$0.integer(0), default: []].append($0.integer(1)) }
        return found
    }

    private static func entry(_ row: SQLiteStatement) -> QueueEntry {
        var failure: QueueEntry.Failure?
        if !row.isNull(15) || !row.isNull(17) {
            failure = QueueEntry.Failure(
                httpStatus: Int(row.integer(15)),
                code: row.string(16),
                message: row.string(17),
                innerError: row.optionalString(18),
                answer: row.optionalString(19)
            )
        }
        return QueueEntry(
            id: row.integer(0),
            status: QueueEntry.Status(rawValue: row.string(1)) ?? .pending,
            method: row.string(2),
            url: row.string(3),
            body: row.optionalString(4),
            source: row.optionalString(5),
            row: row.isNull(6) ? nil : row.integer(6),
            stream: row.isNull(20) ? nil : row.integer(20),
            streamProperty: row.optionalString(21),
            etag: row.optionalString(7),
            tag: row.optionalString(8),
            category: row.optionalString(9),
            transaction: row.optionalString(10),
            headers: row.optionalString(11),
            flags: QueueEntry.Flags(rawValue: row.integer(12)),
            dependsOn: [],
            unit: row.optionalString(13),
            firstSent: row.optionalString(14),
            failure: failure
        )
    }

    func dependencies(of id: Int64) throws -> [Int64] {
        var found: [Int64] = []
        try connection.forEachRow(
            "SELECT \"on\" FROM \"$depends\" WHERE \"request\" = ?1 ORDER BY \"on\"",
            [.integer(id)]
        ) { found.append($0.integer(0)) }
        return found
    }

    /// Returns whether no request waits.
    package func isEmpty() throws -> Bool {
        try connection.integer("SELECT 1 FROM \"$queue\" WHERE \"status\" <> 'failed' LIMIT 1")
            == nil
    }

    // MARK: Adding

    /// What a request needs to know of the rows it is about.
    package struct Involved {
        /// The row it changes.
        package var affected: RowReference?
        /// Rows that its URL or body names.
        package var referred: [Int64]
        /// The link of the entity, where it has one.
        var link: String?
        /// What it did to the store.
        var effects: [ChangeEffect] = []
        /// Requests that it has to wait for besides.
        var after: [Int64] = []

        package init(affected: RowReference?, referred: [Int64]) {
            self.affected = affected
            self.referred = referred
        }
    }

    /// Appends a request; answers its id.
    ///
    /// It depends on the last request that changes the same row or link, and on the creation of each row that it names; a
    /// deletion on every request that names the row. What depends on a refused request is parked with it.
    @discardableResult
    package func add(_ entry: QueueEntry, _ involved: Involved) throws -> Int64 {
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
        try connection.run(
            Self.insertion,
            [
                .integer(id), .text(entry.method), .text(entry.url), .init(entry.body),
                .init(entry.source),
                .init(involved.affected?.row), .init(entry.etag), .init(entry.tag),
                .init(entry.category),
                .init(entry.transaction), .init(entry.headers), .integer(entry.flags.rawValue),
                .text(Timestamp.now), .init(entry.stream), .init(entry.streamProperty),
                .init(involved.link),
            ]
        )
        let own = inserted.flatMap(\.row?.row)
        if try relate(id, involved, own: own) { try parkIfBlocked(id) }
        return id
    }

    private static let insertion = SQLText(
        """
        INSERT INTO "$queue" ("id", "position", "status", "method", "url", "body", "source", "row", "etag",
            "tag", "category", "transaction", "headers", "flags", "created", "stream", "streamProperty",
            "affected")
        VALUES (?1, ?1, 'pending', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
        """
    )

    /// The next number of a request, greater than all before; in the transaction that uses it.
    ///
    /// The greatest one in the queue says it; the counter only keeps that of requests which are gone.
    private func nextID() throws -> Int64 {
        let last = try connection.remembered(\.lastRequest) {
            try connection.integer(
                """
                SELECT max(coalesce((SELECT max("id") FROM "$queue"), 0),
                    coalesce((SELECT "value" FROM "$meta" WHERE "key" = 'request'), 0))
                """
            ) ?? 0
        }
        connection.remember(last + 1, as: \.lastRequest)
        return last + 1
    }

    /// Writes down what a request does, what it names and what it waits for; one that is only corrected keeps its place.
    ///
    /// Answers whether it waits for anything.
    ///
    /// - Parameter own: The row that the request inserts and is about.
    @discardableResult
    func relate(
        _ id: Int64,
        _ involved: Involved,
        own inserted: Int64? = nil,
        isNew: Bool = true
    ) throws -> Bool {
        let journal = EffectJournal(connection)
        let effects = involved.effects
        // Most creations are about their own row and nothing else.
        let isAlone =
            inserted != nil && involved.affected?.row == inserted && effects.isEmpty
            && involved.after.isEmpty && involved.referred.allSatisfy { $0 == inserted }
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

    /// Parks a request that waits for a refused one.
    func parkIfBlocked(_ id: Int64) throws {
        try connection.run(
            """
            UPDATE "$queue" SET "status" = 'parked' WHERE "id" = ?1 AND EXISTS (
                SELECT 1 FROM "$depends" d JOIN "$queue" q ON q."id" = d."on"
                WHERE d."request" = ?1 AND q."status" IN ('failed', 'parked'))
            """,
            [.integer(id)]
        )
    }

    // MARK: Moving on

    /// Sets where a request stands.
    package func set(_ status: QueueEntry.Status, of id: Int64) throws {
        try connection.run(
            "UPDATE \"$queue\" SET \"status\" = ?2 WHERE \"id\" = ?1",
            [.integer(id), .text(status.rawValue)]
        )
    }

    /// Lets a request wait again that the service has not carried out.
    ///
    /// - Parameter isForgotten: Whether the service must not recognise it when it is sent again.
    package func setPending(_ id: Int64, isForgotten: Bool) throws {
        try set(.pending, of: id)
        guard isForgotten else { return }
        try connection.run(
            "UPDATE \"$queue\" SET \"unit\" = NULL, \"firstSent\" = NULL WHERE \"id\" = ?1",
            [.integer(id)]
        )
    }

    /// Writes down that requests are being sent as one unit, before any byte leaves.
    package func markSending(_ ids: [Int64], unit: String, firstSent: String) throws {
        for id in ids {
            try connection.run(
                """
                UPDATE "$queue" SET "status" = 'sending', "unit" = ?2,
                    "firstSent" = coalesce("firstSent", ?3) WHERE "id" = ?1
                """,
                [.integer(id), .text(unit), .text(firstSent)]
            )
        }
    }

    /// Takes a request out, and the contents of streams that nothing else names.
    package func remove(_ id: Int64) throws {
        try StoreStreams(connection).sweep(withdraw(id))
    }

    /// Takes a request out and returns the contents of streams that it named: the caller sweeps them when it has used them.
    func withdraw(_ id: Int64) throws -> [Int64] {
        let journal = EffectJournal(connection)
        let contents = try journal.contents(of: id)
        try connection.run(
            """
            UPDATE "$meta" SET "value" = max("value", ?1) WHERE "key" = 'request' AND "value" < ?1
            """,
            [.integer(id)]
        )
        try connection.run("DELETE FROM \"$queue\" WHERE \"id\" = ?1", [.integer(id)])
        try connection.run(
            "DELETE FROM \"$depends\" WHERE \"request\" = ?1 OR \"on\" = ?1",
            [.integer(id)]
        )
        try connection.run("DELETE FROM \"$refers\" WHERE \"request\" = ?1", [.integer(id)])
        try journal.remove(id)
        return contents
    }

    /// Puts a refused request into the error archive and parks what depends on it.
    package func fail(_ id: Int64, _ failure: QueueEntry.Failure) throws {
        try connection.run(
            """
            UPDATE "$queue" SET "status" = 'failed', "httpStatus" = ?2, "code" = ?3, "message" = ?4,
                "innerError" = ?5, "answer" = ?6 WHERE "id" = ?1
            """,
            [
                .integer(id), .integer(Int64(failure.httpStatus)), .text(failure.code),
                .text(failure.message), .init(failure.innerError), .init(failure.answer),
            ]
        )
        for dependent in try dependents(of: id) { try set(.parked, of: dependent) }
    }

    /// Forgets the refusal of a request and the identity that it was sent under: it waits again.
    func reset(_ id: Int64) throws {
        try connection.run(
            """
            UPDATE "$queue" SET "status" = 'pending', "unit" = NULL, "firstSent" = NULL,
                "httpStatus" = NULL, "code" = NULL, "message" = NULL, "innerError" = NULL,
                "answer" = NULL WHERE "id" = ?1
            """,
            [.integer(id)]
        )
    }

    /// Lets parked requests wait again whose dependencies are refused no more.
    func unpark() throws {
        try connection.execute(
            """
            WITH RECURSIVE "blocked"("id") AS (
                SELECT "id" FROM "$queue" WHERE "status" = 'failed'
                UNION SELECT "request" FROM "$depends" JOIN "blocked" ON "on" = "blocked"."id")
            UPDATE "$queue" SET "status" = 'pending'
            WHERE "status" = 'parked' AND "id" NOT IN (SELECT "id" FROM "blocked")
            """
        )
    }

    /// Returns the ids of all requests in their order.
    func order() throws -> [Int64] {
        var order: [Int64] = []
        try connection.forEachRow("SELECT \"id\" FROM \"$queue\" ORDER BY \"position\", \"id\"") {
            order.append($0.integer(0))
        }
        return order
    }

    /// Gives the positions of the queue to its requests in a new order; later requests still come after all of them.
    func setOrder(_ order: [Int64]) throws {
        let positions = try positions()
        for (id, position) in zip(order, positions) {
            try connection.run(
                "UPDATE \"$queue\" SET \"position\" = ?2 WHERE \"id\" = ?1 AND \"position\" <> ?2",
                [.integer(id), .integer(position)]
            )
        }
    }

    private func positions() throws -> [Int64] {
        var positions: [Int64] = []
        try connection.forEachRow("SELECT \"position\" FROM \"$queue\" ORDER BY \"position\"") {
            positions.append($0.integer(0))
        }
        return positions
    }

    /// Returns the requests that wait for one, directly or not.
    package func dependents(of id: Int64) throws -> [Int64] {
        var found: [Int64] = []
        try connection.forEachRow(
            """
            WITH RECURSIVE "waiting"("id") AS (
                SELECT "request" FROM "$depends" WHERE "on" = ?1
                UNION SELECT "request" FROM "$depends" JOIN "waiting" ON "on" = "waiting"."id")
            SELECT "id" FROM "waiting" ORDER BY "id"
            """,
            [.integer(id)]
        ) { found.append($0.integer(0)) }
        return found
    }
}

extension Scalar {
    /// Text, or null for nil.
    package init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    /// An integer, or null for nil.
    package init(_ number: Int64?) {
        self = number.map { .integer($0) } ?? .null
    }
}
