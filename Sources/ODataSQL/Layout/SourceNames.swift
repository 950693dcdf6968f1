package import ODataModel

/// The tables of all sources of a model by name, old names and new ones.
final class SourceNames: Sendable {
    /// Sets, singletons and containment properties with a known type, in the order of the model.
    let sources: [NavigationSource]
    /// Where each stands among them.
    let places: [NavigationSource: Int]
    let tableNames: [NavigationSource: String]
    let sourcesByName: [String: NavigationSource]
    /// All names, those chosen now among them.
    let names: LayoutNames

    init(_ model: EdmModel, hierarchy: TypeHierarchy, former: LayoutNames) {
        var names = former
        sources = model.navigationSources
        var tableNames: [NavigationSource: String] = [:]
        for source in sources {
            let wish = model.name(of: source)
            tableNames[source] =
                names.tableName(of: source, in: model, hierarchy)
                ?? names.tableName(of: wish, preferring: wish)
        }
        self.names = names
        self.tableNames = tableNames
        places = Dictionary(uniqueKeysWithValues: zip(sources, sources.indices))
        sourcesByName = Dictionary(tableNames.map { ($1, $0) }) { first, _ in first }
    }
}

extension LayoutNames {
    /// The name of a source's table, where it has one.
    func tableName(
        of source: NavigationSource,
        in model: EdmModel,
        _ hierarchy: TypeHierarchy
    ) -> String? {
        guard case .contained(let id) = source else {
            return knownTableName(of: model.name(of: source))
        }
        // The property may have moved to a base type since.
        return hierarchy.family(of: id.type).lazy
            .compactMap { knownTableName(of: model[$0].name + "/" + model[id].name) }.first
    }
}

extension EdmModel {
    /// Sets, singletons and containment properties with a known type, in the order of the document.
    package var navigationSources: [NavigationSource] {
        var sources = rootSources
        for (type, structured) in structuredTypes.enumerated() {
            for index in structured.navigationProperties.indices {
                sources.append(
                    .contained(NavigationPropertyID(type: StructuredTypeID(type), index: index))
                )
            }
        }
        return sources.filter(isNavigationSource)
    }

    /// Sets and singletons, in the order of the document.
    package var rootSources: [NavigationSource] {
        container.entitySets.indices.map { .entitySet($0) }
            + container.singletons.indices.map { .singleton($0) }
    }

    /// Whether entities of a known type live at a source.
    package func isNavigationSource(_ source: NavigationSource) -> Bool {
        if case .contained(let id) = source, !self[id].containsTarget { return false }
        return entityType(of: source) != nil
    }
}
