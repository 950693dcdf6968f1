// Entity, complex and enumeration types, type definitions, their properties and members.

extension CSDLXMLReader {
    /// Enters a child of a schema; nil where it is another one.
    mutating func enterInSchema(_ element: ElementName, attributes: borrowing XMLAttributes)
        -> Context?
    {
        switch element {
        case .entityType:
            beginType(.entity, of: element, attributes: attributes, context: .entityType)
        case .complexType:
            beginType(.complex, of: element, attributes: attributes, context: .complexType)
        case .enumType: beginEnumeration(attributes)
        case .typeDefinition: beginDefinition(attributes)
        case .action: beginOperation(.action, of: element, attributes: attributes)
        case .function: beginOperation(.function, of: element, attributes: attributes)
        case .entityContainer: beginContainer(attributes)
        case .association: beginAssociation(attributes)
        case .annotations: beginTargeted(attributes)
        case .term, .valueTerm: beginTerm(element, attributes: attributes)
        case .using: beginUsing(attributes)
        default: nil
        }
    }

    /// Terms are not used, but diagnosed where required attributes are missing (OData CSDL XML 4.01 § 14.1).
    private mutating func beginTerm(
        _ element: ElementName,
        attributes: borrowing XMLAttributes
    ) -> Context? {
        guard required(.name, of: element, in: attributes) != nil,
            required(.type, of: element, in: attributes) != nil
        else { return nil }
        return .leaf
    }

    private mutating func beginUsing(_ attributes: borrowing XMLAttributes) -> Context {
        assembly.hasOpenReferences = true
        if let alias = attributes.string(.alias), let namespace = attributes.string(.namespace) {
            assembly.addAlias(alias, for: namespace, line: line + skippedLines)
        }
        return .leaf
    }

    private mutating func beginType(
        _ kind: StructuredType.Kind,
        of element: ElementName,
        attributes: borrowing XMLAttributes,
        context: Context
    ) -> Context? {
        guard let symbol = qualifiedSymbol(of: element, attributes) else { return nil }
        typeSymbol = symbol
        type = StructuredType(name: assembly.symbols.string(symbol), kind: kind)
        firstRole = assembly.roleNavigations.count
        isTypeLeftOut = false
        typeNote = CSDLAssembly.TypeNote(line: line + skippedLines)
        typeNote.members = assembly.members.count..<assembly.members.count
        stamp += 1
        if attributes.has(.baseType), let base = self.type(.baseType, in: attributes, for: symbol) {
            typeNote.base = base.type
        }
        type.isAbstract = flag(.abstract, in: attributes) ?? false
        type.isOpen = flag(.openType, in: attributes) ?? false
        type.hasStream = flag(.hasStream, in: attributes) ?? false
        return context
    }

    mutating func finishType() {
        typeNote.members = typeNote.members.lowerBound..<assembly.members.count
        var finished = StructuredType(name: "", kind: .entity)
        swap(&finished, &type)
        if isTypeLeftOut || !assembly.add(finished, symbol: typeSymbol, note: typeNote) {
            assembly.roleNavigations.removeSubrange(firstRole...)
        }
    }

    /// Enters a child of a type or of what stands in it; nil where it is another one.
    mutating func enterInType(
        _ element: ElementName,
        in parent: Context,
        attributes: borrowing XMLAttributes
    ) -> Context? {
        switch (parent, element) {
        case (.entityType, .property), (.complexType, .property): return addProperty(attributes)
        case (.entityType, .navigationProperty), (.complexType, .navigationProperty):
            return addNavigation(attributes)
        case (.entityType, .key): return .key
        case (.key, .propertyRef): return addKeyPart(attributes)
        case (.navigationProperty, .referentialConstraint): return addConstraint(attributes)
        case (.navigationProperty, .onDelete):
            let text = attributes.string(.action) ?? ""
            let last = type.ownNavigations.count - 1
            type.ownNavigations[last].onDelete = onDelete(text)
            return .leaf
        default: return nil
        }
    }

    mutating func onDelete(_ text: String) -> OnDelete? {
        if let action = OnDelete(rawValue: text) { return action }
        warn("The action '\(text)' on delete is none of Cascade, None, SetNull, SetDefault.")
        return nil
    }

