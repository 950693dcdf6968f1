import ODataModel
import ODataProtocol
package import ODataTables

/// The versions of an entity that was changed here: as it was first, as it is now, as the service has it.
package struct StoreConflict: Sendable {
    /// JSON objects; nil where there is no such version.
    package var base: String?
    package var local: String?
    package var server: String?
    /// Paths of the properties that differ between base and local version.
    package var changedProperties: [String]

    package init(_ url: String, _ connection: SQLiteConnection, _ schema: TableSchema) throws {
        try self.init(of: QueueEditor(connection, schema).entity(url), connection, schema)
    }

    init(of entity: ChangedEntity, _ connection: SQLiteConnection, _ schema: TableSchema) throws {
        let table = entity.table
        let rows = RowEditor(connection, schema.layout)
        func version(_ name: String) throws -> [Scalar]? {
            try rows.catalog.exists(name)
                ? rows.values(of: entity.row, in: table, named: name) : nil
        }
        let here = try version(table.name)
        // The copy of an entity created here is no version of the service.
        let isCreated = try EffectJournal(connection).creator(of: entity.row) != nil
        let first = isCreated ? nil : try version(table.baseName)
        let there = try version(table.serverName)
        base = try first.map { try Self.json($0, table, schema) }
        local = try here.map { try Self.json($0, table, schema) }
        server = try there.map { try Self.json($0, table, schema) }
        changedProperties = table.columns.indices
            .filter { place in first.map { $0[place] != here?[place] } ?? false }
            .map { table.columns[$0].path.joined(separator: "/") }
    }

    private static func json(_ values: [Scalar], _ table: TableLayout, _ schema: TableSchema) throws
        -> String
    {
        guard let plan = schema.plans.plan(for: table.source) else { return "{}" }
        var body = EntityBody(plan: plan)
        for (slot, value) in values.enumerated() { body.set(value, slot: slot) }
        return String(decoding: try EntityBodyWriter.json(body, in: schema), as: UTF8.self)
    }
}
