import ODataModel

extension EdmModel {
    /// Namespaces whose operations are called by their simple names as well (`Core.DefaultNamespace`, OData 4.01 Part 1 § 12.1.1).
    var defaultNamespaces: [String] {
        otherAnnotations.compactMap { group in
            guard group.annotations.contains(where: \.namesDefaultNamespace) else { return nil }
            return schemas.first { [$0.namespace, $0.alias].contains(group.target) }?.namespace
        }
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
