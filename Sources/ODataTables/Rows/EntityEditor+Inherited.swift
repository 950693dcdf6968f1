import ODataModel
import ODataSQL
import ODataValues

/// Values that an entity has from the one around it by a referential constraint (OData CSDL XML 4.01 § 8.5).
extension EntityEditor {
    /// The columns that the entities behind a navigation property have in common with the entity that it belongs to, seen from them.
    func inheritedPairs(
        _ navigation: NavigationPropertyID,
        from source: NavigationSource
    ) -> [Relationship.ColumnPair] {
        switch relationship(navigation, from: source) {
        case .principal(let pairs): pairs.map(\.flipped)
        case .contained: containedPairs(navigation, from: source)
        case .dependent, .links, .unbound: []
        }
    }

    private func containedPairs(
        _ navigation: NavigationPropertyID,
        from source: NavigationSource
    ) -> [Relationship.ColumnPair] {
        let property = model[navigation]
        guard let type = property.target, let around = layout[source],
            let inner = model.target(of: navigation, from: source).flatMap({ layout[$0] })
        else { return [] }
        let back = property.partner.flatMap { model.navigationProperty($0, of: type) }
        let constraints = back.map { model[$0].referentialConstraints } ?? []
        return (constraints.isEmpty ? property.dependentConstraints : constraints).compactMap {
            guard let here = inner.place(of: $0.property),
                let there = around.place(of: $0.referencedProperty)
            else { return nil }
            return Relationship.ColumnPair(here: here, there: there)
        }
    }

    /// Gives a contained entity the values of the entity around it, as far as that has them.
    ///
    /// - Throws: ``EditError`` where the body has others.
    func inherit(_ body: inout EntityBody, in table: TableLayout, from parent: Parent) throws {
        var around = body
        let pairs = containedPairs(parent.navigation, from: parent.entity.source)
        try setForeignKey(&around, pairs: pairs, from: .row(parent.entity))
        for pair in pairs {
            let column = table.columns[pair.here]
            guard let value = around.value(of: pair.here), value != .null,
                !UnknownValue.isUnknown(value, in: column)
            else { continue }
            guard body.mentions(pair.here), body.value(of: pair.here) != value else {
                body.set(value, slot: pair.here)
                continue
            }
            throw EditError(
                .invalid,
                "\(column.name) is another one than that of the entity around, which it has to be",
                at: column.name
            )
        }
    }
}

extension TableLayout {
    /// The column of a property, by its path in the metadata.
    fileprivate func place(of path: String) -> Int? {
        let names = path.split(separator: "/").map(String.init)
        return columns.firstIndex { $0.path == names }
    }
}
