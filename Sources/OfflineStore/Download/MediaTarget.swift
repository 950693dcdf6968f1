import ODataModel
import ODataProtocol
import ODataService
import ODataTables

/// A media entity, and what the store knows of its stream.
package struct MediaTarget: Sendable {
    let row: Int64
    let source: NavigationSource
    /// Where the stream is: as the service said, else by convention.
    package let link: String
    /// The stream's ETag as the entity tells it.
    package let etag: String?
    /// That of the content that is stored.
    package let storedETag: String?
    let hasContent: Bool

    /// Whether the stream may be another one than the stored.
    package var isOutdated: Bool { !hasContent || etag == nil || etag != storedETag }

    /// Returns the media entities that a query brings.
    package static func all(of query: DefiningQuery, _ store: LocalStore) async throws
        -> [MediaTarget]
    {
        try await store.file.read { connection in
            let schema = try store.schema(connection)
            var targets: [MediaTarget] = []
            for table in schema.layout.orderedTables {
                guard table.types.contains(where: { schema.model.hasStream($0) }),
                    try TableCatalog(connection, schema.layout).exists(table.name)
                else { continue }
                try connection.forEachRow(
                    """
                    SELECT "$id", json_extract("$control", '$."@odata.mediaEtag"'),
                        json_extract("$control", '$."@odata.mediaReadLink"') FROM \(table.sql)
                    WHERE "$queries" & ?1 <> 0 ORDER BY "$id"
                    """,
                    [.integer(query.bit)]
                ) { row in
                    let target = try target(
                        RowReference(source: table.source, row: row.integer(0)),
                        etag: row.optionalString(1),
                        link: row.optionalString(2),
                        connection,
                        schema
                    )
                    if let target { targets.append(target) }
                }
            }
            return targets
        }
    }

    /// Returns the media entity at a URL relative to the service root; nil where the store has none there.
    package static func one(_ url: String, _ store: LocalStore) async throws -> MediaTarget? {
        try await store.read { query, schema in
            guard
                case .entities(let path) = try BoundRequest(ofService: url, in: schema.model)
                    .resource, let row = try query.rows(path).first,
                let table = schema.layout[row.source]
            else { return nil }
            let control = try RowEditor(query.connection, schema.layout)
                .value(SystemColumn.control.sql, of: row.row, in: table)
            guard case .text(let text)? = control else {
                return try target(row, etag: nil, link: nil, query.connection, schema)
            }
            let (etag, link) =
                try query.connection.firstRow(
                    """
                    SELECT json_extract(?1, '$."@odata.mediaEtag"'),
                        json_extract(?1, '$."@odata.mediaReadLink"')
                    """,
                    [.text(text)]
                ) { ($0.optionalString(0), $0.optionalString(1)) } ?? (nil, nil)
            return try target(row, etag: etag, link: link, query.connection, schema)
        }
    }

    private static func target(
        _ row: RowReference,
        etag: String?,
        link: String?,
        _ connection: SQLiteConnection,
        _ schema: TableSchema
    ) throws -> MediaTarget? {
        let form = WireForm(schema, root: try ServiceRoot.text(connection) ?? "")
        let entity = try EntityLink(RowEditor(connection, schema.layout)).link(row)
        guard let link = link ?? entity.map({ form.url($0) + "/$value" }) else { return nil }
        let head = try StoreStreams(connection).serverHead(of: row.row, "")
        return MediaTarget(
            row: row.row,
            source: row.source,
            link: link,
            etag: etag,
            storedETag: head?.etag,
            hasContent: head != nil
        )
    }

    /// Makes a content the service's; nil where the service has none.
    package func setContent(_ content: Int64?, etag: String? = nil, _ store: LocalStore)
        async throws
    {
        try await store.file.write { connection in
            let schema = try store.schema(connection)
            guard let table = schema.layout[source],
                try RowEditor(connection, schema.layout).values(of: row, in: table) != nil
            else {
                if let content { try StoreStreams(connection).sweep([content]) }
                return
            }
            if let content { try StreamTable(connection).setETag(etag, of: content) }
            try StoreStreams(connection).setServerContent(content, of: row, "", in: table)
        }
    }
}
