import ODataModel
import ODataURL

extension EdmModel {
    /// Namespaces whose operations and types are called by their simple names as well (`Core.DefaultNamespace`, OData 4.01 Part 1
    /// § 12.1.1).
    var defaultNamespaces: [String] {
        otherAnnotations.compactMap { group in
            guard group.annotations.contains(where: \.namesDefaultNamespace) else { return nil }
            return schemas.first { [$0.namespace, $0.alias].contains(group.target) }?.namespace
        }
    }

    /// The qualified name of a type that is given by its simple name, which that of a default namespace can be.
    func qualifiedType(_ name: String) -> String? {
        guard !name.utf8.contains(Byte.dot), name.utf8.first != Byte.dollar else { return nil }
        return defaultNamespaces.lazy.map { $0 + "." + name }.first { type(named: $0) != nil }
    }

    /// The qualified name of the type that a segment casts to, for a simple name that no member of the type has; otherwise the name.
    func castName(_ name: String, of type: StructuredTypeID) -> String {
        guard property(name, of: type) == nil, navigationProperty(name, of: type) == nil,
            let qualified = qualifiedType(name), let cast = structuredType(named: qualified),
            self.type(cast, isOrExtends: type) || self.type(type, isOrExtends: cast)
        else { return name }
        return qualified
    }

    /// The qualified name of a bound operation whose simple name is given; nil where no operation has it.
    func qualifiedOperation(_ name: String) -> String? {
        operations.first { $0.isBound && $0.name.hasSuffix("." + name) }?.name
    }
}

extension Annotation {
    /// Whether the term is applied, and not switched off.
    fileprivate var namesDefaultNamespace: Bool {
        // The alias of the vocabulary may be declared behind its first use.
        guard ["Org.OData.Core.V1.DefaultNamespace", "Core.DefaultNamespace"].contains(term) else {
            return false
        }
        if case .constant(_, "false") = value { return false }
        return true
    }
}
