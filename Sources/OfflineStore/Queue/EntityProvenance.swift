package import ODataSQL
package import StoreRecords
package import ODataSQLite
import ODataValues
import ODataModel
package import ODataTables

/// Why an entity is in the store: which queries hold it, which versions of it there are, what waits, and what refers to it.
package struct EntityProvenance: Sendable {
    /// Entities that refer to another by one property.
    package struct Reference: Sendable {
        /// Set of the entities, or the path of contained ones.
        package var set: String
        package var property: String
        package var count: Int
        /// Links of the first of them.
        package var links: [String]
    }

    /// Links of so many referring entities are listed.
    package static let maximumLinkCount = 10

    /// URL relative to the service root.
    package var url: String
    package var set: String
    /// Qualified name of the entity's own type.
    package var type: String
    package var etag: String?
    package var state: RowState
    /// Whether the entity is deleted here, so that only its copy is left.
    package var isDeletedHere: Bool
    /// Whether the last download has written the row.
    package var isFromLastDownload: Bool
    package var queries: [DefiningQuery]
    package var collections: [StoredCollection]
    package var versions: StoreConflict
    /// Requests that change it, waiting and refused.
    package var requests: [QueueEntry]
    /// Requests that name it without changing it.
    package var referringRequestIDs: [Int64]
    package var references: [Reference]

    package init(_ url: String, on connection: SQLiteConnection, schema: TableSchema) throws {
        let entity = try QueueEditor(connection, schema: schema).conflictedEntity(url)
        let rows = RowEditor(connection, layout: schema.layout)
        let reader = ProvenanceReader(entity: entity, rows: rows, schema: schema)
        guard let holder = try rows.holder(of: entity.row, in: entity.table) else {
            throw StoreError(.notFound, "there is no such entity")
        }
        let row = try reader.systemColumns(in: holder)
        self.url = try reader.link() ?? url
        set = schema.model.name(of: entity.source)
        type = row.type
        etag = row.etag
        isDeletedHere = holder != entity.table.name
        isFromLastDownload = row.isFromLastDownload
        queries = try reader.queries(in: holder)
        collections = try StoredCollections(connection).holding(row: entity.row)
        versions = try StoreConflict(of: entity, on: connection, schema: schema)
        let changes = try RequestQueue(connection).entries(forRow: entity.row)
        requests = changes
        state = row.state
        if isDeletedHere { state.formUnion(Self.state(ofDeletion: changes, versions)) }
        referringRequestIDs = try reader.referringRequests()
            .filter { id in !changes.contains { $0.id == id } }
        references = try reader.references()
    }

    /// What the row of an entity that is deleted here would say: it is gone, and its copy does not say it.
    private static func state(
        ofDeletion requests: [QueueEntry],
        _ versions: StoreConflict
    ) -> RowState {
        guard !requests.isEmpty else { return [] }
        guard requests.contains(where: { $0.status == .failed }) else { return .pending }
        return versions.server == nil ? [.pending, .inError] : [.pending, .inError, .conflict]
    }
}

/// Reads what stands in the file about one entity.
private struct ProvenanceReader {
    let entity: ChangedEntity
    let rows: RowEditor
    let schema: TableSchema

    private var connection: SQLiteConnection { rows.connection }

    func link() throws -> String? {
        try EntityLink(rows, includesDeleted: true)
            .link(RowReference(source: entity.source, row: entity.row))
    }

    func systemColumns(in name: String) throws -> (
        type: String, etag: String?, state: RowState, isFromLastDownload: Bool
    ) {
        let found = try connection.firstRow(
            """
            SELECT "$type", "$etag", "$state",
                "$stamp" <> 0 AND "$stamp" = (SELECT "value" FROM "$meta" WHERE "key" = 'download')
            FROM \(name.sqlQuoted) WHERE "$id" = ?1
            """,
            [.integer(entity.row)]
        ) { row in
            (
                type: Int(row.integer(0)), etag: row.optionalString(1),
                state: RowState(rawValue: row.integer(2)),
                isLast: !row.isNull(3) && row.integer(3) != 0
            )
        }
        guard let found else { throw StoreError(.notFound, "there is no such entity") }
        let types = entity.table.types
        let type = types.indices.contains(found.type) ? types[found.type] : entity.table.entityType
        return (schema.model[type].name, found.etag, found.state, found.isLast)
    }

