package import ODataSQLite
package import ODataSQL
import ODataValues
package import ODataAnswers

/// The streams of a store: what the application sees, what the service has, and what waiting requests make of them.
///
/// Contents are shared: the present one of a row, the service's, and the one that a request sends may be the same bytes. A content
/// that nothing names any more goes.
package struct StoreStreams {
    private let connection: SQLiteConnection
    private var streams: StreamTable { StreamTable(connection) }

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    // MARK: Local changes

    /// Makes a content the present one of a row, and states it in the row.
    func point(_ row: Int64, property: String, to content: Int64?, in table: TableLayout) throws {
        let former = try streams.point(row, property: property, to: content)
        try streams.writeControl(of: row, in: table, property: property)
        if let former { try sweep([former]) }
    }

    /// Remembers the service's content of a stream before the first local change of it.
    func keepBase(of row: Int64, _ property: String) throws {
        let present = try streams.head(of: row, property: property)?.content
        try connection.run(
            "INSERT OR IGNORE INTO \"$streamBase\" VALUES (?1, ?2, ?3)",
            [.integer(row), .text(property), .init(present)]
        )
    }

    /// Makes the streams of a row what the service has with the effects of the waiting requests laid over it.
    ///
    /// - Parameter isRestored: Whether the row is its base copy again, which states what the service has said of its streams.
    func rebuild(
        _ row: Int64,
        from effects: [ChangeEffect],
        in table: TableLayout,
        isRestored: Bool
    ) throws {
        var wanted: [String: Int64?] = [:]
        try connection.forEachRow(
            "SELECT \"property\", \"content\" FROM \"$streamBase\" WHERE \"row\" = ?1",
            [.integer(row)]
        ) { wanted[$0.string(0)] = .some($0.isNull(1) ? nil : $0.integer(1)) }
        var changed: Set<String> = []
        for case .stream(_, _, let property, let content) in effects {
            wanted[property] = .some(content)
            changed.insert(property)
        }
        for (property, content) in wanted {
            let former = try streams.point(row, property: property, to: content)
            // The content may be none for the reason only that it was never loaded.
            if content != nil || changed.contains(property) || !isRestored {
                try streams.writeControl(of: row, in: table, property: property)
            }
            if !changed.contains(property) { try removeBase(of: row, property) }
            if let former { try sweep([former]) }
        }
    }

    private func removeBase(of row: Int64, _ property: String) throws {
        try connection.run(
            "DELETE FROM \"$streamBase\" WHERE \"row\" = ?1 AND \"property\" = ?2",
            [.integer(row), .text(property)]
        )
    }

    // MARK: The service's side

    /// Takes a change that the service has carried out into its copy; the request must be out of the queue.
    package func fold(_ row: Int64, property: String, content: Int64?, in table: TableLayout) throws
    {
        let former = try base(of: row, property)
        let isChanged =
            try connection.integer(
                """
                SELECT 1 FROM "$effect" WHERE "row" = ?1 AND "column" = ?2
                    AND "kind" = \(EffectJournal.Kind.stream.rawValue) LIMIT 1
                """,
                [.integer(row), .text(property)]
            ) != nil
        if isChanged {
            try setBase(of: row, property: property, content: content)
        } else {
            try removeBase(of: row, property)
            try streams.writeControl(of: row, in: table, property: property)
        }
        if content == nil {
            try EmptyStreams(connection: connection)
                .insert(row, property: property, in: table, mediaETag: nil)
        }
        if let former { try sweep([former]) }
    }

    /// Whether the content of a stream is unknown: neither downloaded nor set locally, of an entity that was not created locally.
    package func isUnknown(_ row: Int64, property: String, in table: TableLayout) throws -> Bool {
        try connection.integer(
            """
            SELECT 1 FROM \(table.sql) WHERE "$id" = ?1 AND "$state" & \(RowState.created.rawValue) = 0
                AND NOT EXISTS (SELECT 1 FROM "$streamHead" WHERE "row" = ?1 AND "property" = ?2)
                AND NOT EXISTS (SELECT 1 FROM "$streamBase" WHERE "row" = ?1 AND "property" = ?2)
                AND NOT EXISTS (SELECT 1 FROM "$emptyStream" WHERE "row" = ?1 AND "property" = ?2)
            """,
            [.integer(row), .text(property)]
        ) != nil
    }

    /// Takes the content that the service has of a stream: shown at once unless a local change of the stream waits.
    ///
    /// The content is complete, and the entity's row exists; nil where the service has no content.
    package func setServerContent(
        _ content: Int64?,
        of row: Int64,
        property: String,
        in table: TableLayout
    ) throws {
        if try hasBase(of: row, property) {
            let former = try base(of: row, property)
            try setBase(of: row, property: property, content: content)
            if let former {
                if let content, try streams.isSame(content, as: former) {
                    try moveETag(row, property: property, from: former, to: content)
                } else {
                    try noteOvertaken(row, property: property)
                }
                try sweep([former])
            }
        } else {
            try point(row, property: property, to: content, in: table)
        }
    }

    /// The waiting changes of a stream were made on a content that has another ETag now, and is the same.
    private func moveETag(
        _ row: Int64,
        property: String,
        from former: Int64,
        to content: Int64
    ) throws {
        guard let old = try streams.head(content: former)?.etag else { return }
        let new = try streams.head(content: content)?.etag ?? ETagState.stale
        try connection.run(
            """
            UPDATE "$queue" SET "etag" = ?4 WHERE "row" = ?1 AND "streamProperty" = ?2 AND "etag" = ?3
            """,
            [.integer(row), .text(property), .text(old), .text(new)]
        )
    }

    /// Where no ETag says it, the waiting changes of a stream remember that they were made on a former content.
    private func noteOvertaken(_ row: Int64, property: String) throws {
        try connection.run(
            """
            UPDATE "$queue" SET "etag" = '\(ETagState.overtaken)'
            WHERE "row" = ?1 AND "streamProperty" = ?2 AND "etag" = '\(ETagState.stale)'
            """,
            [.integer(row), .text(property)]
        )
    }

    /// What the service is known to have of a stream; nil where it has none, or where none was downloaded.
    package func serverHead(of row: Int64, _ property: String) throws -> StreamTable.Head? {
        guard try hasBase(of: row, property) else {
            return try streams.head(of: row, property: property)
        }
        return try base(of: row, property).flatMap { try streams.head(content: $0) }
    }

    /// The media ETag under which a stream is changed: of the content that is here, else as the entity states it.
    ///
    /// The mark of a stale one, where the service took the content without stating it; and where a content was downloaded without an
    /// ETag, since that content alone can say then whether others have replaced it.
    package func expectedETag(of row: Int64, property: String, in table: TableLayout) throws
        -> String?
    {
        let head = try serverHead(of: row, property)
        if let head {
            if let etag = head.etag { return etag }
            if try streams.hasStaleETag(content: head.content) { return ETagState.stale }
        }
        let control = StreamControl(connection)
        if let etag = try control.value(.etag, of: row, property: property, in: table) {
            return etag
        }
        return try head == nil || isCreatedHere(row, in: table) ? nil : ETagState.stale
    }

    private func isCreatedHere(_ row: Int64, in table: TableLayout) throws -> Bool {
        try connection.integer(
            "SELECT \"$state\" & \(RowState.created.rawValue) FROM \(table.sql) WHERE \"$id\" = ?1",
            [.integer(row)]
        ) != 0
    }

    private func hasBase(of row: Int64, _ property: String) throws -> Bool {
        try connection.integer(
            "SELECT 1 FROM \"$streamBase\" WHERE \"row\" = ?1 AND \"property\" = ?2",
            [.integer(row), .text(property)]
        ) != nil
    }

    private func base(of row: Int64, _ property: String) throws -> Int64? {
        try connection.integer(
            "SELECT \"content\" FROM \"$streamBase\" WHERE \"row\" = ?1 AND \"property\" = ?2",
            [.integer(row), .text(property)]
        )
    }

    private func setBase(of row: Int64, property: String, content: Int64?) throws {
        try connection.run(
            "INSERT OR REPLACE INTO \"$streamBase\" VALUES (?1, ?2, ?3)",
            [.integer(row), .text(property), .init(content)]
        )
    }

    // MARK: Cleaning

    /// Forgets every stream of a row that goes.
    func remove(row: Int64) throws {
        try EmptyStreams(connection: connection).remove(row: row)
        var contents = try streams.unpoint(row)
        try connection.forEachRow(
            "DELETE FROM \"$streamBase\" WHERE \"row\" = ?1 RETURNING \"content\"",
            [.integer(row)]
        ) { if !$0.isNull(0) { contents.append($0.integer(0)) } }
        try sweep(contents)
    }

    /// Removes those of some contents that nothing names any more.
    package func sweep(_ contents: [Int64]) throws {
        for content in Set(contents) {
            let isNamed = try connection.integer(
                """
                SELECT EXISTS (SELECT 1 FROM "$streamHead" WHERE "content" = ?1)
                    OR EXISTS (SELECT 1 FROM "$streamBase" WHERE "content" = ?1)
                    OR EXISTS (SELECT 1 FROM "$effect"
                        WHERE "kind" = \(EffectJournal.Kind.stream.rawValue) AND "value" = ?1)
                """,
                [.integer(content)]
            )
            if try isNamed != 1 && !EventStreams(connection).keeps(content) {
                try streams.remove(content: content)
            }
        }
    }

    /// Removes contents that were begun before an instant (seconds since 1970) and never used: their writers are gone.
    package func sweepAbandoned(before: Int64) throws {
        var found: [Int64] = []
        try connection.forEachRow(
            "SELECT \"id\" FROM \"$content\" WHERE \"started\" > 0 AND \"started\" < ?1",
            [.integer(before)]
        ) { found.append($0.integer(0)) }
        try sweep(found)
    }
}
