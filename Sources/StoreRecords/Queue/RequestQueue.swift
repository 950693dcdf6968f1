package import ODataSQLite
package import ODataValues

/// The requests of a store, waiting and refused, on one connection.
package struct RequestQueue {
    let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Returns the requests in the given states, in the order in which they are sent.
    package func entries(_ statuses: [QueueEntry.Status]) throws -> [QueueEntry] {
        try entries(where: Self.isOne(of: statuses), [])
    }

    /// Returns the numbers of the requests in the given states, in the order in which they are sent.
    package func ids(_ statuses: [QueueEntry.Status]) throws -> [Int64] {
        var ids: [Int64] = []
        try connection.forEachRow(
            "SELECT \"id\" FROM \"$queue\" WHERE \(Self.isOne(of: statuses)) ORDER BY \"position\""
        ) { ids.append($0.integer(0)) }
        return ids
    }

    /// Counts the requests in the given states.
    package func count(of statuses: [QueueEntry.Status]) throws -> Int {
        let count = try connection.integer(
            "SELECT count(*) FROM \"$queue\" WHERE \(Self.isOne(of: statuses))"
        )
        return Int(count ?? 0)
    }

    private static func isOne(of statuses: [QueueEntry.Status]) -> String {
        let list = statuses.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return "\"status\" IN (\(list))"
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
    /// any member stands for all; one that has a member whose outcome is not known waits for that.
    ///
    /// - Parameters:
    ///   - categories: Only these; the empty one is that of requests without category.
    ///   - newest: None behind this one.
    package func ready(limit: Int, categories: Set<String>?, newest: Int64 = .max) throws
        -> [QueueEntry]
    {
        var values: [Scalar] = [.integer(Int64(limit)), .integer(newest)]
        var chosen = "AND \"id\" <= ?2"
        if let categories {
            let places = categories.sorted().map { category in
                values.append(.text(category))
                return "?\(values.count)"
            }
            chosen += " AND coalesce(\"category\", '') IN (\(places.joined(separator: ", ")))"
        }
        // As long as none was moved, the order of ids is that of positions, and the index of states has it.
        let isMoved =
            try connection.integer(
                "SELECT 1 FROM \"$queue\" WHERE \"position\" <> \"id\" LIMIT 1"
            ) != nil
        return try entries(
            where: """
                "status" = 'pending' \(chosen) AND CASE WHEN "transaction" IS NULL
                    THEN NOT EXISTS (SELECT 1 FROM "$depends" d WHERE d."request" = "$queue"."id")
                    ELSE NOT EXISTS (SELECT 1 FROM "$queue" m
                        WHERE m."transaction" = "$queue"."transaction" AND m."status" <> 'pending')
                    AND NOT EXISTS (SELECT 1 FROM "$queue" m JOIN "$depends" d ON d."request" = m."id"
                        JOIN "$queue" o ON o."id" = d."on"
                        WHERE m."transaction" = "$queue"."transaction"
                            AND o."transaction" IS NOT m."transaction") END
                """,
            values,
            order: isMoved ? "position" : "id",
            limit: "LIMIT ?1"
        )
    }

    /// Returns the requests behind an id that call an operation.
    package func calls(after id: Int64) throws -> [QueueEntry] {
        try entries(
            where: "\"id\" > ?1 AND \"flags\" & \(QueueEntry.Flags.operation.rawValue) <> 0",
            [.integer(id)]
        )
    }

    /// Returns the members of a transaction, in order.
    package func entries(inTransaction transaction: String) throws -> [QueueEntry] {
        try entries(where: "\"transaction\" = ?1", [.text(transaction)])
    }

    private func entries(
        where condition: String,
        _ values: [Scalar],
        order: String = "position",
        limit: String = ""
    ) throws -> [QueueEntry] {
        var entries: [QueueEntry] = []
        try connection.forEachRow(
            "SELECT \(QueueColumn.statements.columns) FROM \"$queue\" WHERE \(condition) ORDER BY \(order.sqlQuoted) \(limit)",
            values
        ) { entries.append(QueueEntry(Record($0))) }
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

    package func dependencies(of id: Int64) throws -> [Int64] {
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
}

extension QueueEntry {
    /// Reads an entry; what it depends on stands in a table of its own.
    fileprivate init(_ row: Record<QueueColumn>) {
        let status = Status(rawValue: row.string(.status)) ?? .pending
        var failure: Failure?
        // What was noted of a request that is being sent is not the end of it.
        if status != .sending, !row.isNull(.httpStatus) || !row.isNull(.message) {
            failure = Failure(
                httpStatus: Int(row.integer(.httpStatus)),
                code: row.string(.code),
                message: row.string(.message),
                innerError: row.optionalString(.innerError),
                answer: row.optionalString(.answer)
            )
        }
        self.init(
            id: row.integer(.id),
            status: status,
            method: row.string(.method),
            url: row.string(.url),
            body: row.optionalString(.body),
            source: row.optionalString(.source),
            row: row.optionalInteger(.row),
            stream: row.optionalInteger(.stream),
            streamProperty: row.optionalString(.streamProperty),
            etag: row.optionalString(.etag),
            labels: Self.labels(row),
            category: row.optionalString(.category),
            transaction: row.optionalString(.transaction),
            headers: row.optionalString(.headers),
            flags: Flags(rawValue: row.integer(.flags)),
            dependsOn: [],
            unit: row.optionalString(.unit),
            firstSent: row.optionalString(.firstSent),
            failure: failure
        )
    }

    private static func labels(_ row: Record<QueueColumn>) -> [QueueColumn: String] {
        var labels: [QueueColumn: String] = [:]
        for column in QueueColumn.labels { labels[column] = row.optionalString(column) }
        return labels
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