    private mutating func addProperty(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let symbol = requiredSymbol(.name, of: .property, in: attributes) else { return nil }
        let name = assembly.symbols.string(symbol)
        guard let written = self.type(.type, in: attributes, for: symbol) else {
            return leaveOut(
                "The property needs the attribute 'Type'",
                at: type.name + "/" + name
            )
        }
        if attributes.has(.collectionKind), !attributes.value(.collectionKind, is: "None") {
            // It comes from other uses of CSDL; no version of OData gives it a meaning.
            warn("'CollectionKind' makes no collection in OData; the type counts.")
        }
        let index = type.ownProperties.count
        guard add(symbol, at: index) else { return .leaf }
        // Made where it stays: a copy would count each of its texts and arrays twice.
        type.ownProperties.append(
            StructuralProperty(
                name: name,
                type: TypeReference(
                    written.type,
                    isCollection: written.isCollection,
                    facets: facets(attributes)
                ),
                isNullable: isNullable(attributes, isCollection: written.isCollection)
            )
        )
        if written.isCollection, !attributes.has(.nullable) {
            type.ownProperties[index].isNullableStated = false
        }
        addDefaults(attributes, at: index)
        return .property
    }

    /// Without a word about it nothing is known of a collection's items (OData CSDL XML 4.01 § 7.2.1); CSDL JSON then says
    /// that null is none of them.
    private mutating func isNullable(
        _ attributes: borrowing XMLAttributes,
        isCollection: Bool
    ) -> Bool {
        flag(.nullable, in: attributes) ?? !isCollection
    }

    private mutating func addDefaults(_ attributes: borrowing XMLAttributes, at index: Int) {
        if attributes.has(.defaultValue) {
            type.ownProperties[index].defaultValue = attributes.string(.defaultValue)
        }
        if attributes.has(.concurrencyMode) {
            type.ownProperties[index].isConcurrencyToken =
                attributes.value(.concurrencyMode, is: "Fixed")
        }
    }

    /// Notes where a property stands; false where the type has already given its name to another one.
    private mutating func add(_ symbol: Int, at place: Int) -> Bool {
        guard isNewMember(symbol) else {
            note(
                .error,
                "The type already has a property of this name; this second one is left out.",
                at: type.name + "/" + assembly.symbols[symbol]
            )
            return false
        }
        assembly.members.append(
            CSDLAssembly.MemberPlace(
                symbol: Int32(truncatingIfNeeded: symbol),
                place: Int32(truncatingIfNeeded: place)
            )
        )
        return true
    }

    private mutating func addKeyPart(_ attributes: borrowing XMLAttributes) -> Context? {
        // A key without one of its parts is another key: entities that differ would count as one.
        guard let name = attributes.string(.name), !name.isEmpty else {
            isTypeLeftOut = true
            note(.error, "A part of the key needs the attribute 'Name'; the type is left out.")
            isLeftOut = true
            return nil
        }
        type.declared.present.key.append(KeyProperty(path: name, alias: attributes.string(.alias)))
        return .leaf
    }

    private mutating func addConstraint(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let property = required(.property, of: .referentialConstraint, in: attributes),
            let other = required(.referencedProperty, of: .referentialConstraint, in: attributes)
        else { return nil }
        let pair = ReferentialConstraint(property: property, referencedProperty: other)
        let last = type.ownNavigations.count - 1
        type.ownNavigations[last].referentialConstraints.append(pair)
        return .leaf
    }

    private mutating func addNavigation(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let symbol = requiredSymbol(.name, of: .navigationProperty, in: attributes) else {
            return nil
        }
        let name = assembly.symbols.string(symbol)
        if attributes.has(.relationship) {
            return addRoleNavigation(symbol, attributes: attributes)
        }
        guard let written = self.type(.type, in: attributes, for: symbol) else {
            return leaveOut(
                "The navigation property needs the attribute 'Type' or 'Relationship'",
                at: type.name + "/" + name
            )
        }
        let index = type.ownNavigations.count
        guard add(symbol, at: ~index) else { return .leaf }
        type.ownNavigations.append(
            NavigationProperty(
                name: name,
                targetName: assembly.writtenName(of: written.type),
                target: target(written, named: name)
            )
        )
        type.ownNavigations[index].isCollection = written.isCollection
        type.ownNavigations[index].isNullable =
            (flag(.nullable, in: attributes) ?? true) && !written.isCollection
        if attributes.has(.partner) {
            type.ownNavigations[index].partner = attributes.string(.partner)
        }
        addContainment(attributes, at: index)
        return .navigationProperty
    }

