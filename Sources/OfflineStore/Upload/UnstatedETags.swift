import ODataModel
import ODataProtocol
package import ODataTables

/// ETags that the service may give, though no download has stated them.
///
/// Services leave them out of nested entities and of entities of which they send some properties. A query for the entities
/// themselves that brings them whole brings their ETags too, where the service gives any; unless the metadata says that it does.
package struct UnstatedETags {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    /// Bits of the queries that would have stated them, by the source that they ask for.
    private let stating: [NavigationSource: Int64]

    private static let prefix = "noETags:"

    package init(_ connection: SQLiteConnection, _ schema: TableSchema) throws {
        self.connection = connection
        self.schema = schema
        var stating: [NavigationSource: Int64] = [:]
        for query in try DefiningQueries(connection).all() {
            guard let source = QueryReach.ownSource(of: query, in: schema),
                !QuerySelection.partialSources(of: query, in: schema).contains(source)
            else { continue }
            stating[source, default: 0] |= query.bit
        }
        self.stating = stating
    }

    /// Whether the entity of a request, of which no ETag is known, may have one.
    func mayExist(for entry: QueueEntry) throws -> Bool {
        guard let row = entry.row, let name = entry.source,
            let source = schema.source(named: name), let table = schema.layout[source],
            try connection.metaValue(Self.prefix + name) == nil
        else { return false }
        let catalog = TableCatalog(connection, schema.layout)
        for name in [table.name, table.baseName] where try catalog.exists(name) {
            let queries = try connection.integer(
                "SELECT \"$queries\" FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row)]
            )
            // What no query has brought was created here.
            guard let queries else { continue }
            let isStated = queries & stating[source, default: 0] != 0
            return queries != 0 && (!isStated || isAnnounced(source))
        }
        return false
    }

    /// Whether the metadata says that the entities of a set have ETags: then some are stated in header fields alone.
    private func isAnnounced(_ source: NavigationSource) -> Bool {
        guard case .entitySet(let index) = source else { return false }
        return schema.model.hasOptimisticConcurrency(of: schema.model.container.entitySets[index])
    }

    /// Writes down that a read of one entity of a set has stated no ETag.
    package static func noteNone(in source: String?, _ connection: SQLiteConnection) throws {
        guard let source else { return }
        try connection.setMetaValue(prefix + source, .integer(1))
    }
}
