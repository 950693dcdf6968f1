import ODataModel

extension EdmModel {
    /// The type that full control information states beside a property; nil where the JSON value says it, or states it inside
    /// (OData JSON 4.01 § 4.6.3).
    func typeAnnotation(of reference: TypeReference) -> String? {
        switch reference.type {
        case .primitive(.string), .primitive(.boolean), .primitive(.double), .structured:
            guard reference.isCollection else { return nil }
        default: break
        }
        let name = annotatedName(of: reference.type)
        guard !name.isEmpty else { return nil }
        return reference.isCollection ? "#Collection(\(name))" : "#" + name
    }

    /// Names of primitive types stand without `Edm.`.
    private func annotatedName(of type: NamedType) -> String {
        switch type {
        case .primitive(let primitive): String(primitive.rawValue.dropFirst("Edm.".count))
        case .enumeration(let id): self[id].name
        case .definition(let id): self[id].name
        case .structured(let id): self[id].name
        case .untyped, .unresolved: ""
        }
    }
}
