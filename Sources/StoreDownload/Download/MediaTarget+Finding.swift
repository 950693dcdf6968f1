package import StoreRecords
package import OfflineStore
import ODataSQL
import ODataText
import ODataSQLite
import ODataBinding
import ODataValues
import StoreUpload
import ODataModel
import ODataAnswers
import ODataTables

extension MediaTarget {
    /// Returns the streams of the entities that a query brings.
    package static func all(of query: DefiningQuery, _ store: LocalStore) async throws
        -> [MediaTarget]
    {
        try await store.file.read { connection in
            let schema = try store.schema(connection)
            var targets: [MediaTarget] = []
            for table in schema.layout.orderedTables {
                guard table.types.contains(where: { !streams(of: $0, schema).isEmpty }),
                    try TableCatalog(connection, layout: schema.layout).exists(table.name)
                else { continue }
                let found = try rows(
                    of: table,
                    on: connection,
                    in: schema,
                    where: query.holds(),
                    parameter: nil
                )
                targets += found
            }
            return targets
        }
    }

    /// Returns the streams in the store that are others at the service by now, of the entities that a query brings.
    ///
    /// The service states the ETag of a media stream with its entity; of a stream property it does not, so those of entities that the
    /// last download has changed may be others.
    package static func outdated(of query: DefiningQuery, stamp: Int64, _ store: LocalStore)
        async throws -> [MediaTarget]
    {
        try await store.file.read { connection in
            let schema = try store.schema(connection)
            guard try connection.integer("SELECT 1 FROM \"$streamHead\" LIMIT 1") != nil else {
                return []
            }
            var targets: [MediaTarget] = []
            for table in schema.layout.orderedTables {
                guard table.types.contains(where: { !streams(of: $0, schema).isEmpty }),
                    try TableCatalog(connection, layout: schema.layout).exists(table.name)
                else { continue }
                let held = """
                    "$queries" & ?1 <> 0 AND "$id" IN (SELECT "row" FROM "$streamHead")
                    """
                targets += try rows(
                    of: table,
                    on: connection,
                    in: schema,
                    where: held,
                    parameter: query.bit
                )
                .filter { $0.hasContent && $0.etag != nil && $0.etag != $0.storedETag }
                targets += try rows(
                    of: table,
                    on: connection,
                    in: schema,
                    where: held + " AND \"$stamp\" = \(stamp)",
                    parameter: query.bit
                )
                .filter { $0.hasContent && $0.etag == nil && $0.storedETag != nil }
            }
            return targets
        }
    }

    /// Returns the streams of the entity at a URL relative to the service root; none where the store has none there.
    package static func all(at url: String, _ store: LocalStore) async throws -> [MediaTarget] {
        try await store.read { query, schema in
            guard
                case .entities(let path) = try BoundRequest(ofService: url, in: schema.model)
                    .resource, let row = try query.rows(path).first,
                let table = schema.layout[row.source]
            else { return [] }
            return try rows(
                of: table,
                on: query.connection,
                in: schema,
                where: "\"$id\" = ?1",
                parameter: row.row
            )
        }
    }

    /// Returns the stream at an address; nil where the store does not have its entity.
    package static func at(_ address: StreamAddress, in store: LocalStore) async throws
        -> MediaTarget?
    {
        try await store.read { query, schema in
            guard let row = try query.rows(address.owner).first,
                let table = schema.layout[row.source]
            else { return nil }
            return try rows(
                of: table,
                on: query.connection,
                in: schema,
                where: "\"$id\" = ?1",
                parameter: row.row
            )
            .first { $0.property == address.property }
        }
    }

    /// Returns where the service said that the stream of a request can be read; nil where it said nothing.
    package static func readLink(of entry: QueueEntry, _ store: LocalStore) async throws -> String?
    {
        guard let row = entry.row, let property = entry.streamProperty else { return nil }
        return try await store.file.read { connection in
            let schema = try store.schema(connection)
            guard let table = schema.table(of: entry) else { return nil }
            return try StreamControl(connection).value(
                .readLink,
                of: row,
                property: property,
                in: table
            )
        }
    }

