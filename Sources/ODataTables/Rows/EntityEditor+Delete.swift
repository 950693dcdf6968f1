package import ODataSQL
import ODataValues
import ODataSQLite
package import ODataModel
import ODataPayload

extension EntityEditor {
    /// Deletes an entity with its contained ones, and does to related entities what the model's OnDelete says.
    package func delete(_ entity: RowReference) throws {
        var visited: Set<Int64> = []
        try delete(entity, visited: &visited)
    }

    /// Cascades may run in a circle: each row goes once.
    private func delete(_ entity: RowReference, visited: inout Set<Int64>) throws {
        guard visited.insert(entity.row).inserted else { return }
        let table = try table(entity.source)
        guard let type = try rows.type(of: entity.row, in: table) else { return }
        for lineageType in model.lineage(of: type) {
            for (index, property) in model[lineageType].navigationProperties.enumerated() {
                let id = NavigationPropertyID(type: lineageType, index: index)
                if property.containsTarget || property.onDelete == .cascade {
                    for related in try self.related(entity, id: id) {
                        try delete(related, visited: &visited)
                    }
                } else if case .principal(let pairs) = relationship(id, from: entity.source),
                    let action = property.onDelete, action != .none
                {
                    for related in try self.related(entity, id: id)
                    where !visited.contains(related.row) {
                        try release(related, pairs: pairs, action: action)
                    }
                }
            }
        }
        try journal.willDelete(entity.row, in: table)
        try rows.removeLinks(of: entity.row)
        try rows.delete(entity.row, in: table)
    }

    /// Takes the foreign key to a deleted entity away from one that stays.
    package func release(
        _ dependent: RowReference,
        pairs: [Relationship.ColumnPair],
        action: OnDelete
    ) throws {
        let flipped = pairs.map(\.flipped)
        guard action == .setDefault else { return try clearKey(flipped, of: dependent) }
        let table = try table(dependent.source)
        let present = try rows.values(of: dependent.row, in: table)
        var body = EntityBody(
            plan: EntityPlan(type: table.entityType, destination: 0, members: [], isOpen: false)
        )
        // One that has its default already is not changed.
        for (slot, value) in try defaults(of: flipped.map(\.here), in: table)
        where present?[slot] != value {
            body.set(value, slot: slot)
        }
        if !body.values.isEmpty { try change(dependent, in: table, with: body) }
    }

    /// Default values of some columns.
    private func defaults(of slots: [Int], in table: TableLayout) throws -> [(Int, Scalar)] {
        var defaults = EntityBody(
            plan: EntityPlan(type: table.entityType, destination: 0, members: [], isOpen: false)
        )
        try setDefaults(&defaults, in: table)
        return try slots.map { slot in
            let value = defaults.value(of: slot) ?? .null
            guard value != .null || table.columns[slot].isNullable else {
                throw EditError(.invalid, "\(table.columns[slot].name) cannot be null")
            }
            return (slot, value)
        }
    }

    /// Rows that a navigation property of an entity leads to.
    package func related(_ entity: RowReference, id: NavigationPropertyID) throws
        -> [RowReference]
    {
        guard let target = model.target(of: id, from: entity.source),
            let there = layout[target], try rows.catalog.exists(there.name)
        else { return [] }
        let compiler = QueryCompiler(layout)
        let here = QueryScope(alias: "h", table: try table(entity.source))
        if case .links(let name, _) = relationship(id, from: entity.source),
            try !rows.catalog.exists(name)
        {
            return []
        }
        let joined = try compiler.innerJoin(id, to: target, from: here)
        let sql =
            "SELECT \(joined.scope.reference(.id)) FROM \(here.table.sql) AS h "
            + joined.clauses.joined(separator: " ") + " WHERE h.\"$id\" = ?1"
        var found: [RowReference] = []
        try rows.connection.forEachRow(sql, [.integer(entity.row)]) {
            found.append(RowReference(source: target, row: $0.integer(0)))
        }
        return found
    }
}
