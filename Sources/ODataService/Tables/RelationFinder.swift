import ODataSQL
import ODataValues
import ODataAnswers
import ODataModel
import ODataTables

/// Finds the entities that have a row among the targets of a navigation property because of the row's foreign keys or its parent.
struct RelationFinder {
    let rows: RowEditor
    private var layout: Layout { rows.layout }
    private var model: EdmModel { rows.layout.model }

    /// An entity and its navigation property that leads to the row.
    struct Relation: Hashable {
        var owner: RowReference
        var navigation: String
    }

    /// Returns the relations of a row as they are now.
    func relations(of row: Int64, in table: TableLayout) throws -> Set<Relation> {
        var found: Set<Relation> = []
        if case .contained(let navigation) = table.source,
            case .integer(let parent)? = try rows.value("\"$parent\"", of: row, in: table),
            let owner = try EntityNames(rows).owner(ofRow: parent, declaring: navigation.type)
        {
            found.insert(Relation(owner: owner, navigation: model[navigation].name))
        }
        for id in dependentNavigations(of: table) {
            guard let partner = layout.partner(of: id),
                let target = model.target(of: id, from: table.source),
                let owner = try principal(of: row, in: table, by: id, target)
            else { continue }
            found.insert(Relation(owner: owner, navigation: model[partner].name))
        }
        return found
    }

    private func dependentNavigations(of table: TableLayout) -> [NavigationPropertyID] {
        let types = Set(table.types.flatMap { model.lineage(of: $0) })
        return types.flatMap { type in
            model[type].navigationProperties.indices
                .filter { !model[type].navigationProperties[$0].referentialConstraints.isEmpty }
                .map { NavigationPropertyID(type: type, index: $0) }
        }
    }

    private func principal(
        of row: Int64,
        in table: TableLayout,
        by id: NavigationPropertyID,
        _ target: NavigationSource
    ) throws -> RowReference? {
        guard case .dependent(let pairs) = layout.relationship(id, from: table.source, to: target),
            let there = layout[target]
        else { return nil }
        var key: [Scalar] = []
        for place in there.keyColumns {
            guard let pair = pairs.first(where: { $0.there == place }),
                let value = try rows.value(table.columns[pair.here].sql, of: row, in: table),
                value != .null
            else { return nil }
            key.append(value)
        }
        return try rows.row(withKey: key, in: there).map { RowReference(source: target, row: $0) }
    }

    /// The navigation property that a link table is named after.
    func navigation(ofLinkTable name: String) -> NavigationPropertyID? {
        let prefix = "$link:"
        guard name.hasPrefix(prefix), let slash = name.lastIndex(of: "/"),
            let type = model.structuredType(named: String(name.dropFirst(prefix.count)[..<slash]))
        else { return nil }
        return model.navigationProperty(String(name[name.index(after: slash)...]), of: type)
    }
}