    private mutating func target(_ written: WrittenType, named name: String) -> StructuredTypeID? {
        switch written.type {
        case .structured(let id): return id
        case .untyped: return nil
        default:
            note(
                .error,
                "A navigation property leads to entities, not to '\(assembly.writtenName(of: written.type))'.",
                at: type.name + "/" + name
            )
            return nil
        }
    }

    private mutating func addRoleNavigation(_ symbol: Int, attributes: borrowing XMLAttributes)
        -> Context?
    {
        let element = ElementName.navigationProperty
        guard let relationship = requiredSymbol(.relationship, of: element, in: attributes),
            let from = requiredSymbol(.fromRole, of: element, in: attributes, near: relationship),
            let to = requiredSymbol(.toRole, of: element, in: attributes, near: relationship)
        else { return nil }
        let index = type.ownNavigations.count
        guard add(symbol, at: ~index) else { return .leaf }
        assembly.roleNavigations.append(
            RoleNavigation(
                type: assembly.model.structuredTypes.count,
                index: index,
                name: symbol,
                relationship: relationship,
                fromRole: from,
                toRole: to,
                line: line + skippedLines
            )
        )
        let name = assembly.symbols.string(symbol)
        type.ownNavigations.append(
            NavigationProperty(name: name, targetName: "", target: nil)
        )
        addContainment(attributes, at: index)
        return .navigationProperty
    }

    private mutating func addContainment(_ attributes: borrowing XMLAttributes, at index: Int) {
        guard attributes.has(.containsTarget) else { return }
        type.ownNavigations[index].containsTarget =
            flag(.containsTarget, in: attributes) ?? false
    }
}

// MARK: - Enumerations and definitions

extension CSDLXMLReader {
    private mutating func beginEnumeration(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let name = required(.name, of: .enumType, in: attributes) else { return nil }
        stamp += 1
        repeatedMembers = []
        enumeration = EnumType(name: namespace + "." + name)
        enumeration.isFlags = flag(.isFlags, in: attributes) ?? false
        nextMemberValue = 0
        if let written = type(.underlyingType, in: attributes) {
            if case .primitive(let primitive) = written.type, EnumType.integers.contains(primitive)
            {
                enumeration.underlyingType = primitive
            } else {
                note(
                    .error,
                    "The underlying type '\(assembly.writtenName(of: written.type))' is no integer type; Edm.Int32 is taken.",
                    at: enumeration.name
                )
            }
        }
        return .enumType
    }

    mutating func enterMember(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let symbol = requiredSymbol(.name, of: .member, in: attributes) else { return nil }
        let name = assembly.symbols.string(symbol)
        var value = nextMemberValue
        if let text = attributes.string(.value) {
            value = Int64(text)
            if value == nil {
                note(
                    .error,
                    "The value '\(text)' of member '\(name)' is no integer of 64 bits; the member is"
                        + " left out."
                )
                nextMemberValue = nil
                return nil
            }
        }
        guard let value else {
            return leaveOut("The value of member '\(name)' does not fit into 64 bits")
        }
        nextMemberValue = value == .max ? nil : value + 1
        if !isNewMember(symbol) { repeatedMembers.append(name) }
        enumeration.members.append(EnumType.Member(name: name, value: value))
        return .member
    }

    mutating func finishEnumeration() {
        var finished = EnumType(name: "")
        swap(&finished, &enumeration)
        for name in repeatedMembers {
            note(
                .error,
                "The enumeration has two members of this name; the first one counts.",
                at: finished.name + "/" + name
            )
        }
        assembly.add(finished, line: line + skippedLines)
    }

    private mutating func beginDefinition(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let name = required(.name, of: .typeDefinition, in: attributes) else { return nil }
        definition = TypeDefinition(name: namespace + "." + name, underlyingType: .string)
        guard let written = type(.underlyingType, in: attributes),
            case .primitive(let primitive) = written.type
        else {
            let text = attributes.string(.underlyingType) ?? ""
            return leaveOut(
                "The underlying type of the type definition '\(name)' is '\(text)', where a"
                    + " primitive type is expected",
                at: definition.name
            )
        }
        definition.underlyingType = primitive
        definition.facets = facets(attributes)
        return .typeDefinition
    }
}

extension EnumType {
    /// Types that may hold the values of an enumeration (OData CSDL 4.01 § 10.1).
    static let integers: Set<PrimitiveType> = [.byte, .sbyte, .int16, .int32, .int64]
}
