// The entity container and what it holds, and associations of versions 1 to 3.

extension CSDLXMLReader {
    mutating func beginContainer(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let name = required(.name, of: .entityContainer, in: attributes) else { return nil }
        container = ContainerDraft(name: namespace + "." + name, line: line + skippedLines)
        container.extends = attributes.string(.extends)
        container.isOwn = isMain
        return .container
    }

    /// Enters a child of a container or of what stands in it; nil where it is another one.
    mutating func enterInContainer(
        _ element: ElementName,
        in parent: Context,
        attributes: borrowing XMLAttributes
    ) -> Context? {
        switch (parent, element) {
        case (.container, .entitySet):
            return addSource(element, typeName: .entityType, attributes: attributes)
        case (.container, .singleton):
            return addSource(element, typeName: .type, attributes: attributes)
        case (.container, .functionImport):
            if !attributes.has(.function) {
                if schemaVersion >= 40 {
                    warn("The import has no 'Function'; it is read as in version 3.")
                }
                return beginOperationImport(attributes)
            }
            return addImport(element, operationName: .function, attributes: attributes)
        case (.container, .actionImport):
            return addImport(element, operationName: .action, attributes: attributes)
        case (.container, .associationSet): return addAssociationSet(attributes)
        case (.associationSet, .end): return addAssociationSetEnd(attributes)
        case (.entitySet, .navigationPropertyBinding), (.singleton, .navigationPropertyBinding):
            return addBinding(attributes)
        default: return nil
        }
    }

    private mutating func addSource(
        _ element: ElementName,
        typeName: AttributeName,
        attributes: borrowing XMLAttributes
    ) -> Context? {
        guard let name = required(.name, of: element, in: attributes) else { return nil }
        guard let written = type(typeName, in: attributes) else {
            return leaveOut(
                "'\(name)' needs the attribute '\(typeName.spelling)'",
                at: container.name + "/" + name
            )
        }
        var source = ContainerDraft.SourceDraft(
            isSingleton: element == .singleton,
            name: name,
            type: written.type,
            line: line + skippedLines
        )
        source.isInServiceDocument = flag(.includeInServiceDocument, in: attributes) ?? true
        source.isNullable = flag(.nullable, in: attributes) ?? false
        container.sources.append(source)
        return element == .singleton ? .singleton : .entitySet
    }

    private mutating func addBinding(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let path = required(.path, of: .navigationPropertyBinding, in: attributes),
            let target = required(.target, of: .navigationPropertyBinding, in: attributes)
        else { return nil }
        let binding = NavigationBinding(path: path, target: target)
        container.sources[container.sources.count - 1].bindings.append(binding)
        return .leaf
    }

    private mutating func addImport(
        _ element: ElementName,
        operationName: AttributeName,
        attributes: borrowing XMLAttributes
    ) -> Context? {
        guard let name = required(.name, of: element, in: attributes),
            let target = required(operationName, of: element, in: attributes)
        else { return nil }
        var imported = OperationImport(name: name, operation: target)
        imported.line = line + skippedLines
        imported.entitySet = attributes.string(.entitySet)
        if element == .functionImport {
            container.functionImports.append(imported)
            return .functionImport
        }
        container.actionImports.append(imported)
        return .actionImport
    }
}

// MARK: - Associations

extension CSDLXMLReader {
    mutating func beginAssociation(_ attributes: borrowing XMLAttributes) -> Context? {
        let expected = associationNames.beforeExpected
        guard let symbol = qualifiedSymbol(of: .association, attributes, near: expected) else {
            return nil
        }
        associationNames.add(symbol)
        association = Association(symbol: symbol, line: line + skippedLines)
        return .association
    }

    mutating func finishAssociation() {
        // Handed over, not copied: a document may have thousands.
        var finished = Association(symbol: -1, line: 0)
        swap(&finished, &association)
        assembly.associations.append(finished)
    }

    /// Enters a child of an association or of what stands in it; nil where it is another one.
    mutating func enterInAssociation(
        _ element: ElementName,
        in parent: Context,
        attributes: borrowing XMLAttributes
    ) -> Context? {
        switch (parent, element) {
        case (.association, .end): return addEnd(attributes)
        case (.associationEnd, .onDelete):
            let action = onDelete(attributes.string(.action) ?? "")
            association.ends.changeLast { $0.onDelete = action }
            return .leaf
        case (.association, .referentialConstraint):
            association.constraint = Association.Constraint()
            return .constraint
        case (.constraint, .principal):
            association.constraint?.principalRole =
                attributes.symbol(.role, in: &assembly.symbols) ?? -1
            return .principal
        case (.constraint, .dependent):
            association.constraint?.dependentRole =
                attributes.symbol(.role, in: &assembly.symbols) ?? -1
            return .dependent
        case (.principal, .propertyRef), (.dependent, .propertyRef):
            return addConstraintPart(parent, attributes: attributes)
        default: return nil
        }
    }

    private mutating func addConstraintPart(
        _ parent: Context,
        attributes: borrowing XMLAttributes
    ) -> Context? {
        guard let name = required(.name, of: .propertyRef, in: attributes) else { return nil }
        if parent == .principal {
            association.constraint?.principalProperties.append(name)
        } else {
            association.constraint?.dependentProperties.append(name)
        }
        return .leaf
    }

    private mutating func addEnd(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let written = type(.type, in: attributes) else {
            return leaveOut("The end of an association needs the attribute 'Type'")
        }
        guard let multiplicity = multiplicity(attributes) else {
            let text = attributes.string(.multiplicity) ?? ""
            return leaveOut(
                "The multiplicity of an end is '\(text)', where 0..1, 1 or * is expected"
            )
        }
        // The default role is the name of the type.
        let role =
            attributes.symbol(.role, near: association.symbol, in: &assembly.symbols)
            ?? assembly.symbols.index(of: lastName(of: written))
        association.ends.append(
            Association.End(role: role, type: written.type, multiplicity: multiplicity)
        )
        return .associationEnd
    }

    private func lastName(of type: WrittenType) -> String {
        String(assembly.writtenName(of: type.type).split(separator: ".").last ?? "")
    }

    private func multiplicity(_ attributes: borrowing XMLAttributes) -> Association.Multiplicity? {
        if attributes.value(.multiplicity, is: "*") { return .many }
        if attributes.value(.multiplicity, is: "0..1") { return .zeroOrOne }
        return attributes.value(.multiplicity, is: "1") ? .one : nil
    }

    private mutating func addAssociationSet(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let name = requiredNote(.name, of: .associationSet, in: attributes),
            let association = requiredSymbol(
                .association,
                of: .associationSet,
                in: attributes,
                near: namesInSets.beforeExpected
            )
        else { return nil }
        namesInSets.add(association)
        container.associationSets.append(
            AssociationSet(name: name, association: association, line: line + skippedLines)
        )
        return .associationSet
    }

    private mutating func addAssociationSetEnd(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let set = requiredSymbol(.entitySet, of: .end, in: attributes) else { return nil }
        let last = container.associationSets.count - 1
        let association = container.associationSets[last].association
        let role = attributes.symbol(.role, near: association, in: &assembly.symbols) ?? -1
        container.associationSets[last].ends.append(AssociationSet.End(role: role, entitySet: set))
        return .leaf
    }
}