    func queries(in name: String) throws -> [DefiningQuery] {
        try DefiningQueries(connection).all().filter { query in
            try connection.integer(
                "SELECT 1 FROM \(name.sqlQuoted) WHERE \"$id\" = ?1 AND \(query.holds())",
                [.integer(entity.row)]
            ) != nil
        }
    }

    func referringRequests() throws -> [Int64] {
        var ids: [Int64] = []
        try connection.forEachRow(
            "SELECT \"request\" FROM \"$refers\" WHERE \"row\" = ?1 ORDER BY \"request\"",
            [.integer(entity.row)]
        ) { ids.append($0.integer(0)) }
        return ids
    }

    // MARK: References

    /// The navigation properties of other entities that lead to this one.
    func references() throws -> [EntityProvenance.Reference] {
        let values = try rows.values(
            of: entity.row,
            in: entity.table,
            named: rows.holder(of: entity.row, in: entity.table) ?? entity.table.name
        )
        return try rows.catalog.tables().flatMap { table in
            try table.declaringTypes.flatMap { type in
                try schema.model[type].navigationProperties.indices.compactMap { index in
                    let id = NavigationPropertyID(type: type, index: index)
                    return try reference(by: id, from: table, to: values ?? [])
                }
            }
        }
    }

    private func reference(
        by id: NavigationPropertyID,
        from table: TableLayout,
        to values: [Scalar]
    ) throws -> EntityProvenance.Reference? {
        guard let target = schema.model.target(of: id, from: table.source),
            target == entity.source,
            let condition = try condition(id, in: table, to: target, values: values)
        else { return nil }
        var (count, ids): (Int, [Int64]) = (0, [])
        try connection.forEachRow(
            "SELECT \"$id\" FROM \(table.sql) WHERE \(condition.sql) ORDER BY \"$id\"",
            condition.values
        ) { row in
            count += 1
            if ids.count < EntityProvenance.maximumLinkCount { ids.append(row.integer(0)) }
        }
        guard count > 0 else { return nil }
        let links = EntityLink(rows)
        return EntityProvenance.Reference(
            set: schema.model.name(of: table.source),
            property: schema.model[id].name,
            count: count,
            links: try ids.compactMap {
                try links.link(RowReference(source: table.source, row: $0))
            }
        )
    }

    /// The condition that a row of a table leads to the entity; nil where the property cannot, or the entity itself says so.
    private func condition(
        _ id: NavigationPropertyID,
        in table: TableLayout,
        to target: NavigationSource,
        values: [Scalar]
    ) throws -> (sql: String, values: [Scalar])? {
        switch schema.layout.relationship(id, from: table.source, to: target) {
        case .dependent(let pairs):
            guard
                pairs.allSatisfy({ values.indices.contains($0.there) && values[$0.there] != .null })
            else { return nil }
            let parts = pairs.enumerated().map { "\(table.columns[$1.here].sql) = ?\($0 + 1)" }
            return (parts.joined(separator: " AND "), pairs.map { values[$0.there] })
        case .links(let name, let isReversed):
            guard try rows.catalog.exists(name) else { return nil }
            let (from, to) = isReversed ? ("target", "source") : ("source", "target")
            return (
                "\"$id\" IN (SELECT \"\(from)\" FROM \(name.sqlQuoted) WHERE \"\(to)\" = ?1)",
                [.integer(entity.row)]
            )
        case .contained, .principal, .unbound: return nil
        }
    }
}
