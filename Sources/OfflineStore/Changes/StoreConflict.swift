import ODataPayload
package import ODataSQLite
import ODataValues
import ODataSQL
import StoreRecords
package import ODataTables

/// The versions of an entity that was changed here: as it was first, as it is now, as the service has it.
package struct StoreConflict: Sendable {
    /// JSON objects; nil where there is no such version.
    package var base: String?
    package var local: String?
    package var server: String?
    /// Paths of the properties that differ between base and local version.
    package var changedProperties: [String]
    /// Whether the service has deleted the entity.
    package var isGone: Bool
    /// The streams whose changes the service has refused since it has other content, as URLs name them behind the entity.
    package var streams: [String]

    package init(_ url: String, on connection: SQLiteConnection, schema: TableSchema) throws {
        try self.init(
            of: QueueEditor(connection, schema: schema).conflictedEntity(url),
            on: connection,
            schema: schema
        )
    }

    init(of entity: ChangedEntity, on connection: SQLiteConnection, schema: TableSchema) throws {
        let table = entity.table
        let rows = RowEditor(connection, layout: schema.layout)
        func version(_ name: String) throws -> [Scalar]? {
            try rows.catalog.exists(name)
                ? rows.values(of: entity.row, in: table, named: name) : nil
        }
        let here = try version(table.name)
        // The copy of an entity created here is no version of the service.
        let isCreated = try EffectJournal(connection).creator(of: entity.row) != nil
        let first = isCreated ? nil : try version(table.baseName)
        let there = try version(table.serverName)
        func text(_ values: [Scalar]?, _ name: String) throws -> String? {
            try values.map {
                try Self.json($0, of: entity, named: name, on: connection, in: schema)
            }
        }
        base = try text(first, table.baseName)
        local = try text(here, table.name)
        server = try text(there, table.serverName)
        isGone = try GoneMarks(connection).contains(entity.row)
        streams = try StreamConflicts(connection).properties(on: entity.row)
            .map { $0.isEmpty ? "$value" : $0 }
        // A deletion changes no property; a value that was written again goes over what others have made of it.
        changedProperties = []
        guard let first, let here else { return }
        let written = try EffectJournal(connection).writtenColumns(of: entity.row)
        changedProperties = table.columns.indices
            .filter { first[$0] != here[$0] || written.contains(table.columns[$0].name) }
            .map { table.columns[$0].path.joined(separator: "/") }
        changedProperties += try Self.changedMembers(
            of: entity,
            RowEditor(connection, layout: schema.layout)
        )
    }

    /// Names of the dynamic properties that differ between base and local version.
    private static func changedMembers(of entity: ChangedEntity, _ rows: RowEditor) throws
        -> [String]
    {
        let base = try rows.members(.dynamic, of: entity.row, named: entity.table.baseName)
        let local = try rows.members(.dynamic, of: entity.row, named: entity.table.name)
        let changed = Set(base.keys).union(local.keys).filter { base[$0] != local[$0] }
        // One whose type alone has changed has changed.
        return Set(changed.map { DynamicTypeMember.property(of: $0) ?? $0 }).sorted()
    }

    /// A version with all that its own type declares, and its dynamic properties.
    private static func json(
        _ values: [Scalar],
        of entity: ChangedEntity,
        named name: String,
        on connection: SQLiteConnection,
        in schema: TableSchema
    ) throws -> String {
        guard let plan = try entity.plan(of: name, on: connection, in: schema) else { return "{}" }
        var body = EntityBody(plan: plan)
        let rows = RowEditor(connection, layout: schema.layout)
        let exact = try rows.members(.exact, of: entity.row, named: name)
        for (slot, value) in values.enumerated() {
            body.set(value, exact: exact[entity.table.columns[slot].name], slot: slot)
        }
        body.undeclared = try rows.undeclared(of: entity.row, named: name)
        return String(decoding: try EntityBodyWriter.json(body, in: schema), as: UTF8.self)
    }
}
