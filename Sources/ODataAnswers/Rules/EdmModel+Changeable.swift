import ODataBinding
package import ODataModel

extension EdmModel {
    /// Whether a property of the entity that a path leads to can be changed alone.
    ///
    /// It cannot where the service computes it, where it is part of the key, and where the metadata forbids it: `Core.Computed`,
    /// `Core.Immutable`, `Core.Permissions`, `Capabilities.UpdateRestrictions`.
    func isChangeable(_ names: [String], at path: EntityPath) -> Bool {
        guard let source = path.finalSource, let type = path.entityType(in: self) else {
            return true
        }
        let way = names.filter { !$0.contains(".") }
        guard isUpdatable(source), !isKey(way, of: type),
            !nonUpdatableProperties(of: source).contains(way.joined(separator: "/"))
        else { return false }
        return (1...max(1, way.count)).allSatisfy { length in
            guard let property = property(Array(way.prefix(length)), of: type) else { return true }
            return !property.isFixed
        }
    }

    private func isKey(_ way: [String], of type: StructuredTypeID) -> Bool {
        key(of: type).contains { $0.path.split(separator: "/").map(String.init).starts(with: way) }
    }

    /// Whether the links of the navigation property at the end of a path can be changed, as a part of the entity that has them.
    func areLinksChangeable(at path: EntityPath) -> Bool {
        guard let end = path.collection.trailingNavigation, let source = end.owner.finalSource
        else { return false }
        let navigation = self[end.navigation]
        return isUpdatable(source) && !navigation.annotations.isTagged(CoreTerm.computed)
            && !navigation.annotations.isTagged(CoreTerm.immutable)
            && !nonUpdatable("NonUpdatableNavigationProperties", of: source)
                .contains(navigation.name)
    }

    /// Paths of the properties that `Capabilities.UpdateRestrictions` excepts from changes.
    package func nonUpdatableProperties(of source: NavigationSource) -> [String] {
        nonUpdatable("NonUpdatableProperties", of: source)
    }

    /// The paths that `Capabilities.UpdateRestrictions` excludes.
    private func nonUpdatable(_ member: String, of source: NavigationSource) -> [String] {
        let restrictions = annotations(of: source).value(
            of: "Org.OData.Capabilities.V1.UpdateRestrictions"
        )
        return restrictions?[member]?.items?.compactMap(\.text) ?? []
    }
}

extension StructuralProperty {
    /// Whether its value cannot be changed after the entity was created.
    fileprivate var isFixed: Bool {
        annotations.isTagged(CoreTerm.computed) || annotations.isTagged(CoreTerm.immutable)
            || isReadOnly
    }
}

extension NavigationProperty {
    /// Whether every entity has to have a target of it (CSDL 4.01 § 8.3), which is not the service's to find.
    package var isRequired: Bool {
        !isCollection && !isNullable && !annotations.isTagged(CoreTerm.computed)
    }
}
