// Associations of versions 1 to 3 become targets, partners, constraints and actions of navigation properties.

/// Which association a name stands for, and which navigation properties belong to it.
struct AssociationRelations {
    /// Indexes of associations by the number of their name.
    var associations = SymbolMap()
    /// First navigation property of each association, -1 where it has none.
    var first: [Int] = []
    /// For each navigation property the next one of its association, -1 after the last.
    var next: [Int] = []
}

extension CSDLAssembly {
    mutating func resolveAssociations() -> AssociationRelations {
        var relations = AssociationRelations()
        relations.first = Array(repeating: -1, count: associations.count)
        relations.next = Array(repeating: -1, count: roleNavigations.count)
        for index in associations.indices {
            let symbol = associations[index].symbol
            if relations.associations[symbol] >= 0 {
                let message =
                    "An association of this name is already declared; the last one counts."
                diagnostics.add(
                    .error,
                    path: symbols[symbol],
                    line: associations[index].line,
                    message: message
                )
            }
            relations.associations[symbol] = index
        }
        // From the last to the first, so that the lists are in the order of the document.
        for index in roleNavigations.indices.reversed() {
            let name = fullName(roleNavigations[index].relationship)
            let association = relations.associations[name]
            guard association >= 0 else {
                reportUnknownAssociation(index)
                continue
            }
            relations.next[index] = relations.first[association]
            relations.first[association] = index
            resolve(roleNavigations[index], in: association)
        }
        for index in associations.indices where relations.first[index] >= 0 {
            linkPartners(relations.first[index], relations: relations)
        }
        return relations
    }

    private func path(of role: RoleNavigation) -> String {
        let type = model.structuredTypes[role.type]
        return type.name + "/" + type.navigationProperties[role.index].name
    }

    private mutating func reportUnknownAssociation(_ index: Int) {
        let role = roleNavigations[index]
        let name = symbols[role.relationship]
        diagnostics.add(
            mayBeElsewhere(name) ? .warning : .error,
            path: path(of: role),
            line: role.line,
            message: "The association '\(name)' is not declared; the property leads nowhere."
        )
    }

    private mutating func resolve(
        _ role: RoleNavigation,
        in association: Int
    ) {
        // Where both ends have one role name, the first stands for "from".
        let ends = associations[association].ends
        guard ends.count == 2,
            let from = ends.first(where: { $0.role == role.fromRole }),
            let end = ends.last(where: { $0.role == role.toRole })
        else {
            let name = symbols[associations[association].symbol]
            return diagnostics.add(
                .error,
                path: path(of: role),
                line: role.line,
                message:
                    "The association '\(name)' has no two ends with the roles '\(symbols[role.fromRole])'"
                    + " and '\(symbols[role.toRole])'; the property leads nowhere."
            )
        }
        var target: StructuredTypeID?
        var targetName: String
        if case .structured(let id) = resolved(end.type) {
            target = id
            targetName = model.structuredTypes[id.index].name
        } else {
            targetName = writtenName(of: end.type)
        }
        var pairs: [ReferentialConstraint] = []
        if associations[association].dependentRole == role.fromRole {
            pairs = self.pairs(of: association)
        }
        Self.complete(
            &model.structuredTypes[role.type].ownNavigations[role.index],
            target: target,
            targetName: targetName,
            multiplicity: end.multiplicity
        )
        if let action = from.onDelete {
            model.structuredTypes[role.type].ownNavigations[role.index].onDelete = action
        }
        if !pairs.isEmpty {
            model.structuredTypes[role.type].ownNavigations[role.index].referentialConstraints =
                pairs
        } else {
            constrainDependents(of: role, in: association, target: target)
        }
    }

    /// A constraint counts from both ends: the principal finds its dependents by it, whether they lead back or not.
    private mutating func constrainDependents(
        of role: RoleNavigation,
        in association: Int,
        target: StructuredTypeID?
    ) {
        guard let target, associations[association].dependentRole == role.toRole,
            role.toRole != role.fromRole
        else { return }
        let pairs = pairs(of: association)
        guard !pairs.isEmpty else { return }
        model.structuredTypes[role.type].ownNavigations[role.index].dependentConstraints = pairs
        model.structuredTypes[target.index].declared.present.foreignKeys.append(pairs)
    }

    private static func complete(
        _ property: inout NavigationProperty,
        target: StructuredTypeID?,
        targetName: String,
        multiplicity: Association.Multiplicity
    ) {
        property.target = target
        property.targetName = targetName
        property.isCollection = multiplicity == .many
        property.isNullable = multiplicity == .zeroOrOne
    }

    /// Returns the equal properties of an association's constraint; none where it has none, or one that is faulty.
    private mutating func pairs(of index: Int) -> [ReferentialConstraint] {
        let association = associations[index]
        guard let constraint = association.constraint else { return [] }
        guard constraint.dependentProperties.count == constraint.principalProperties.count else {
            diagnostics.add(
                .error,
                path: symbols[association.symbol],
                line: association.line,
                message:
                    "The referential constraint has \(constraint.dependentProperties.count) dependent"
                    + " and \(constraint.principalProperties.count) principal properties; it is left"
                    + " out."
            )
            return []
        }
        return zip(constraint.dependentProperties, constraint.principalProperties).map {
            ReferentialConstraint(property: $0, referencedProperty: $1)
        }
    }

    /// Two navigation properties of one association with exchanged roles are partners.
    private mutating func linkPartners(_ first: Int, relations: AssociationRelations) {
        let second = relations.next[first]
        // Nearly all associations have one property or two.
        if second < 0 || relations.next[second] < 0 {
            guard second >= 0, areOpposite(first, second) else { return }
            setPartner(of: first, to: second)
            return setPartner(of: second, to: first)
        }
        linkMany(first, relations: relations)
    }

    private mutating func linkMany(_ first: Int, relations: AssociationRelations) {
        // The first two that lead each way: only they can be partners, however many there are.
        var byRole: [Int: [Int]] = [:]
        var index = first
        while index >= 0 {
            let role = roleNavigations[index].fromRole
            if byRole[role, default: []].count < 2 { byRole[role, default: []].append(index) }
            index = relations.next[index]
        }
        index = first
        while index >= 0 {
            let others = byRole[roleNavigations[index].toRole] ?? []
            if let other = others.first(where: { $0 != index && areOpposite(index, $0) }) {
                setPartner(of: index, to: other)
            }
            index = relations.next[index]
        }
    }

    private func areOpposite(_ one: Int, _ other: Int) -> Bool {
        roleNavigations[one].toRole == roleNavigations[other].fromRole
            && roleNavigations[one].fromRole == roleNavigations[other].toRole
    }

    private mutating func setPartner(of index: Int, to other: Int) {
        let name = symbols.string(roleNavigations[other].name)
        let role = roleNavigations[index]
        model.structuredTypes[role.type].ownNavigations[role.index].partner = name
    }
}
