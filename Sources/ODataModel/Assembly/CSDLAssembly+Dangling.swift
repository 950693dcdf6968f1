// Unresolved names: the element that refers to one is left out, with a diagnostic.

extension CSDLAssembly {
    // MARK: Relations

    /// Leaves out constraints of associations whose roles or properties are not there.
    mutating func checkAssociationConstraints() {
        for index in associations.indices {
            guard let constraint = associations[index].constraint,
                let fault = fault(of: constraint, in: associations[index])
            else { continue }
            associations[index].constraint = nil
            diagnostics.add(
                .error,
                path: symbols[associations[index].symbol],
                line: associations[index].line,
                message: fault + "; it is left out."
            )
        }
    }

    private func fault(of constraint: Association.Constraint, in association: Association)
        -> String?
    {
        for (name, role, properties) in [
            ("Principal", constraint.principalRole, constraint.principalProperties),
            ("Dependent", constraint.dependentRole, constraint.dependentProperties),
        ] {
            guard role >= 0 else {
                return "The referential constraint has no role in its '\(name)'"
            }
            guard let end = association.ends.first(where: { $0.role == role }) else {
                return
                    "The '\(name)' of the referential constraint has the role '\(symbols[role])', which no end has"
            }
            guard case .structured(let type) = resolved(end.type),
                let unknown = properties.first(where: { !keyPathExists($0, in: type) })
            else { continue }
            return
                "The '\(name)' of the referential constraint names '\(unknown)', which is no property of '\(model[type].name)'"
        }
        return nil
    }

    /// Leaves out constraints and partners that navigation properties write and that name what is not there.
    ///
    /// What an association gives them later comes from names that were found.
    mutating func checkNavigationProperties() {
        for index in model.structuredTypes.indices {
            let type = StructuredTypeID(index)
            for member in model.structuredTypes[index].ownNavigations.indices {
                if !model.structuredTypes[index].ownNavigations[member].referentialConstraints
                    .isEmpty
                {
                    checkConstraints(type, member: member)
                }
                if model.structuredTypes[index].ownNavigations[member].partner != nil {
                    checkPartner(type, member: member)
                }
            }
        }
    }

    private mutating func checkConstraints(_ type: StructuredTypeID, member: Int) {
        let property = model.structuredTypes[type.index].ownNavigations[member]
        for constraint in property.referentialConstraints {
            let owner =
                !keyPathExists(constraint.property, in: type)
                ? (constraint.property, type)
                : property.target.flatMap { target in
                    keyPathExists(constraint.referencedProperty, in: target)
                        ? nil : (constraint.referencedProperty, target)
                }
            guard let (name, owner) = owner else { continue }
            model.structuredTypes[type.index].ownNavigations[member].referentialConstraints = []
            return report(
                type,
                property: property,
                message:
                    "The referential constraint names '\(name)', which is no property of '\(model[owner].name)';"
                    + " the property's constraints are left out."
            )
        }
    }

    private mutating func checkPartner(_ type: StructuredTypeID, member: Int) {
        let property = model.structuredTypes[type.index].ownNavigations[member]
        guard let partner = property.partner, !partner.utf8.contains(UInt8(ascii: "/")),
            let target = property.target, !isIncomplete(target),
            model.navigationProperty(partner, of: target) == nil
        else { return }
        model.structuredTypes[type.index].ownNavigations[member].partner = nil
        report(
            type,
            property: property,
            message:
                "The partner '\(partner)' is no navigation property of '\(model[target].name)'; it is left out."
        )
    }

    private mutating func report(
        _ type: StructuredTypeID,
        property: NavigationProperty,
        message: String
    ) {
        diagnostics.add(
            .error,
            path: model[type].name + "/" + property.name,
            line: typeNotes[type.index].line,
            message: message
        )
    }

    // MARK: Containers

    /// The bindings of a set or singleton that lead to a set or singleton of the documents, or of one that is not at hand.
    mutating func known(
        _ bindings: [NavigationBinding],
        of path: String,
        line: Int
    ) -> [NavigationBinding] {
        guard !hasContainersElsewhere else { return bindings }
        return bindings.filter { binding in
            guard isDangling(binding.target) else { return true }
            diagnostics.add(
                .error,
                path: path,
                line: line,
                message:
                    "The binding of '\(binding.path)' leads to '\(binding.target)', which is no set or singleton of the container;"
                    + " it is left out."
            )
            return false
        }
    }

    /// The set that an import's results are in; nil where it is none of the documents.
    mutating func knownSet(of imported: OperationImport, in draft: ContainerDraft) -> String? {
        guard let set = imported.entitySet, !hasContainersElsewhere, isDangling(set) else {
            return imported.entitySet
        }
        diagnostics.add(
            .error,
            path: draft.name + "/" + imported.name,
            line: imported.line,
            message:
                "The import names the set '\(set)', which is none of the container; the name is left out."
        )
        return nil
    }

    /// Whether a container extends one of a missing document, whose sets are therefore unknown.
    private var hasContainersElsewhere: Bool {
        let names = Set(containers.map(\.name))
        return containers.contains { $0.extends.map { !names.contains(expanded($0)) } ?? false }
    }

    /// Whether a name surely stands for no set: it has no name of a container before it, and no container declares it.
    private func isDangling(_ target: String) -> Bool {
        let first = target.prefix { $0 != "/" }
        guard !first.isEmpty, !first.utf8.contains(UInt8(ascii: ".")) else { return false }
        return !sourceNames.contains(String(first))
    }
}