    /// The names of a type's streams, the empty one for that of a media entity.
    private static func streams(of type: StructuredTypeID, _ schema: TableSchema) -> [String] {
        let properties = schema.model.lineage(of: type).flatMap {
            schema.model[$0].properties
        }
        return (schema.model.hasStream(type) ? [""] : [])
            + properties.filter { $0.type.type == .primitive(.stream) && !$0.type.isCollection }
            .map(\.name)
    }

    private static func rows(
        of table: TableLayout,
        on connection: SQLiteConnection,
        in schema: TableSchema,
        where condition: String,
        parameter: Int64?
    ) throws -> [MediaTarget] {
        var targets: [MediaTarget] = []
        try connection.forEachRow(
            """
            SELECT "$id", "$type", json_extract("$control", '$."@odata.mediaEtag"'),
                coalesce(instr("$control", 'Link":'), 0), coalesce(instr("$control", 'mediaEtag":'), 0)
            FROM \(table.sql)
            WHERE \(condition) ORDER BY "$id"
            """,
            parameter.map { [.integer($0)] } ?? []
        ) { row in
            let code = Int(row.integer(1))
            let type = table.types.indices.contains(code) ? table.types[code] : table.entityType
            for property in streams(of: type, schema) {
                let reference = RowReference(source: table.source, row: row.integer(0))
                let link =
                    row.integer(3) == 0
                    ? nil
                    : try StreamControl(connection)
                        .readLink(of: reference.row, property: property, in: table)
                let target = try target(
                    reference,
                    property: property,
                    stated: property.isEmpty || row.integer(4) == 0
                        ? row.optionalString(2)
                        : try StreamControl(connection)
                            .value(.etag, of: reference.row, property: property, in: table),
                    link: link,
                    on: connection,
                    in: schema
                )
                if let target { targets.append(target) }
            }
        }
        return targets
    }

    private static func target(
        _ row: RowReference,
        property: String,
        stated: String?,
        link: String?,
        on connection: SQLiteConnection,
        in schema: TableSchema
    ) throws -> MediaTarget? {
        let root = try ServiceRoot.text(connection) ?? ""
        let form = WireForm(schema, root: root)
        let links = EntityLink(RowEditor(connection, layout: schema.layout))
        let entity = try links.link(row)
        let usual = try links.path(from: row, toStream: property)
        guard let link = link ?? entity.map({ form.url($0) + usual }) else { return nil }
        let head = try StoreStreams(connection).serverHead(of: row.row, property)
        let isElsewhere = !["", URLReference.origin(of: root)]
            .contains(URLReference.origin(of: link))
        // An entity need not change with the stream of a property (OData 4.01 Part 1 § 11.4.7.2): the service itself is asked.
        let etag = property.isEmpty || isElsewhere ? stated : nil
        return MediaTarget(
            row: row.row,
            source: row.source,
            property: property,
            link: link,
            etag: etag,
            statedETag: stated,
            storedETag: head?.etag,
            hasContent: head != nil,
            isKnownEmpty: try head == nil
                && schema.layout[row.source].map {
                    try EmptyStreams(connection: connection).holds(
                        row.row,
                        property: property,
                        in: $0,
                        mediaETag: etag
                    )
                } == true,
            isElsewhere: isElsewhere
        )
    }

    /// Makes a content the service's; nil where the service has none.
    ///
    /// - Parameter isEmpty: Whether the service says that there is nothing, which is not asked again while its media ETag is the same.
    package func setContent(
        _ content: Int64?,
        etag: String? = nil,
        isEmpty: Bool = false,
        in store: LocalStore
    ) async throws {
        try await store.file.write { connection in
            let schema = try store.schema(connection)
            guard let table = schema.layout[source],
                try RowEditor(connection, layout: schema.layout).values(of: row, in: table) != nil
            else {
                if let content { try StoreStreams(connection).sweep([content]) }
                return
            }
            // Where the answer has no ETag, the one that came with the entity before is the content's, or of one before it. That of
            // another server, such as a cache, is none that the service knows.
            let known = isElsewhere ? statedETag ?? etag : etag ?? statedETag
            if let content { try StreamTable(connection).setETag(known, of: content) }
            try StoreStreams(connection).setServerContent(
                content,
                of: row,
                property: property,
                in: table
            )
            let empty = EmptyStreams(connection: connection)
            try empty.remove(row, property: property)
            guard isEmpty else { return }
            try empty.insert(row, property: property, in: table, mediaETag: self.etag)
        }
    }
}
