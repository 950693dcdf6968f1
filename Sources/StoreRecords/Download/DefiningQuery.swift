package import ODataSQLite
import ODataValues
package import ODataModel
package import ODataTables

/// A query whose result the store holds, and how far its loading has come.
package struct DefiningQuery: Sendable {
    /// Name, unique in the store.
    package var name: String
    /// URL relative to the service root.
    package var url: String
    /// The bit of `$queries` that marks the rows it brings.
    package var slot: Int
    package var retrievesStreams: Bool
    /// The link at which the service reports changes since the last download.
    package var deltaLink: String?
    /// Where an interrupted first load goes on.
    package var nextLink: String?
    /// When it was last loaded, RFC 3339.
    package var lastDownload: String?
    /// Whether it has been loaded completely once.
    package var isLoaded: Bool
    /// Whether the next download must read it in full, whatever its delta link says.
    package var needsFullRead: Bool
    /// The ETag of the whole result, where it came in one page and nothing was uploaded since.
    package var etag: String?

    /// Whether it is a stored collection, which `download()` leaves alone.
    package var isStoredCollection = false

    package init(
        name: String,
        url: String,
        slot: Int,
        retrievesStreams: Bool,
        deltaLink: String? = nil,
        nextLink: String? = nil,
        lastDownload: String? = nil,
        isLoaded: Bool,
        needsFullRead: Bool,
        etag: String? = nil,
        isStoredCollection: Bool = false
    ) {
        self.name = name
        self.url = url
        self.slot = slot
        self.retrievesStreams = retrievesStreams
        self.deltaLink = deltaLink
        self.nextLink = nextLink
        self.lastDownload = lastDownload
        self.isLoaded = isLoaded
        self.needsFullRead = needsFullRead
        self.etag = etag
        self.isStoredCollection = isStoredCollection
    }

    /// Whether both mark their rows alike; a read of the keys alone has another URL than its query.
    package func isSame(as other: DefiningQuery) -> Bool {
        name == other.name && slot == other.slot
    }

    /// The bit as a number; queries beyond those that have one of their own share the last.
    package var bit: Int64 { keepsMembers ? DefiningQueries.memberBit : 1 << Int64(slot) }
    /// Whether the rows that it holds stand in `$member`, since it has no bit of its own.
    package var keepsMembers: Bool { slot >= DefiningQueries.maximumCount }
}

