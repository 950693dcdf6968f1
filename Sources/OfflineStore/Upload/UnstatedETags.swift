import ODataModel
import ODataProtocol
package import ODataTables

/// ETags that the service may give, though no download has stated them.
///
/// Services leave them out of nested entities, of entities of which they send some properties, of collections as a whole, or state
/// them in the header field of a read of one entity alone. So one entity of a set is read before its first update; where that tells
/// none either, the set is taken to have none.
package struct UnstatedETags {
    private let connection: SQLiteConnection
    private let schema: TableSchema

    private static let prefix = "noETags:"

    package init(_ connection: SQLiteConnection, _ schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Whether the entity of a request, of which no ETag is known, may have one.
    func mayExist(for entry: QueueEntry) throws -> Bool {
        guard let row = entry.row, let name = entry.source,
            let source = schema.source(named: name), let table = schema.layout[source],
            try !Self.areNone(in: name, connection)
        else { return false }
        let catalog = TableCatalog(connection, schema.layout)
        for name in [table.name, table.baseName] where try catalog.exists(name) {
            let queries = try connection.integer(
                "SELECT \"$queries\" FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row)]
            )
            // What no query has brought was created here.
            if let queries { return queries != 0 }
        }
        return false
    }

    /// Whether a read of one entity of a set has stated no ETag.
    package static func areNone(in source: String?, _ connection: SQLiteConnection) throws -> Bool {
        guard let source else { return false }
        return try connection.metaValue(prefix + source) != nil
    }

    /// Writes down that a read of one entity of a set has stated no ETag.
    package static func noteNone(in source: String?, _ connection: SQLiteConnection) throws {
        guard let source else { return }
        try connection.setMetaValue(prefix + source, .integer(1))
    }
}
