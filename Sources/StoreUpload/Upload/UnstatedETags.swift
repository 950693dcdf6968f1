package import ODataSQLite
package import StoreRecords
import ODataSQL
import ODataValues
import ODataModel
package import ODataTables

/// ETags that the service may give, though no download has stated them.
///
/// Services leave them out of nested entities, of entities of which they send some properties, of collections as a whole, or state
/// them in the header field of a read of one entity alone, or give them to those of a derived type only. So one entity of each type
/// of a set is read before its first update; if that returns none either, entities of the type are assumed to have none there.
package struct UnstatedETags {
    private let connection: SQLiteConnection
    private let schema: TableSchema

    private static let prefix = "noETags:"

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Whether the entity of a request, of which no ETag is known, may have one.
    package func mayExist(for entry: QueueEntry) throws -> Bool {
        guard let (row, table) = schema.row(of: entry), try !areNone(for: entry) else {
            return false
        }
        // What no query has brought was created here.
        return try known(SystemColumn.queries, of: row, in: table) ?? 0 != 0
    }

    /// Whether a read of one entity of the same set and type has stated no ETag.
    package func areNone(for entry: QueueEntry) throws -> Bool {
        guard let name = try name(for: entry) else { return false }
        return try connection.metaValue(name) != nil
    }

    /// Writes down that a read of one entity of a set has stated no ETag for its type.
    package func noteNone(for entry: QueueEntry) throws {
        guard let name = try name(for: entry) else { return }
        try connection.setMetaValue(name, to: .integer(1))
    }

    /// The set, and behind it the type where that is a derived one.
    private func name(for entry: QueueEntry) throws -> String? {
        guard let source = entry.source else { return nil }
        guard let (row, table) = schema.row(of: entry), table.types.count > 1,
            let code = try known(SystemColumn.type, of: row, in: table).map(Int.init),
            table.types.indices.contains(code),
            table.types[code] != schema.model.entityType(of: table.source)
        else { return Self.prefix + source }
        return Self.prefix + source + "/" + schema.model[table.types[code]].name
    }

    /// What the store says of an entity, or its base copy where it was deleted here.
    private func known(_ column: SystemColumn, of row: Int64, in table: TableLayout) throws
        -> Int64?
    {
        let catalog = TableCatalog(connection, layout: schema.layout)
        for name in try catalog.versions(of: table) {
            let value = try connection.integer(
                "SELECT \(column.sql) FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row)]
            )
            if let value { return value }
        }
        return nil
    }
}
