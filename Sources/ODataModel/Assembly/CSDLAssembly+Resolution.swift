// Names become types: the end of the making of a model.

extension CSDLAssembly {
    /// Resolves all names; reports unresolved ones as diagnostics.
    mutating func resolve() throws(CSDLError) {
        try checkSchemas()
        giveAliases()
        model.registerNames()
        resolveNames()
        resolveBaseTypes()
        resolveMembers()
        checkAssociationConstraints()
        checkNavigationProperties()
        let relations = resolveAssociations()
        resolveOperations()
        try resolveContainers(relations)
        renameLateTerms()
        applyTargetedAnnotations()
        checkKeys()
        leaveOutRedeclared()
    }

    /// Refuses a document without a schema: a model of nothing would equal every other one (OData CSDL XML 4.01 § 3.2).
    private mutating func checkSchemas() throws(CSDLError) {
        guard model.schemas.isEmpty else { return }
        let message = "The document has no schema that can be read"
        guard references.isEmpty else {
            let line = references[0].line
            return diagnostics.add(
                .error,
                path: "",
                line: line,
                message: message + ", and those that it refers to are not at hand."
            )
        }
        let first = diagnostics.all.first { $0.severity == .error }
        throw CSDLError(
            .notCSDL,
            first.map { message + ": " + $0.message } ?? message + ".",
            line: first?.line ?? rootLine
        )
    }

    /// Gives schemas of other documents the aliases that includes have for them.
    private mutating func giveAliases() {
        guard model.schemas.contains(where: { $0.alias == nil }) else { return }
        let byNamespace = Dictionary(
            aliases.sorted { $0.key < $1.key }.map { ($0.value, $0.key) },
            uniquingKeysWith: { first, _ in first }
        )
        for index in model.schemas.indices where model.schemas[index].alias == nil {
            model.schemas[index].alias = byNamespace[model.schemas[index].namespace]
        }
    }

    /// Returns what a type of the model in the making stands for.
    func resolved(_ type: NamedType) -> NamedType {
        type.placeholderIndex.map { resolvedNames[$0] } ?? type
    }

    /// Looks up all names; reports each unknown one once.
    private mutating func resolveNames() {
        resolvedNames.reserveCapacity(names.count)
        var reported: Set<Int> = []
        for index in names.indices {
            let symbol = names[index].symbol
            if let type = declaration(symbol) {
                resolvedNames.append(type)
            } else {
                resolvedNames.append(.unresolved(symbols[fullName(symbol)]))
                if reported.insert(symbol).inserted { reportUnknown(names[index]) }
            }
        }
    }

    private mutating func reportUnknown(_ name: WrittenName) {
        let isExternal = mayBeElsewhere(name.text)
        let message =
            isExternal
            ? "The type '\(name.text)' is in a document that is not at hand."
            : "The type '\(name.text)' is not declared."
        diagnostics.add(
            isExternal ? .warning : .error,
            path: name.path,
            line: name.line,
            message: message
        )
    }

    /// Returns whether a document that is referred to may declare the name.
    func mayBeElsewhere(_ name: String) -> Bool {
        if references.isEmpty, !hasOpenReferences { return false }
        return !isOwnName(name)
    }

    /// Returns whether the name is in a namespace that the documents at hand declare.
    func isOwnName(_ name: String) -> Bool {
        let full = expanded(name)
        guard let dot = full.utf8.lastIndex(of: UInt8(ascii: ".")) else { return true }
        return declaredNamespaces.contains(String(full[..<dot]))
    }
}

// MARK: - Types

extension CSDLAssembly {
    /// Longest chain of base types; real ones stay below 15.
    private static let maximumInheritanceDepth = 200

    private mutating func resolveBaseTypes() {
        for index in typeNotes.indices {
            guard let written = typeNotes[index].base else { continue }
            let base = writtenName(of: written)
            switch resolved(written) {
            case .structured(let id):
                if model.structuredTypes[id.index].kind == model.structuredTypes[index].kind {
                    model.structuredTypes[index].baseType = id
                } else {
                    report(
                        index,
                        message: "The base type '\(base)' is of another kind; it is left out."
                    )
                }
            case .untyped: typeNotes[index].base = nil
            case .unresolved: break
            default:
                report(
                    index,
                    message: "The base type '\(base)' is no type to extend; it is left out."
                )
            }
        }
        checkInheritance()
    }

    mutating func report(_ index: Int, member: String = "", message: String) {
        diagnostics.add(
            .error,
            path: model.structuredTypes[index].name + (member.isEmpty ? "" : "/" + member),
            line: typeNotes[index].line,
            message: message
        )
    }

