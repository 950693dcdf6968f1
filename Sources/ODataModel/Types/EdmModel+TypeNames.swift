extension EdmModel {
    /// Returns the name of a type as the model declares it.
    func name(of type: NamedType) -> String {
        switch type {
        case .primitive(let primitive): primitive.rawValue
        case .structured(let id): self[id].name
        case .enumeration(let id): self[id].name
        case .definition(let id): self[id].name
        case .untyped(let name): name
        case .unresolved(let name): resolvingAlias(name) ?? name
        }
    }

    /// Returns a type reference without facets, `Collection(NS.Type)`.
    package func text(of type: TypeReference) -> String {
        let name = name(of: type.type)
        return type.isCollection ? "Collection(\(name))" : name
    }
}