/// The defining queries of a store.
package struct DefiningQueries {
    private let connection: SQLiteConnection

    /// `$queries` has this many bits for single queries, and one that says that rows of `$member` hold the row; the sign is left
    /// alone.
    package static let maximumCount = 62
    /// The bit of a row that `$member` names.
    package static let memberBit = Int64(1) << Int64(maximumCount)

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Returns the queries in the order of their addition.
    package func all() throws -> [DefiningQuery] {
        var queries: [DefiningQuery] = []
        let answered = try "\(StoreSchema.version(connection)).\(AnswerCounter.value(connection))"
        try connection.forEachRow(
            "SELECT \(QueryColumn.statements.columns) FROM \"$query\" ORDER BY \"position\""
        ) { row in
            var query = DefiningQuery(Record(row))
            let mark = answered + " "
            query.etag = query.etag.flatMap { text in
                text.hasPrefix(mark) ? String(text.dropFirst(mark.count)) : nil
            }
            queries.append(query)
        }
        return queries
    }

    /// Calls a function with the URL of each query that was loaded, and with when it was so last.
    package func forEachDownload(_ body: (String, String) throws -> Void) throws {
        try connection.forEachRow(
            """
            SELECT "url", "lastDownload" FROM "$query" WHERE "lastDownload" IS NOT NULL
            """
        ) { try body($0.string(0), $0.string(1)) }
    }

    /// Under which key the time is kept at which a load straight into the store's table began, until it is complete.
    package static func begunKey(of name: String) -> String { "begun:" + name }

    /// Under which key the size of the pages is kept that the client cuts a result into itself.
    package static func pageSizeKey(of name: String) -> String { "pageSize:" + name }

    /// Adds a query; does nothing if one with the same name and URL exists, and gives one that was never loaded another URL.
    ///
    /// - Parameter model: The metadata, where it is known.
    /// - Throws: ``StoreError`` where the name stands for another URL of which something was loaded, or the result is no entities.
    package func add(
        name: String,
        url: String,
        retrievesStreams: Bool,
        model: EdmModel? = nil
    ) throws {
        try DefiningQueryCheck.check(name, url: url)
        if let model { try DefiningQueryCheck.check(name, url: url, in: model) }
        let known = try all()
        if let same = known.first(where: { $0.name == name }) {
            guard same.url != url else { return }
            // Of what no row was ever loaded the URL may have been a slip: nothing is lost with it.
            let hasBegun = try connection.metaValue(Self.begunKey(of: name)) != nil
            guard same.isLoaded || same.nextLink != nil || hasBegun else {
                return try replace(name, url: url, retrievesStreams: retrievesStreams)
            }
            throw StoreError(
                .invalid,
                "the store has a defining query \(name) with another URL: \(same.url); remove that one first, or give this one another name"
            )
        }
        let taken = Set(known.map(\.slot))
        let slot =
            try (0..<Self.maximumCount).first { !taken.contains($0) }
            ?? MemberRows(connection).freeSlot()
        var values = RecordValues<QueryColumn>()
        values[.name] = .text(name)
        values[.url] = .text(url)
        values[.slot] = .integer(Int64(slot))
        values[.streams] = .integer(retrievesStreams ? 1 : 0)
        values[.position] = .integer(try nextPosition())
        values[.isLoaded] = .integer(0)
        values[.needsFullRead] = .integer(0)
        try connection.insert(values)
    }

    private func replace(_ name: String, url: String, retrievesStreams: Bool) throws {
        try connection.run(
            "UPDATE \"$query\" SET \"url\" = ?2, \"streams\" = ?3 WHERE \"name\" = ?1",
            [.text(name), .text(url), .integer(retrievesStreams ? 1 : 0)]
        )
    }

    private func nextPosition() throws -> Int64 {
        1 + (try connection.integer("SELECT max(\"position\") FROM \"$query\"") ?? 0)
    }

    /// Writes down where the first load of a query goes on; not where another one has its name by now.
    package func setNextLink(_ link: String?, of query: DefiningQuery) throws {
        try connection.run(
            "UPDATE \"$query\" SET \"nextLink\" = ?3 WHERE \"name\" = ?1 AND \"url\" = ?2",
            [.text(query.name), .text(query.url), Scalar(link)]
        )
    }

    /// Writes down that a query has been loaded completely; not where another one has its name by now.
    package func finish(_ query: DefiningQuery, deltaLink: String?, etag: String? = nil) throws {
        let answered = try "\(StoreSchema.version(connection)).\(AnswerCounter.value(connection))"
        try connection.run(
            """
            UPDATE "$query" SET "isLoaded" = 1, "needsFullRead" = 0, "nextLink" = NULL, "deltaLink" = ?3,
                "lastDownload" = ?4, "etag" = ?5 WHERE "name" = ?1 AND "url" = ?2
            """,
            [
                .text(query.name), .text(query.url), Scalar(deltaLink), .text(Timestamp.now),
                Scalar(etag.map { answered + " " + $0 }),
            ]
        )
    }

    /// Makes the next download read a query in full, and a first load that was cut begin anew.
    package func forgetDelta(of name: String) throws {
        try connection.run(
            """
            UPDATE "$query" SET "deltaLink" = NULL, "nextLink" = NULL, "etag" = NULL, "needsFullRead" = 1
            WHERE "name" = ?1
            """,
            [.text(name)]
        )
    }

    /// Removes a query and what no other query covers; in a write transaction.
    ///
    /// What waits to be sent keeps its rows, which go when nothing waits any more (``RowCoverage/sweep()``).
    /// - Throws: ``StoreError`` where there is no such query.
    package func remove(_ name: String, schema: TableSchema?) throws {
        let queries = try all()
        guard let query = queries.first(where: { $0.name == name }) else {
            let known = queries.map(\.name).sorted().joined(separator: ", ")
            throw StoreError(
                .notFound,
                "the store has no defining query \(name)"
                    + (known.isEmpty ? "" : "; it has: \(known)")
            )
        }
        try connection.run("DELETE FROM \"$query\" WHERE \"name\" = ?1", [.text(name)])
        guard let schema else { return }
        try RowCoverage(connection, layout: schema.layout).release(query, others: all(), in: schema)
    }
}

extension DefiningQuery {
    /// Reads a query with its ETag as the file has it.
    fileprivate init(_ row: Record<QueryColumn>) {
        self.init(
            name: row.string(.name),
            url: row.string(.url),
            slot: Int(row.integer(.slot)),
            retrievesStreams: row.integer(.streams) != 0,
            deltaLink: row.optionalString(.deltaLink),
            nextLink: row.optionalString(.nextLink),
            lastDownload: row.optionalString(.lastDownload),
            isLoaded: row.integer(.isLoaded) != 0,
            needsFullRead: row.integer(.needsFullRead) != 0,
            etag: row.optionalString(.etag)
        )
    }
}
