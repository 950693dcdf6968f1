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
        func text(_ values: [Scalar]?, _ name: String) throws -> String? {
            try values.map { try Self.json($0, of: entity, named: name, connection, schema) }
        }
        base = try text(first, table.baseName)
        local = try text(here, table.name)
        server = try text(there, table.serverName)
        changedProperties = table.columns.indices
            .filter { place in first.map { $0[place] != here?[place] } ?? false }
            .map { table.columns[$0].path.joined(separator: "/") }
        guard first != nil else { return }
        changedProperties += try Self.changedMembers(of: entity, connection)
    }

    /// Names of the dynamic properties that differ between base and local version.
    private static func changedMembers(of entity: ChangedEntity, _ connection: SQLiteConnection)
        throws -> [String]
    {
        func members(_ name: String) throws -> [String: String] {
            let members = try dynamicMembers(of: entity.row, name, connection)
            return Dictionary(members.map { ($0.name, $0.json) }, uniquingKeysWith: { $1 })
        }
        let (base, local) = (
            try members(entity.table.baseName), try members(entity.table.name)
        )
        return Set(base.keys).union(local.keys).filter { base[$0] != local[$0] }.sorted()
    }

    /// A version with all that its own type declares, and its dynamic properties.
    private static func json(
        _ values: [Scalar],
        of entity: ChangedEntity,
        named name: String,
        _ connection: SQLiteConnection,
        _ schema: TableSchema
    ) throws -> String {
        guard let plan = try entity.plan(of: name, connection, schema) else { return "{}" }
        let places = Set(entity.table.columns(of: plan.type, in: schema.model))
        var body = EntityBody(plan: plan)
        for (slot, value) in values.enumerated() where places.contains(slot) {
            body.set(value, slot: slot)
        }
        body.undeclared = try dynamicMembers(of: entity.row, name, connection)
        return String(decoding: try EntityBodyWriter.json(body, in: schema), as: UTF8.self)
    }

    private static func dynamicMembers(
        of row: Int64,
        _ name: String,
        _ connection: SQLiteConnection
    ) throws -> [(name: String, json: String)] {
        let column = SystemColumn.dynamic.sql
        var members: [(name: String, json: String)] = []
        try connection.forEachRow(
            """
            SELECT j."key", m.\(column) -> j."fullkey" FROM \(name.sqlQuoted) m, json_each(m.\(column)) j
            WHERE m."$id" = ?1 ORDER BY j."key"
            """,
            [.integer(row)]
        ) { members.append((name: $0.string(0), json: $0.string(1))) }
        return members
    }
}
