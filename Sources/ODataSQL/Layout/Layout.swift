import ODataSQLite
import Synchronization
package import ODataModel
package import ODataURL

/// The map from a model to tables.
///
/// It is computed from the model and the names chosen before (`LayoutNames`, kept in the file), and only added to: a name or a form
/// once chosen never changes, also when the model grows. A table is worked out when it is first asked for: the largest models have
/// a hundred thousand columns, of which a file holds a few. It never changes, so that everything that needs it shares one.
package final class Layout: Sendable {
    /// The model.
    package let model: EdmModel
    let hierarchy: TypeHierarchy
    /// Writes links of entities as OData 4 has them.
    package let urls: EntityURL
    /// The names chosen before.
    private let formerNames: LayoutNames
    private let knownSourceNames = AtomicLazyReference<SourceNames>()
    private let cache: LayoutCache
    /// What readers of its tables keep with it.
    package let companion = LayoutCompanion()

    /// Makes the layout of a model.
    package init(_ model: EdmModel, names: LayoutNames = LayoutNames()) {
        self.model = model
        hierarchy = TypeHierarchy(model)
        formerNames = names
        cache = LayoutCache()
        urls = EntityURL(model: model, version: .v4)
    }

    /// The names of all tables; worked out when a table without a former name is asked for, since the largest models have thousands.
    private var sourceNames: SourceNames {
        if let known = knownSourceNames.load() { return known }
        let made = SourceNames(model, hierarchy: hierarchy, former: formerNames)
        return knownSourceNames.storeIfNil(made)
    }

    /// The names chosen, old and new.
    package var names: LayoutNames { sourceNames.names }

    /// Sets, singletons and containment properties with a known type, in the order of the model.
    package var sources: [NavigationSource] { sourceNames.sources }

    /// Returns the place of a source among ``sources``.
    package func place(of source: NavigationSource) -> Int? { sourceNames.places[source] }

    /// The table of a source; nil where the source's type is not resolved.
    package subscript(source: NavigationSource) -> TableLayout? {
        if let known = cache.table(source) { return known }
        guard let name = tableName(of: source), let type = model.entityType(of: source) else {
            return nil
        }
        return cache.table(source) {
            var builder = TableBuilder(
                source: source,
                entityType: type,
                name: name,
                model: model,
                hierarchy: hierarchy,
                names: formerNames.names(in: name)
            )
            return builder.build()
        }
    }

    /// All tables in the order of the model; costly for the largest models.
    package var orderedTables: [TableLayout] {
        sources.compactMap { self[$0] }
    }

    /// Name in SQL of a source's table, whether it exists or not.
    package func tableName(of source: NavigationSource) -> String? {
        guard model.isNavigationSource(source) else { return nil }
        return formerNames.tableName(of: source, in: model, hierarchy)
            ?? sourceNames.tableNames[source]
    }

    /// The table with this name in SQL.
    package func table(named name: String) -> TableLayout? {
        sourceNames.sourcesByName[name].flatMap { self[$0] }
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
        guard let here = self[source], let target, let there = self[target] else { return .unbound }
        let property = model[id]
        if property.containsTarget { return .contained }
        if let pairs = pairs(property.referentialConstraints, dependent: here, principal: there) {
            return .dependent(pairs)
        }
        if let pairs = pairs(property.dependentConstraints, dependent: there, principal: here) {
            return .principal(pairs.map(\.flipped))
        }
        if let partner = partner(of: id) {
            if let pairs = pairs(
                model[partner].referentialConstraints,
                dependent: there,
                principal: here
            ) {
                return .principal(pairs.map(\.flipped))
            }
            if model[partner].containsTarget {
                return .links(table: linkTable(id), isReversed: false)
            }
        }
        return links(id)
    }

    /// The columns of a table that hold keys of other entities and that a replacement leaves as they are where it does not mention them
    /// (OData 4.01 Part 1 § 11.4.3; versions 1 to 3 do not say so).
    package func keptForeignKey(of table: TableLayout) -> Set<Int> {
        guard model.version.isV4 else { return [] }
        return Set(principals(of: table.source).flatMap(\.pairs).map(\.here))
    }

    /// Returns the relations in which entities of a source hold the key of others.
    package func principals(of source: NavigationSource) -> [PrincipalRelation] {
        cache.principals(of: source) {
            guard let table = self[source] else { return [] }
            return table.declaringTypes.flatMap { type in
                model[type].navigationProperties.indices.compactMap { index in
                    let id = NavigationPropertyID(type: type, index: index)
                    guard let target = model.target(of: id, from: source),
                        case .dependent(let pairs) = relationship(id, from: source, to: target)
                    else { return nil }
                    return PrincipalRelation(navigation: id, target: target, pairs: pairs)
                }
            }
        }
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

    package func path(_ text: String) -> [String] {
        text.split(separator: "/").map(String.init)
    }

    /// The property at the other end that leads back, declared on either side.
    package func partner(of id: NavigationPropertyID) -> NavigationPropertyID? {
        let property = model[id]
        guard let target = property.target else { return nil }
        if let name = property.partner { return model.navigationProperty(name, of: target) }
        for type in hierarchy.lineage(of: target) {
            for index in model[type].navigationProperties.indices {
                let candidate = model[type].navigationProperties[index]
                if candidate.partner == property.name,
                    let back = candidate.target, hierarchy.type(id.type, isOrExtends: back)
                {
                    return NavigationPropertyID(type: type, index: index)
                }
            }
        }
        return nil
    }

    /// One link table per relationship, named after the end that has a table already, else after the one that comes first by name.
    private func links(_ id: NavigationPropertyID) -> Relationship {
        if let known = knownLinkTable(id) { return .links(table: known, isReversed: false) }
        guard let partner = partner(of: id) else {
            return .links(table: linkTable(id), isReversed: false)
        }
        if let known = knownLinkTable(partner) { return .links(table: known, isReversed: true) }
        let own = linkTable(id)
        let other = linkTable(partner)
        return own <= other
            ? .links(table: own, isReversed: false) : .links(table: other, isReversed: true)
    }

    /// What a link table is called in `$layout`: it begins as the table's own name does.
    package static let linkPrefix = "$link:"

    /// The link table that the file has for a property, which may have moved to a base type since.
    private func knownLinkTable(_ id: NavigationPropertyID) -> String? {
        guard formerNames.tables.hasLinks else { return nil }
        for type in hierarchy.family(of: id.type) {
            let wish = Self.linkPrefix + model[type].name + "/" + model[id].name
            if let name = formerNames.knownTableName(of: wish) { return name }
        }
        return nil
    }

    private func linkTable(_ id: NavigationPropertyID) -> String {
        let name = Self.linkPrefix + model[id.type].name + "/" + model[id].name
        let shared = cache.sharedLinkNames { Self.sharedLinkNames(model) }
        return shared.contains(FoldedName(name))
            ? name + "$" + Self.digest(name) : name
    }

    /// What a link table is named after, for `$layout`: its name without what keeps it apart from others.
    package func linkElement(ofTable name: String) -> String {
        Self.linkPrefix + name.dropFirst(Self.linkPrefix.count).prefix { $0 != "$" }
    }

    /// Names of all link tables of the model, sorted; costly for the largest models.
    package var linkTables: [String] {
        var found: Set<String> = []
        for table in orderedTables {
            for type in table.declaringTypes {
                for index in model[type].navigationProperties.indices {
                    let id = NavigationPropertyID(type: type, index: index)
                    let target = model.target(of: id, from: table.source)
                    if case .links(let name, _) = relationship(id, from: table.source, to: target) {
                        found.insert(name)
                    }
                }
            }
        }
        return found.sorted()
    }

    /// Names that differ by the case of letters only would meet in SQLite; what is added depends on nothing but the name.
    private static func sharedLinkNames(_ model: EdmModel) -> Set<FoldedName> {
        var seen: Set<FoldedName> = []
        var shared: Set<FoldedName> = []
        for type in model.structuredTypes {
            for property in type.navigationProperties where !property.containsTarget {
                let name = FoldedName(linkPrefix + type.name + "/" + property.name)
                if !seen.insert(name).inserted { shared.insert(name) }
            }
        }
        return shared
    }

    /// A short text that differs for different names (FNV-1a, 64 bits).
    private static func digest(_ name: String) -> String {
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16)
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
}
