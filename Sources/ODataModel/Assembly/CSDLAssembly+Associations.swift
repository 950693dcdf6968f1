// Associations of versions 1 to 3 become targets, partners, constraints and actions of navigation properties.

/// The navigation properties of each association, by its qualified name.
struct AssociationRelations {
    var associations: [String: Association] = [:]
    /// Indexes into the role navigations.
    var navigations: [String: [Int]] = [:]
}

extension CSDLAssembly {
    mutating func resolveAssociations() throws(CSDLError)
        -> AssociationRelations
    {
        var relations = AssociationRelations()
        for association in associations {
            if relations.associations.updateValue(association, forKey: association.name) != nil {
                let message =
                    "An association of this name is already declared; the last one counts."
                diagnostics.add(
                    .error,
                    path: association.name,
                    line: association.line,
                    message
                )
            }
        }
        for index in roleNavigations.indices {
            let name = expanded(roleNavigations[index].relationship)
            guard let association = relations.associations[name] else {
                reportUnknownAssociation(index)
                continue
            }
            relations.navigations[name, default: []].append(index)
            try resolve(roleNavigations[index], association)
        }
        for indexes in relations.navigations.values { linkPartners(indexes) }
        return relations
    }

    private func path(of role: RoleNavigation) -> String {
        let type = model.structuredTypes[role.type]
        return type.name + "/" + type.navigationProperties[role.index].name
    }

    private mutating func reportUnknownAssociation(_ index: Int) {
        let role = roleNavigations[index]
        let isOwn = isOwnName(role.relationship)
        diagnostics.add(
            isOwn || references.isEmpty && !hasOpenReferences ? .error : .warning,
            path: path(of: role),
            line: role.line,
            "The association '\(role.relationship)' is not declared; the property leads nowhere."
        )
    }

    private mutating func resolve(
        _ role: RoleNavigation,
        _ association: Association
    ) throws(CSDLError) {
        // Where both ends have one role name, the first stands for "from".
        guard let from = association.ends.firstIndex(where: { $0.role == role.fromRole }),
            let to = association.ends.lastIndex(where: { $0.role == role.toRole }),
            association.ends.count == 2
        else {
            throw CSDLError(
                .invalidModel,
                "The association '\(association.name)' has no two ends with the roles"
                    + " '\(role.fromRole)' and '\(role.toRole)'.",
                line: role.line,
                path: path(of: role)
            )
        }
        let end = association.ends[to]
        var property = model.structuredTypes[role.type].navigationProperties[role.index]
        property.targetName = writtenName(of: end.type)
        property.isCollection = end.multiplicity == .many
        property.isNullable = end.multiplicity == .zeroOrOne
        property.onDelete = association.ends[from].onDelete
        if case .structured(let id) = resolved(end.type) {
            property.target = id
            property.targetName = model.structuredTypes[id.index].name
        }
        if let constraint = association.constraint, constraint.dependentRole == role.fromRole {
            property.referentialConstraints = try pairs(constraint, association)
        }
        model.structuredTypes[role.type].navigationProperties[role.index] = property
    }

    private func pairs(
        _ constraint: Association.Constraint,
        _ association: Association
    ) throws(CSDLError) -> [ReferentialConstraint] {
        guard constraint.dependentProperties.count == constraint.principalProperties.count else {
            throw CSDLError(
                .invalidModel,
                "The referential constraint has \(constraint.dependentProperties.count) dependent"
                    + " and \(constraint.principalProperties.count) principal properties.",
                line: association.line,
                path: association.name
            )
        }
        return zip(constraint.dependentProperties, constraint.principalProperties).map {
            ReferentialConstraint(property: $0, referencedProperty: $1)
        }
    }

    /// Two navigation properties of one association with exchanged roles are partners.
    private mutating func linkPartners(_ indexes: [Int]) {
        for index in indexes {
            let role = roleNavigations[index]
            let other = indexes.first {
                let candidate = roleNavigations[$0]
                return $0 != index && candidate.fromRole == role.toRole
                    && candidate.toRole == role.fromRole
            }
            guard let other else { continue }
            let partner = roleNavigations[other]
            let name = model.structuredTypes[partner.type].navigationProperties[partner.index].name
            model.structuredTypes[role.type].navigationProperties[role.index].partner = name
        }
    }
}