    /// Cuts the base of types that extend themselves (SharePoint has one), and hands open and media down.
    private mutating func checkInheritance() {
        var depths = [Int](repeating: 0, count: typeNotes.count)
        for index in typeNotes.indices where depths[index] == 0 {
            guard base(of: index) != nil else {
                depths[index] = 1
                continue
            }
            var chain = [index]
            while let base = base(of: chain[chain.count - 1]) {
                if depths[base] > 0 { break }
                if chain.count > CSDLAssembly.maximumInheritanceDepth || chain.contains(base) {
                    let last = chain[chain.count - 1]
                    cutBase(of: last, "The type extends itself; its base type is left out.")
                    break
                }
                chain.append(base)
            }
            for type in chain.reversed() {
                depths[type] = (base(of: type).map { depths[$0] } ?? 0) + 1
                if depths[type] > CSDLAssembly.maximumInheritanceDepth {
                    cutBase(
                        of: type,
                        "The type extends too many others; its base type is left out."
                    )
                    depths[type] = 1
                }
                inherit(type)
            }
        }
    }

    private mutating func cutBase(of index: Int, _ message: String) {
        report(index, message: message)
        model.structuredTypes[index].baseType = nil
    }

    func base(of index: Int) -> Int? {
        guard let id = model.structuredTypes[index].baseType else { return nil }
        return id.index
    }

    private mutating func inherit(_ index: Int) {
        guard let base = base(of: index) else { return }
        if model.structuredTypes[base].isOpen { model.structuredTypes[index].isOpen = true }
        if model.structuredTypes[base].hasStream { model.structuredTypes[index].hasStream = true }
    }

    private mutating func resolveMembers() {
        for index in model.structuredTypes.indices {
            for member in model.structuredTypes[index].ownProperties.indices {
                let written = model.structuredTypes[index].ownProperties[member].type.type
                guard let name = written.placeholderIndex else { continue }
                model.structuredTypes[index].ownProperties[member].type.type =
                    resolvedNames[name]
            }
            for member in model.structuredTypes[index].ownNavigations.indices {
                let target = model.structuredTypes[index].ownNavigations[member].target
                guard let target, target.index < 0 else { continue }
                let id = entityTarget(resolvedNames[~target.index])
                model.structuredTypes[index].ownNavigations[member].target = id
            }
        }
    }

    /// Returns the type that a navigation property leads to; nil for all but structured types.
    private func entityTarget(_ type: NamedType) -> StructuredTypeID? {
        if case .structured(let id) = type { id } else { nil }
    }

    private mutating func resolveOperations() {
        for index in model.operations.indices {
            for position in model.operations[index].parameters.indices {
                let written = model.operations[index].parameters[position].type.type
                guard let name = written.placeholderIndex else { continue }
                model.operations[index].parameters[position].type.type = resolvedNames[name]
            }
            if let name = model.operations[index].returnType?.type.placeholderIndex {
                model.operations[index].returnType?.type = resolvedNames[name]
            }
        }
    }
}

// MARK: - Keys

extension CSDLAssembly {
    /// Key parts that are looked up in each type; real keys have up to 20.
    private static let maximumKeyPartCount = 64

    /// Reports key parts without a property, and sets without a key.
    private mutating func checkKeys() {
        for index in model.structuredTypes.indices {
            let key = model.structuredTypes[index].declared.present.key
            for part in key.prefix(Self.maximumKeyPartCount) {
                let id = StructuredTypeID(index)
                if declares(part.path, in: index) || keyPathExists(part.path, in: id) { continue }
                diagnostics.add(
                    .error,
                    path: model[id].name,
                    line: typeNotes[index].line,
                    message: "The key names '\(part.path)', which is no property of the type."
                )
            }
        }
        for set in model.container.entitySets where model.key(of: set.type).isEmpty {
            diagnostics.add(
                .warning,
                path: model.container.name + "/" + set.name,
                line: typeNotes[set.type.index].line,
                message: "The entity type '\(model[set.type].name)' has no key."
            )
        }
    }

    /// Whether a type itself declares a structural property of this name, found by numbers: nearly all parts of keys are.
    private mutating func declares(_ name: String, in index: Int) -> Bool {
        let symbol = Int32(truncatingIfNeeded: symbols.index(of: name))
        return members[typeNotes[index].members].contains { $0.symbol == symbol && $0.place >= 0 }
    }

    /// Key paths go through complex properties and, from 4.01 on, single-valued navigation properties.
    func keyPathExists(_ path: String, in type: StructuredTypeID) -> Bool {
        if model.property(path, of: type) != nil { return true }
        if isIncomplete(type) { return true }
        var current = type
        let segments = path.split(separator: "/").map(String.init)
        for (position, segment) in segments.enumerated() {
            if let property = model.property(segment, of: current) {
                if position == segments.count - 1 { return true }
                guard case .structured(let next) = property.type.type else { return false }
                current = next
            } else if let id = model.navigationProperty(segment, of: current),
                let next = model[id].target
            {
                current = next
            } else {
                return false
            }
        }
        return false
    }

    /// Whether a base type is in a document that is not at hand.
    func isIncomplete(_ type: StructuredTypeID) -> Bool {
        let root = model.lineage(of: type)[0]
        return typeNotes[root.index].base != nil
    }
}
