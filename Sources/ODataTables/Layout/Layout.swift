package import ODataModel

/// The map from a model to tables.
///
/// It is computed from the model and the names chosen before (`LayoutNames`, kept in the file), and only added to: a name or a form
/// once chosen never changes, also when the model grows.
package struct Layout: Sendable {
    /// The model.
    package let model: EdmModel
    /// Tables by source.
    package private(set) var tables: [NavigationSource: TableLayout] = [:]
    /// Names of all link tables of the model.
    package private(set) var linkTables: [String] = []
    /// The names chosen, old and new.
    package private(set) var names: LayoutNames

    /// Makes the layout of a model.
    package init(_ model: EdmModel, names: LayoutNames = LayoutNames()) {
        self.model = model
        self.names = names
        for source in model.navigationSources {
            guard let type = model.entityType(of: source) else { continue }
            var builder = TableBuilder(
                source: source,
                entityType: type,
                model: model,
                names: self.names
            )
            tables[source] = builder.build()
            self.names = builder.names
        }
        linkTables = collectLinkTables()
    }

    /// The table of a source; nil where the source's type is not resolved.
    package subscript(source: NavigationSource) -> TableLayout? { tables[source] }

    /// Tables in the order of the model.
    package var orderedTables: [TableLayout] {
        model.navigationSources.compactMap { tables[$0] }
    }

    /// The table with this name in SQL.
    package func table(named name: String) -> TableLayout? {
        tables.values.first { $0.name == name }
    }
}

extension EdmModel {
    /// Sets, singletons and containment properties as declared, in the order of the document.
    package var navigationSources: [NavigationSource] {
        let contained = structuredTypes.indices.flatMap { type in
            structuredTypes[type].navigationProperties.indices.compactMap {
                index -> NavigationSource? in
                let id = NavigationPropertyID(type: StructuredTypeID(type), index: index)
                return self[id].containsTarget && self[id].target != nil ? .contained(id) : nil
            }
        }
        return container.entitySets.indices.map { .entitySet($0) }
            + container.singletons.indices.map { .singleton($0) } + contained
    }
}

// MARK: - Relationships

extension Layout {
    /// Returns how a navigation property of the entities of a source finds its targets.
    package func relationship(
        _ id: NavigationPropertyID,
        from source: NavigationSource,
        to target: NavigationSource?
    ) -> Relationship {
        guard let here = tables[source], let target, let there = tables[target] else {
            return .unbound
        }
        let property = model[id]
        if property.containsTarget { return .contained }
        if let pairs = pairs(property.referentialConstraints, dependent: here, principal: there) {
            return .dependent(pairs)
        }
        if let partner = partner(of: id) {
            if let pairs = pairs(
                model[partner].referentialConstraints,
                dependent: there,
                principal: here
            ) {
                return .principal(pairs.map { .init(here: $0.there, there: $0.here) })
            }
            if model[partner].containsTarget {
                return .links(table: linkTable(id), isReversed: false)
            }
        }
        return links(id)
    }

    private func pairs(
        _ constraints: [ReferentialConstraint],
        dependent: TableLayout,
        principal: TableLayout
    ) -> [Relationship.ColumnPair]? {
        guard !constraints.isEmpty else { return nil }
        var result: [Relationship.ColumnPair] = []
        for constraint in constraints {
            guard
                let here = dependent.columns.firstIndex(where: {
                    $0.path == path(constraint.property)
                }),
                let there = principal.columns.firstIndex(where: {
                    $0.path == path(constraint.referencedProperty)
                })
            else { return nil }
            result.append(.init(here: here, there: there))
        }
        return result
    }

    private func path(_ text: String) -> [String] {
        text.split(separator: "/").map(String.init)
    }

    /// The property at the other end that leads back, declared on either side.
    package func partner(of id: NavigationPropertyID) -> NavigationPropertyID? {
        let property = model[id]
        guard let target = property.target else { return nil }
        if let name = property.partner { return model.navigationProperty(name, of: target) }
        for type in model.lineage(of: target) {
            for index in model[type].navigationProperties.indices {
                let candidate = model[type].navigationProperties[index]
                if candidate.partner == property.name,
                    let back = candidate.target, model.type(id.type, isOrExtends: back)
                {
                    return NavigationPropertyID(type: type, index: index)
                }
            }
        }
        return nil
    }

    /// One link table per relationship, named after the end that comes first by name.
    private func links(_ id: NavigationPropertyID) -> Relationship {
        guard let partner = partner(of: id) else {
            return .links(table: linkTable(id), isReversed: false)
        }
        let own = linkTable(id)
        let other = linkTable(partner)
        return own <= other
            ? .links(table: own, isReversed: false) : .links(table: other, isReversed: true)
    }

    private func linkTable(_ id: NavigationPropertyID) -> String {
        "$link:" + model[id.type].name + "/" + model[id].name
    }

    /// Statements that create a link table with an index for each direction.
    package static func createLinkTableStatements(_ name: String) -> [String] {
        [
            """
            CREATE TABLE \(name.sqlQuoted) (
                "source" INTEGER NOT NULL,
                "target" INTEGER,
                "targetID" TEXT,
                "state" INTEGER NOT NULL DEFAULT 0,
                UNIQUE ("source", "target")
            )
            """,
            "CREATE INDEX \(("$back:" + name).sqlQuoted) ON \(name.sqlQuoted) (\"target\", \"source\")",
        ]
    }

    /// Collects the names of all link tables of the model.
    private func collectLinkTables() -> [String] {
        var found: Set<String> = []
        for source in model.navigationSources {
            guard let table = tables[source] else { continue }
            for type in table.types {
                for index in model[type].navigationProperties.indices {
                    let id = NavigationPropertyID(type: type, index: index)
                    let target = model.target(of: id, from: source)
                    if case .links(let name, _) = relationship(id, from: source, to: target) {
                        found.insert(name)
                    }
                }
            }
        }
        return found.sorted()
    }
}
