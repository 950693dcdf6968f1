/// Where entities live: a set, a singleton, or the entities contained by one declared navigation property.
public enum NavigationSource: Sendable, Hashable {
    /// Index into `EntityContainer.entitySets`.
    case entitySet(Int)
    /// Index into `EntityContainer.singletons`.
    case singleton(Int)
    /// A containment navigation property as declared (never per path: paths are endless).
    case contained(NavigationPropertyID)
}

extension EdmModel {
    /// Returns the set or singleton of this name.
    public func navigationSource(named name: String) -> NavigationSource? {
        if let source = registeredSource(named: name) { return source }
        if let index = container.entitySets.firstIndex(where: { $0.name == name }) {
            return .entitySet(index)
        }
        return container.singletons.firstIndex { $0.name == name }.map { .singleton($0) }
    }

    /// Returns the declared entity type of a source; nil where a contained target is not resolved.
    public func entityType(of source: NavigationSource) -> StructuredTypeID? {
        switch source {
        case .entitySet(let index): container.entitySets[index].type
        case .singleton(let index): container.singletons[index].type
        case .contained(let id): self[id].target
        }
    }

    /// Returns the name by which people know a source: `Orders`, or `NS.Order/Items` for a contained one.
    public func name(of source: NavigationSource) -> String {
        switch source {
        case .entitySet(let index): container.entitySets[index].name
        case .singleton(let index): container.singletons[index].name
        case .contained(let id): self[id.type].name + "/" + self[id].name
        }
    }

    /// Returns where a navigation property of the entities of a source leads.
    ///
    /// A contained target is its own source. Else the binding decides; without one, the only set of the target type
    /// (or a base type of it) does, since services often leave the binding out.
    public func target(of id: NavigationPropertyID, from source: NavigationSource)
        -> NavigationSource?
    {
        let property = self[id]
        if property.containsTarget { return .contained(id) }
        if let bound = binding(of: id, from: source) { return bound }
        guard let type = property.target else { return nil }
        let candidates = container.entitySets.indices.filter {
            self.type(type, isOrExtends: container.entitySets[$0].type)
        }
        return candidates.count == 1 ? .entitySet(candidates[0]) : nil
    }

    /// Returns whether a navigation property binding says where a navigation property of the entities of a source leads.
    package func isBound(_ id: NavigationPropertyID, from source: NavigationSource) -> Bool {
        binding(of: id, from: source) != nil
    }

    private func binding(of id: NavigationPropertyID, from source: NavigationSource)
        -> NavigationSource?
    {
        let bindings: [NavigationBinding] =
            switch source {
            case .entitySet(let index): container.entitySets[index].navigationBindings
            case .singleton(let index): container.singletons[index].navigationBindings
            case .contained(let parent): containedBindings(of: parent)
            }
        let name = self[id].name
        let cast = self[id.type].name + "/" + name
        let match = bindings.first { $0.path == name || $0.path == cast }
        return match.flatMap { navigationSource(named: $0.target) }
    }

    /// Bindings below a containment property, collected from every set, with the path cut to what follows it.
    private func containedBindings(of parent: NavigationPropertyID) -> [NavigationBinding] {
        let segment = self[parent].name + "/"
        let all =
            container.entitySets.flatMap(\.navigationBindings)
            + container.singletons.flatMap(\.navigationBindings)
        return all.compactMap { binding in
            guard binding.path.hasPrefix(segment) else { return nil }
            return NavigationBinding(
                path: String(binding.path.dropFirst(segment.count)),
                target: binding.target
            )
        }
    }
}
