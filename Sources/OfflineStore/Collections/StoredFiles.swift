package import ODataSQLite
package import StoreRecords
import ODataSQL
import ODataValues
import ODataAnswers
package import ODataTables

/// Contents of streams that fetch policies have brought.
///
/// Each has a stored collection of the stream's URL, which holds the entity. It counts as never fetched, since it makes the entity no
/// newer: only the time of its fetch is set.
///
///     $collection "Photos(1)/$value" ──$member──> row of Photos(1) <──$streamHead── $content
package struct StoredFiles {
    private let connection: SQLiteConnection
    private let schema: TableSchema

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// What the service has of a stream.
    package enum Content: Sendable {
        /// What the store has.
        case unchanged
        /// Received as a whole, into a content that nothing names yet.
        case received(Int64, etag: String?)
    }

    // MARK: Taking

    /// Makes a content that was fetched the service's, and notes when it was.
    ///
    /// - Parameters:
    ///   - answered: The number of answered changes when the fetch began.
    ///   - note: Completes what is known of the copy; it is given the bytes that it takes.
    /// - Returns: False where a change of the stream was on its way meanwhile, so that the content may be older than that.
    package func take(
        _ content: Content,
        of target: MediaTarget,
        url: String,
        answered: Int64,
        note: (inout StoredCollection, _ byteCount: Int64) -> Void
    ) throws -> Bool {
        guard try isCurrent(target, answered: answered),
            let table = schema.layout[target.source],
            try RowEditor(connection, layout: schema.layout).values(of: target.row, in: table)
                != nil
        else {
            if case .received(let content, _) = content {
                try StoreStreams(connection).sweep([content])
            }
            return false
        }
        if case .received(let content, let etag) = content {
            try StreamTable(connection).setETag(etag ?? target.etag, of: content)
            try StoreStreams(connection)
                .setServerContent(content, of: target.row, property: target.property, in: table)
        }
        let collections = StoredCollections(connection)
        var collection = try collections.ensure(named: url, url: url)
        try hold(target.row, in: table, by: collection)
        let isDurable = try HeldFile.isDurable(target.row, in: table, on: connection)
        let head = try StoreStreams(connection).serverHead(of: target.row, target.property)
        note(&collection, isDurable ? 0 : head?.byteCount ?? 0)
        try collections.update(collection)
        return true
    }

    /// Whether no change of the stream was sent or answered since its fetch began.
    private func isCurrent(_ target: MediaTarget, answered: Int64) throws -> Bool {
        guard try AnswerCounter.value(connection) == answered else { return false }
        return try connection.integer(
            """
            SELECT 1 FROM "$queue" WHERE "row" = ?1 AND "streamProperty" = ?2 AND "status" = 'sending'
            LIMIT 1
            """,
            [.integer(target.row), .text(target.property)]
        ) == nil
    }

    /// The entity stays as long as the copy of its file.
    private func hold(_ row: Int64, in table: TableLayout, by collection: StoredCollection) throws {
        try connection.run(
            "INSERT OR IGNORE INTO \"$member\" (\"query\", \"row\") VALUES (?1, ?2)",
            [.integer(Int64(collection.slot)), .integer(row)]
        )
        let catalog = TableCatalog(connection, layout: schema.layout)
        for name in try catalog.versions(of: table) {
            try connection.run(
                "UPDATE \(name.sqlQuoted) SET \"$queries\" = \"$queries\" | ?2 WHERE \"$id\" = ?1",
                [.integer(row), .integer(DefiningQueries.memberBit)]
            )
        }
    }

    // MARK: Dropping

    /// Whether a stored collection is the copy of a file.
    static func isFile(_ collection: StoredCollection) -> Bool {
        !collection.isFetched && collection.fetched != nil
    }

    /// Removes the content of a copy; what is changed here, or brought by a defining query, stays.
    func drop(_ collection: StoredCollection) throws {
        guard Self.isFile(collection),
            let address = try StreamAddress(collection.url, in: schema.model),
            let found = try TableQuery(connection, layout: schema.layout).rows(address.owner).first,
            let table = schema.layout[found.source],
            try !HeldFile.isChanged(found.row, property: address.property, on: connection),
            try !HeldFile.isDurable(found.row, in: table, on: connection)
        else { return }
        let former = try StreamTable(connection).point(
            found.row,
            property: address.property,
            to: nil
        )
        if let former { try StoreStreams(connection).sweep([former]) }
    }
}
