import StoreRecords
import ODataModel

/// Describes the sets of a model.
struct SetDescriber {
    let model: EdmModel
    /// Stored entities by the name of their set.
    let counts: [String: Int]

    /// The sets and singletons of the service, then the sets of the engine.
    func descriptions() -> [OfflineODataSetDescription] {
        let container = model.container
        let sets = container.entitySets.indices.map { index in
            let set = container.entitySets[index]
            return description(.entitySet(index), named: set.name, kind: .entitySet, of: set.type)
        }
        let singletons = container.singletons.indices.map { index in
            let singleton = container.singletons[index]
            return description(
                .singleton(index),
                named: singleton.name,
                kind: .singleton,
                of: singleton.type
            )
        }
        return sets.filter { !$0.isBuiltIn } + singletons + sets.filter(\.isBuiltIn)
    }

    private func description(
        _ source: NavigationSource,
        named name: String,
        kind: OfflineODataSetDescription.Kind,
        of type: StructuredTypeID
    ) -> OfflineODataSetDescription {
        let derived = Array(model.hierarchy(below: type).dropFirst())
        let types = model.lineage(of: type) + derived
        let key = model.key(of: type)
        return OfflineODataSetDescription(
            name: name,
            kind: kind,
            type: model[type].name,
            derivedTypes: derived.map { model[$0].name },
            isBuiltIn: BuiltInSets.contains(source, in: model),
            hasStream: model.lineage(of: type).contains { model[$0].hasStream },
            key: key.map(\.name),
            properties: types.flatMap { properties(declaredBy: $0, key: Set(key.map(\.path))) },
            navigationProperties: types.flatMap { navigation(declaredBy: $0, from: source) },
            entityCount: counts[name] ?? 0
        )
    }

    private func properties(
        declaredBy type: StructuredTypeID,
        key: Set<String>
    ) -> [OfflineODataSetDescription.Property] {
        model[type].properties.map { property in
            OfflineODataSetDescription.Property(
                name: property.name,
                type: model.name(of: property.type),
                isNullable: property.isNullable && !key.contains(property.name),
                isKey: key.contains(property.name),
                maxLength: facets(of: property).maxLength.flatMap(\.length),
                precision: facets(of: property).precision,
                scale: facets(of: property).scale.map(\.text),
                members: members(of: property.type.type),
                declaringType: model[type].name
            )
        }
    }

    /// The facets of a property, or those of its type definition where it declares none.
    private func facets(of property: StructuralProperty) -> Facets {
        guard property.type.facets == Facets(), case .definition(let id) = property.type.type else {
            return property.type.facets
        }
        return model[id].facets
    }

    private func members(of type: NamedType) -> [String] {
        if case .enumeration(let id) = type { model[id].members.map(\.name) } else { [] }
    }

    private func navigation(
        declaredBy type: StructuredTypeID,
        from source: NavigationSource
    ) -> [OfflineODataSetDescription.NavigationProperty] {
        model[type].navigationProperties.indices.map { index in
            let id = NavigationPropertyID(type: type, index: index)
            let property = model[id]
            let target = property.target.map { model[$0].name } ?? property.targetName
            return OfflineODataSetDescription.NavigationProperty(
                name: property.name,
                type: property.isCollection ? "Collection(\(target))" : target,
                isNullable: !property.isCollection && property.isNullable,
                target: property.containsTarget
                    ? nil : model.target(of: id, from: source).map { model.name(of: $0) },
                containsTarget: property.containsTarget,
                partner: property.partner,
                declaringType: model[type].name
            )
        }
    }
}

extension EdmModel {
    /// The type as the metadata writes it, without facets.
    fileprivate func name(of type: TypeReference) -> String {
        let name =
            switch type.type {
            case .primitive(let primitive): primitive.rawValue
            case .structured(let id): self[id].name
            case .enumeration(let id): self[id].name
            case .definition(let id): self[id].name
            case .untyped(let name), .unresolved(let name): name
            }
        return type.isCollection ? "Collection(\(name))" : name
    }
}

extension Facets.MaxLength {
    fileprivate var length: Int? {
        if case .length(let length) = self { length } else { nil }
    }
}

extension Facets.Scale {
    fileprivate var text: String {
        switch self {
        case .digits(let digits): String(digits)
        case .variable: "variable"
        case .floating: "floating"
        }
    }
}
