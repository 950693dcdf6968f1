package import ODataSQLite
package import ODataValues

/// What each waiting request did to rows and links, kept until the request is carried out or dropped.
///
/// Together with the base copies it says what the store looks like with any of the requests left out: a row is its base copy
/// with the effects of the remaining requests laid over it in order, a link exists if the last of them says so.
///
/// That a creation inserted the row which it is about is said by its flags alone (`QueueEntry.Flags.insertsOwnRow`).
package struct EffectJournal {
    let connection: SQLiteConnection

    /// How an effect stands in the file.
    package enum Kind: Int64, Sendable {
        /// A row was made.
        case inserted = 0
        /// A value was set.
        case set = 1
        /// A row was deleted.
        case deleted = 2
        /// A link was made.
        case linked = 3
        /// A link was removed.
        case unlinked = 4
        /// A stream was given another content.
        case stream = 5
    }

    /// How the creation, a value and the deletion of a row stand in the file, in a list.
    package static let kindsOfRows = [Kind.inserted, .set, .deleted].map { String($0.rawValue) }
        .joined(separator: ", ")

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Whether a queue entry `q` inserted its own row.
    private static let insertsOwnRow = "q.\"flags\" & \(QueueEntry.Flags.insertsOwnRow.rawValue)"

    // MARK: Writing

    /// Appends what a request did, but for the insertion of its own row.
    package func add(_ effects: [ChangeEffect], of request: Int64) throws {
        for effect in effects { try connection.insert(Self.values(of: effect, request)) }
    }

    private static func values(of effect: ChangeEffect, _ request: Int64)
        -> RecordValues<EffectColumn>
    {
        var values = RecordValues<EffectColumn>()
        values[.request] = .integer(request)
        func note(_ kind: Kind, in table: String, row: Int64) {
            values[.kind] = .integer(kind.rawValue)
            values[.table] = .text(table)
            values[.row] = .integer(row)
        }
        switch effect {
        case .inserted(let table, let row): note(.inserted, in: table, row: row)
        case .deleted(let table, let row): note(.deleted, in: table, row: row)
        case .set(let table, let row, let column, let value):
            note(.set, in: table, row: row)
            values[.column] = .text(column)
            values[.value] = value
        case .link(let link, let isAdded):
            note(isAdded ? .linked : .unlinked, in: link.table, row: link.source)
            values[.target] = .integer(link.target)
        case .stream(let table, let row, let property, let content):
            note(.stream, in: table, row: row)
            values[.column] = .text(property)
            values[.value] = Scalar(content)
        }
        return values
    }

    /// Forgets what a request did.
    package func remove(_ request: Int64) throws {
        try connection.run("DELETE FROM \"$effect\" WHERE \"request\" = ?1", [.integer(request)])
    }

    /// Forgets everything about a row that is gone.
    package func remove(row: Int64) throws {
        try connection.run(
            "DELETE FROM \"$effect\" WHERE \"row\" = ?1 OR \"target\" = ?1",
            [.integer(row)]
        )
        try connection.run(
            "DELETE FROM \"$baselink\" WHERE \"source\" = ?1 OR \"target\" = ?1",
            [.integer(row)]
        )
        try StoreStreams(connection).remove(row: row)
        try MemberRows(connection).remove(row: row)
    }

    /// Puts a key that has become known in the place of the value that stood for it.
    package func replace(_ old: Scalar, by new: Scalar, in table: String, column: String) throws {
        try connection.run(
            """
            UPDATE "$effect" SET "value" = ?2
            WHERE "value" = ?1 AND length("value") IN (16, 32) AND "table" = ?3 AND "column" = ?4
            """,
            [old, new, .text(table), .text(column)]
        )
    }

    // MARK: Reading

    /// Returns what a request did, in order.
    package func effects(of request: Int64) throws -> [ChangeEffect] {
        try effects("e.\"request\" = ?1", own: "q.\"id\" = ?1", values: [.integer(request)])
    }

    /// Returns the contents that a request gives to streams.
    package func contents(of request: Int64) throws -> [Int64] {
        try ids(
            "SELECT \"value\" FROM \"$effect\" WHERE \"request\" = ?1 AND \"kind\" = \(Kind.stream.rawValue) AND \"value\" IS NOT NULL",
            values: [.integer(request)]
        )
    }

    /// Returns what the waiting requests do to a row, in the order of the queue.
    func effects(on row: Int64) throws -> [ChangeEffect] {
        try effects(
            "e.\"row\" = ?1 AND e.\"target\" IS NULL",
            own: "q.\"row\" = ?1",
            values: [.integer(row)]
        )
    }

    /// Returns what the waiting requests do to a link, in the order of the queue.
    package func effects(on link: RowLink) throws -> [ChangeEffect] {
        try effects(
            "e.\"row\" = ?1 AND e.\"target\" = ?2 AND e.\"table\" = ?3",
            own: nil,
            values: [.integer(link.source), .integer(link.target), .text(link.table)]
        )
    }

    /// Effects where a condition holds, with the insertion of requests' own rows where another one does.
    private func effects(
        _ condition: String,
        own: String?,
        values: [Scalar]
    ) throws -> [ChangeEffect] {
        var sql = """
            SELECT \(Self.columns), q."position" AS "p"
            FROM "$effect" e JOIN "$queue" q ON q."id" = e."request" WHERE \(condition)
            """
        if let own {
            // The local id, which every created row has, leads to its table.
            sql += """
                 UNION ALL SELECT \(Self.ownInsertion), q."position"
                FROM "$queue" q JOIN "$local" l ON l."row" = q."row" WHERE \(own) AND \(Self.insertsOwnRow)
                """
        }
        var effects: [ChangeEffect] = []
        try connection.forEachRow(sql + " ORDER BY \"p\", \"id\"", values) { row in
            if let effect = Self.effect(Record(row)) { effects.append(effect) }
        }
        return effects
    }

    /// All columns of an effect `e`.
    private static let columns = EffectColumn.allCases.map { "e.\($0.sql) AS \($0.sql)" }
        .joined(separator: ", ")

    /// The same columns of the insertion of a request's own row, which stands in no row of the table.
    private static let ownInsertion = EffectColumn.allCases.map { column in
        switch column {
        case .id: "0"
        case .request: "q.\"id\""
        case .kind: String(Kind.inserted.rawValue)
        case .table: "l.\"table\""
        case .row: "q.\"row\""
        case .target, .column, .value: "NULL"
        }
    }
    .joined(separator: ", ")

    private static func effect(_ row: Record<EffectColumn>) -> ChangeEffect? {
        let (table, id) = (row.string(.table), row.integer(.row))
        switch Kind(rawValue: row.integer(.kind)) {
        case .inserted: return .inserted(table: table, row: id)
        case .deleted: return .deleted(table: table, row: id)
        case .set:
            return .set(
                table: table,
                row: id,
                column: row.string(.column),
                value: row.scalar(.value)
            )
        case .stream:
            return .stream(
                table: table,
                row: id,
                property: row.string(.column),
                content: row.optionalInteger(.value)
            )
        case .linked:
            let link = RowLink(table: table, source: id, target: row.integer(.target))
            return .link(link, isAdded: true)
        case .unlinked:
            let link = RowLink(table: table, source: id, target: row.integer(.target))
            return .link(link, isAdded: false)
        case nil: return nil
        }
    }

    /// Returns the waiting requests that create, change or delete a row, those first that go first.
    package func requests(on row: Int64) throws -> [Int64] {
        try ids(
            """
            SELECT "id" FROM "$queue" WHERE "row" = ?1 OR "id" IN (
                SELECT "request" FROM "$effect" WHERE "row" = ?1 AND "target" IS NULL)
            ORDER BY "position"
            """,
            values: [.integer(row)]
        )
    }

    /// Returns the requests that make or end links in a table.
    package func requests(linkingIn table: String) throws -> Set<Int64> {
        Set(
            try ids(
                """
                SELECT DISTINCT "request" FROM "$effect" WHERE "table" = ?1
                    AND "kind" IN (\(Kind.linked.rawValue), \(Kind.unlinked.rawValue))
                """,
                values: [.text(table)]
            )
        )
    }

    /// Returns the requests that give values to one of some columns.
    package func requests(setting columns: [String], in table: String) throws -> Set<Int64> {
        let places = columns.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        return Set(
            try ids(
                """
                SELECT DISTINCT "request" FROM "$effect" WHERE "table" = ?1
                    AND "kind" = \(Kind.set.rawValue) AND "column" IN (\(places))
                """,
                values: [.text(table)] + columns.map { .text($0) }
            )
        )
    }

    /// Returns the requests that make or end a link.
    func requests(on link: RowLink) throws -> [Int64] {
        try ids(
            """
            SELECT DISTINCT "request" FROM "$effect"
            WHERE "row" = ?1 AND "target" = ?2 AND "table" = ?3 ORDER BY "request"
            """,
            values: [.integer(link.source), .integer(link.target), .text(link.table)]
        )
    }

    /// Returns the request that creates a row; nil where the service has it.
    package func creator(of row: Int64) throws -> Int64? {
        try connection.integer(
            """
            SELECT q."id" FROM "$queue" q WHERE q."row" = ?1 AND \(Self.insertsOwnRow)
            UNION ALL SELECT "request" FROM "$effect"
            WHERE "row" = ?1 AND "kind" = \(Kind.inserted.rawValue)
            """,
            [.integer(row)]
        )
    }

    /// The request that deletes a row, itself or with another; nil where none does.
    package func deleter(of row: Int64) throws -> Int64? {
        try connection.integer(
            "SELECT \"request\" FROM \"$effect\" WHERE \"row\" = ?1 AND \"kind\" = \(Kind.deleted.rawValue)",
            [.integer(row)]
        )
    }

    /// How many rows of each table waiting requests delete, and refused ones among them.
    package func deletedCounts() throws -> [String: (all: Int, refused: Int)] {
        var counts: [String: (all: Int, refused: Int)] = [:]
        try connection.forEachRow(
            """
            SELECT e."table", count(DISTINCT e."row"),
                count(DISTINCT e."row") FILTER (WHERE q."status" = 'failed')
            FROM "$effect" e JOIN "$queue" q ON q."id" = e."request"
            WHERE e."kind" = \(Kind.deleted.rawValue) GROUP BY e."table"
            """
        ) { counts[$0.string(0)] = (Int($0.integer(1)), Int($0.integer(2))) }
        return counts
    }

    /// The columns of a row that waiting requests write.
    package func writtenColumns(of row: Int64) throws -> Set<String> {
        var columns: Set<String> = []
        for case .set(_, _, let column, _) in try effects(on: row) { columns.insert(column) }
        return columns
    }

    /// The links of a table that waiting requests add, in the order of the queue.
    package func added(in table: String) throws -> [(link: RowLink, request: Int64)] {
        var found: [(link: RowLink, request: Int64)] = []
        try connection.forEachRow(
            """
            SELECT e."row", e."target", e."request" FROM "$effect" e JOIN "$queue" q ON q."id" = e."request"
            WHERE e."table" = ?1 AND e."kind" = \(Kind.linked.rawValue) ORDER BY q."position", e."id"
            """,
            [.text(table)]
        ) { row in
            let link = RowLink(table: table, source: row.integer(0), target: row.integer(1))
            found.append((link, row.integer(2)))
        }
        return found
    }

    private func ids(_ sql: String, values: [Scalar]) throws -> [Int64] {
        var found: [Int64] = []
        try connection.forEachRow(sql, values) { found.append($0.integer(0)) }
        return found
    }

    // MARK: Links as the service has them

    /// Remembers whether a link was there before the first local change of it.
    package func keepBase(of link: RowLink, isThere: Bool) throws {
        try connection.run(
            "INSERT OR IGNORE INTO \"$baselink\" VALUES (?1, ?2, ?3, ?4)",
            [
                .text(link.table), .integer(link.source), .integer(link.target),
                .integer(isThere ? 1 : 0),
            ]
        )
    }

    /// Sets whether the service has a link that is changed here.
    package func setBase(of link: RowLink, isThere: Bool) throws {
        try connection.run(
            """
            UPDATE "$baselink" SET "isThere" = ?4 WHERE "table" = ?1 AND "source" = ?2 AND "target" = ?3
            """,
            [
                .text(link.table), .integer(link.source), .integer(link.target),
                .integer(isThere ? 1 : 0),
            ]
        )
    }

    /// Rows that the service has linked to a row, among the links that are changed here.
    package func baseLinked(to row: Int64, in table: String, isReversed: Bool) throws -> [Int64] {
        let (near, far) = isReversed ? ("target", "source") : ("source", "target")
        return try ids(
            """
            SELECT "\(far)" FROM "$baselink" WHERE "table" = ?1 AND "\(near)" = ?2 AND "isThere" <> 0
            """,
            values: [.text(table), .integer(row)]
        )
    }

    /// Rows that waiting requests link to a row.
    func newlyLinked(to row: Int64, in table: String, isReversed: Bool) throws -> [Int64] {
        let (near, far) = isReversed ? ("target", "row") : ("row", "target")
        return try ids(
            """
            SELECT "\(far)" FROM "$effect" WHERE "table" = ?1 AND "\(near)" = ?2
                AND "kind" = \(Kind.linked.rawValue)
            """,
            values: [.text(table), .integer(row)]
        )
    }

    /// Whether the service has a link; nil where it is not changed here.
    package func base(of link: RowLink) throws -> Bool? {
        try connection.integer(
            "SELECT \"isThere\" FROM \"$baselink\" WHERE \"table\" = ?1 AND \"source\" = ?2 AND \"target\" = ?3",
            [.text(link.table), .integer(link.source), .integer(link.target)]
        ).map { $0 != 0 }
    }

    /// Forgets what the service has of a link: nothing changes it here any more.
    package func removeBase(of link: RowLink) throws {
        try connection.run(
            "DELETE FROM \"$baselink\" WHERE \"table\" = ?1 AND \"source\" = ?2 AND \"target\" = ?3",
            [.text(link.table), .integer(link.source), .integer(link.target)]
        )
    }
}
