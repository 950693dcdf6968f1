package import StoreRecords
package import ODataSQLite
import ODataSQL
import ODataValues
package import ODataModel
import ODataURL
package import ODataTables

/// Where the service may show an entity that it has created without returning its key.
package struct IdentityQuestion: Sendable {
    package var row: Int64
    package var source: NavigationSource
    /// What to read: relative to the service root, or where the service has said that the entity is.
    package var url: String
    /// Whether the service has named the URL: by the key that was sent, another entity may be found.
    package var isNamedByService: Bool

    /// The question after the answer to a creation; nil if the answer contains the key, or no request waits for it.
    package init?(
        after entry: QueueEntry,
        success: UploadRecorder.Success,
        on connection: SQLiteConnection,
        schema: TableSchema
    ) throws {
        guard entry.isCreation, !entry.flags.contains(.upsert), let row = entry.row,
            let table = schema.table(of: entry),
            !table.keyColumns.isEmpty
        else { return nil }
        let key = try ReturnedKey(connection, schema: schema).key(success, in: table)
        let children = try Self.children(of: entry, connection)
        let areShown =
            try children.isEmpty || Self.shows(success.representation, of: entry, in: schema)
        let awaited = try Self.isAwaited(row, of: entry, on: connection)
        let awaitedChildren = try children.contains {
            try Self.isAwaited($0, of: entry, on: connection)
        }
        guard key == nil && (awaited || awaitedChildren) || !areShown && awaitedChildren else {
            return nil
        }
        let convention = LinkConvention(schema, root: try ServiceRoot.text(connection))
        let stated = [success.location, success.entityID].compactMap { $0 }
            .map(convention.normalized).first(where: convention.isOwn)
        var known: String?
        if let key {
            known = EntityURL(model: schema.model, version: .v4).canonical(table.source, key: key)
        }
        try self.init(row, in: table, stated: known ?? stated, on: connection, schema: schema)
        if !areShown { try expand(entry, in: schema) }
    }

    /// The question for an entity that was created before.
    package init?(
        of row: Int64,
        in table: String,
        on connection: SQLiteConnection,
        schema: TableSchema
    ) throws {
        guard let table = schema.layout.table(named: table) else { return nil }
        let convention = LinkConvention(schema, root: try ServiceRoot.text(connection))
        let stated = try EntityAddresses(connection).address(of: row)?.target
        try self.init(
            row,
            in: table,
            stated: stated.flatMap { convention.isOwn($0) ? $0 : nil },
            on: connection,
            schema: schema
        )
    }

    private init?(
        _ row: Int64,
        in table: TableLayout,
        stated: String?,
        on connection: SQLiteConnection,
        schema: TableSchema
    ) throws {
        self.row = row
        source = table.source
        isNamedByService = stated != nil
        let rows = RowEditor(connection, layout: schema.layout)
        let sent = try EntityLink(rows, includesDeleted: true)
            .link(RowReference(source: table.source, row: row))
        guard let link = stated ?? sent, !LocalIDText.isIn(link) else { return nil }
        url = WireForm(schema, root: try ServiceRoot.text(connection) ?? "").url(link)
    }

    /// Asks for the entities that were created inline too.
    private mutating func expand(_ entry: QueueEntry, in schema: TableSchema) throws {
        guard let body = try QueuedBody.read(entry, in: schema), !body.inline.isEmpty else {
            return
        }
        url += (url.contains("?") ? "&" : "?") + "$expand="
        url += Self.expand(body, in: schema).joined(separator: ",")
    }

    /// The items of `$expand` that bring what a body has inline, at every depth.
    private static func expand(_ body: EntityBody, in schema: TableSchema) -> [String] {
        var items: [String] = []
        for inline in body.inline {
            let name = schema.model[inline.navigation].name
            let below = Set(inline.entities.flatMap { expand($0, in: schema) }).sorted()
            if schema.model.version.isV4 {
                items.append(
                    below.isEmpty ? name : "\(name)($expand=\(below.joined(separator: ",")))"
                )
            } else {
                items += [name] + below.map { name + "/" + $0 }
            }
        }
        return items
    }

    /// Whether an answer shows entities inside of entities as deep as they were sent.
    private static func shows(_ answer: EntityBody?, of entry: QueueEntry, in schema: TableSchema)
        throws -> Bool
    {
        guard let answer, let sent = try QueuedBody.read(entry, in: schema) else { return false }
        return depth(answer) >= depth(sent)
    }

    /// How many levels of entities stand inside of one.
    private static func depth(_ body: EntityBody) -> Int {
        body.inline.flatMap(\.entities).map { depth($0) + 1 }.max() ?? 0
    }

    private static func children(of entry: QueueEntry, _ connection: SQLiteConnection) throws
        -> [Int64]
    {
        try EffectJournal(connection).effects(of: entry.id)
            .filter { $0.isInsertion && $0.row?.row != entry.row }.compactMap { $0.row?.row }
    }

    /// Whether another request names a row.
    private static func isAwaited(
        _ row: Int64,
        of entry: QueueEntry,
        on connection: SQLiteConnection
    ) throws -> Bool {
        try connection.integer(
            """
            SELECT 1 FROM "$queue" WHERE "row" = ?1 AND "id" <> ?2
            UNION ALL SELECT 1 FROM "$refers" WHERE "row" = ?1 AND "request" <> ?2 LIMIT 1
            """,
            [.integer(row), .integer(entry.id)]
        ) != nil
    }
}
