import ODataSQLite
import ODataSQL
import StoreRecords
import ODataValues
import ODataModel
import ODataPayload
import ODataTables

/// The values with which an entity is created anew, and the state of its row then.
struct RecreatedValues {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }

    init(_ connection: SQLiteConnection, schema: TableSchema) {
        (self.connection, self.schema) = (connection, schema)
    }

    /// Returns all values of a version that are known and that a client can set, and the links of the entity; nil where there is no
    /// such version.
    ///
    /// - Parameter isLinked: Which of the entities that it is linked with are named.
    func body(
        of entity: RowReference,
        _ type: StructuredTypeID,
        named name: String,
        isLinked: (RowReference) throws -> Bool
    ) throws -> EntityBody? {
        guard let table = schema.layout[entity.source],
            let plan = schema.plans.plan(for: entity.source, type: type),
            let values = try rows.values(of: entity.row, in: table, named: name)
        else { return nil }
        var body = EntityBody(plan: plan)
        let exact = try rows.members(.exact, of: entity.row, named: name)
        let known = table.typeColumns(of: type, in: schema.model)
        for slot in table.columns(of: type, in: schema.model) {
            let column = table.columns[slot]
            guard !UnknownValue.isUnknown(values[slot], in: column),
                column.keyIndex != nil
                    || !schema.isComputed(column) && known[slot]?.isSetByService != true
            else { continue }
            body.set(values[slot], exact: exact[column.name], slot: slot)
        }
        body.undeclared = try rows.undeclared(of: entity.row, named: name)
        let named = try links(of: entity, type) + owners(of: body, values, in: table)
        body.bindings = try named.filter { try isLinked($0.other) }
            .compactMap { navigation, other in
                try EntityLink(rows).link(other).map {
                    EntityBody.Binding(navigation: navigation, reference: $0)
                }
            }
        return body
    }

    /// Returns the links that an entity has here and that no property holds: the service has taken them away with the entity.
    ///
    /// What the service does not have and nothing here creates is left out. Links that a waiting request has made go with that.
    func links(of entity: RowReference, _ type: StructuredTypeID) throws
        -> [(navigation: NavigationPropertyID, other: RowReference)]
    {
        let model = schema.model
        let gone = GoneMarks(connection)
        return try model.lineage(of: type).flatMap { declaring in
            try model[declaring].navigationProperties.indices.flatMap { index in
                let id = NavigationPropertyID(type: declaring, index: index)
                guard let target = model.target(of: id, from: entity.source),
                    case .links(let name, let isReversed) = schema.layout.relationship(
                        id,
                        from: entity.source,
                        to: target
                    )
                else { return [(navigation: NavigationPropertyID, other: RowReference)]() }
                return try others(of: entity.row, in: name, isReversed: isReversed)
                    .filter { try !gone.contains($0) }
                    .map { (id, RowReference(source: target, row: $0)) }
            }
        }
    }

    /// Returns the entities to which foreign keys lead that no client can set: by their names they can be set.
    private func owners(of body: EntityBody, _ values: [Scalar], in table: TableLayout) throws
        -> [(navigation: NavigationPropertyID, other: RowReference)]
    {
        let types = Set(schema.model.lineage(of: body.plan.type))
        return try schema.layout.principals(of: table.source).compactMap { relation in
            let pairs = relation.pairs
            guard types.contains(relation.navigation.type),
                let other = schema.layout[relation.target],
                pairs.allSatisfy({ values[$0.here] != .null && !body.mentions($0.here) })
            else { return nil }
            let key = other.keyColumns.compactMap { place in
                pairs.first { $0.there == place }.map { values[$0.here] }
            }
            guard key.count == other.keyColumns.count,
                let row = try rows.row(withKey: key, in: other)
            else { return nil }
            return (relation.navigation, RowReference(source: relation.target, row: row))
        }
    }

    private func others(of row: Int64, in name: String, isReversed: Bool) throws -> [Int64] {
        guard try rows.catalog.exists(name) else { return [] }
        let (near, far) = isReversed ? ("target", "source") : ("source", "target")
        var found: [Int64] = []
        try connection.forEachRow(
            "SELECT \(far.sqlQuoted) FROM \(name.sqlQuoted) WHERE \(near.sqlQuoted) = ?1 ORDER BY 1",
            [.integer(row)]
        ) { found.append($0.integer(0)) }
        let journal = EffectJournal(connection)
        return try found.filter { other in
            let (source, target) = isReversed ? (other, row) : (row, other)
            return try journal.effects(on: RowLink(table: name, source: source, target: target))
                .isEmpty
        }
    }

    /// Makes a row, or copies of it, one that was created here: it has a local id, and neither ETag nor address of the service.
    func markNew(_ row: Int64, in table: TableLayout, named names: [String]) throws {
        try GoneMarks(connection).remove(row)
        try connection.run(
            "INSERT INTO \"$local\" SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM \"$local\" WHERE \"row\" = ?2)",
            [.blob(LocalID().bytes), .integer(row), .text(table.name)]
        )
        for name in names {
            try connection.run(
                """
                UPDATE \(name.sqlQuoted) SET "$etag" = NULL, "$control" = NULL, "$queries" = 0,
                    "$state" = \(RowState([.local, .pending, .created]).rawValue) WHERE "$id" = ?1
                """,
                [.integer(row)]
            )
        }
    }
}

extension TypeColumns.Rule {
    /// Whether the service alone sets the value, or the member of a complex value.
    fileprivate var isSetByService: Bool {
        isServiceMade || leaf.map { $0.isComputed || $0.isReadOnly } ?? false
    }
}
