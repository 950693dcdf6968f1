// One container out of all: the one that counts, with those that it extends.

extension CSDLAssembly {
    mutating func resolveContainers(_ relations: AssociationRelations) throws(CSDLError) {
        guard let chosen = chooseContainer() else { return }
        sourceNames = Set(containers.lazy.flatMap(\.sources).map(\.name))
        let chain = extendedContainers(from: chosen)
        model.container = EntityContainer(name: containers[chosen].name)
        model.container.extends = containers[chosen].extends.map(expanded)
        var taken: [String: String] = [:]
        for index in chain.reversed() {
            merge(containers[index], taken: &taken)
        }
        let others = otherContainers(than: chain)
        for index in others { merge(containers[index], taken: &taken) }
        model.registerSources()
        try checkMeaning(chain)
        for index in chain.reversed() { bindAssociationSets(of: containers[index], relations) }
        for index in others { bindAssociationSets(of: containers[index], relations) }
    }

    /// The default one, else the one that no other extends, the newest of them where they form one line.
    private func chooseContainer() -> Int? {
        let own = containers.indices.filter { containers[$0].isOwn }
        if let marked = own.first(where: { containers[$0].isDefault }) { return marked }
        let extended = Set(containers.compactMap { $0.extends.map(expanded) })
        let ends = own.filter { !extended.contains(containers[$0].name) }
        return ends.last { containers[$0].extends != nil } ?? ends.first ?? own.first
    }

    /// Returns the container and those that it extends, directly or not.
    private mutating func extendedContainers(from index: Int) -> [Int] {
        var chain = [index]
        var visited: Set<Int> = [index]
        let places = Dictionary(
            containers.indices.map { (containers[$0].name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        while let base = containers[chain[chain.count - 1]].extends.map(expanded) {
            guard let next = places[base] else {
                diagnostics.add(
                    references.isEmpty || isOwnName(base) ? .error : .warning,
                    path: containers[index].name,
                    line: containers[index].line,
                    message:
                        "The extended container '\(base)' is in no document at hand; its sets are missing."
                )
                break
            }
            guard visited.insert(next).inserted else {
                diagnostics.add(
                    .error,
                    path: containers[index].name,
                    line: containers[index].line,
                    message: "The container extends itself."
                )
                break
            }
            chain.append(next)
        }
        return chain
    }

    /// The other containers of the document, whose sets are addressed behind their name, `Other.Orders` (OData 2.0 URI Conventions, 3.1).
    private mutating func otherContainers(than chain: [Int]) -> [Int] {
        let merged = Set(chain)
        let others = containers.indices.filter { containers[$0].isOwn && !merged.contains($0) }
        for index in others {
            containers[index].prefix = containers[index].simpleName + "."
            diagnostics.add(
                .warning,
                path: containers[index].name,
                line: containers[index].line,
                message:
                    "A service has one container, which is '\(model.container.name)'; the sets of this one are"
                    + " addressed as '\(containers[index].prefix)…'."
            )
        }
        return others
    }

    /// Refuses a container of which nothing is left: all its sets are of unknown types.
    private func checkMeaning(_ chain: [Int]) throws(CSDLError) {
        let sources = chain.flatMap { containers[$0].sources }
        guard let first = sources.first, references.isEmpty, !hasOpenReferences,
            model.container.entitySets.isEmpty, model.container.singletons.isEmpty
        else { return }
        throw CSDLError(
            .invalidModel,
            "None of the types of the container's sets is declared, the first of them is"
                + " '\(writtenName(of: first.type))'.",
            line: first.line,
            path: model.container.name + "/" + first.name
        )
    }

    private mutating func merge(
        _ draft: ContainerDraft,
        taken: inout [String: String]
    ) {
        model.container.annotations += draft.annotations
        for source in draft.sources {
            guard isFree(source.name, line: source.line, in: draft, taken: &taken) else { continue }
            add(source, of: draft)
        }
        let operations = operationNames(draft)
        // An overloaded function has one import for each overload in versions 1 to 3.
        model.container.functionImports += draft.functionImports.compactMap {
            resolved($0, operations: operations, of: draft)
        }
        model.container.actionImports += draft.actionImports.compactMap {
            resolved($0, operations: operations, of: draft)
        }
    }

    /// Names of all operations, where a container has imports that ask for them.
    private func operationNames(_ draft: ContainerDraft) -> Set<String> {
        if draft.functionImports.isEmpty, draft.actionImports.isEmpty { return [] }
        return Set(model.operations.map(\.name))
    }

    /// Returns the import with the full name of its operation; nil where no document declares that.
    private mutating func resolved(
        _ imported: OperationImport,
        operations: Set<String>,
        of draft: ContainerDraft
    ) -> OperationImport? {
        var imported = imported
        imported.operation = expanded(imported.operation)
        imported.entitySet = knownSet(of: imported, in: draft)
        imported.name = draft.prefix + imported.name
        if operations.contains(imported.operation) { return imported }
        let isExternal = mayBeElsewhere(imported.operation)
        diagnostics.add(
            isExternal ? .warning : .error,
            path: draft.name + "/" + imported.name,
            line: imported.line,
            message: isExternal
                ? "The operation '\(imported.operation)' is in a document that is not at hand."
                : "The operation '\(imported.operation)' is not declared; its import is left out."
        )
        return isExternal ? imported : nil
    }

    private mutating func isFree(
        _ name: String,
        line: Int,
        in draft: ContainerDraft,
        taken: inout [String: String]
    ) -> Bool {
        guard let owner = taken.updateValue(draft.name, forKey: draft.prefix + name) else {
            return true
        }
        // An extending container may say again what the extended one says (Redfish does); the first stays.
        let isOwn = owner == draft.name
        diagnostics.add(
            isOwn ? .error : .warning,
            path: draft.name + "/" + name,
            line: line,
            message:
                "The container already has a set or singleton of this name; this one is left out."
        )
        return false
    }

    private mutating func add(
        _ source: ContainerDraft.SourceDraft,
        of draft: ContainerDraft
    ) {
        let path = draft.name + "/" + source.name
        guard case .structured(let type) = resolved(source.type), model[type].kind == .entity
        else {
            let name = writtenName(of: source.type)
            let message =
                "The type '\(name)' is no entity type of the documents at hand; this set or"
                + " singleton is left out."
            let isExternal = mayBeElsewhere(name)
            let severity: CSDLDiagnostic.Severity = isExternal ? .warning : .error
            return diagnostics.add(severity, path: path, line: source.line, message: message)
        }
        if source.isSingleton {
            var singleton = Singleton(name: draft.prefix + source.name, type: type)
            singleton.isNullable = source.isNullable
            singleton.navigationBindings = known(source.bindings, of: path, line: source.line)
                .map { resolved($0, of: draft) }
            singleton.annotations = source.annotations
            model.container.singletons.append(singleton)
        } else {
            var set = EntitySet(name: draft.prefix + source.name, type: type)
            set.isInServiceDocument = source.isInServiceDocument
            set.navigationBindings = known(source.bindings, of: path, line: source.line)
                .map { resolved($0, of: draft) }
            set.annotations = source.annotations
            model.container.entitySets.append(set)
        }
    }

    /// Returns the binding with aliases in casts replaced, and its target without the name of the own container.
    private func resolved(_ binding: NavigationBinding, of draft: ContainerDraft)
        -> NavigationBinding
    {
        var path = binding.path
        if path.utf8.contains(UInt8(ascii: ".")) {
            path = path.split(separator: "/", omittingEmptySubsequences: false)
                .map { expanded(String($0)) }.joined(separator: "/")
        }
        var target = binding.target
        if target.utf8.contains(UInt8(ascii: ".")) {
            let full = expanded(target)
            let owner = containers.first { full.hasPrefix($0.name + "/") }
            let own = model.container.name + "/"
            if full.hasPrefix(own) {
                target = String(full.dropFirst(own.utf8.count))
            } else if let owner, !owner.prefix.isEmpty {
                target = owner.prefix + full.dropFirst(owner.name.utf8.count + 1)
            } else {
                target = full
            }
        } else if !target.isEmpty {
            target = draft.prefix + target
        }
        return NavigationBinding(path: path, target: target)
    }
}

// MARK: - Association sets

/// What binding association sets needs to know: sets by the number of their name, and what is already bound.
private struct SetBinder {
    var sets = SymbolMap()
    /// For each role navigation the sets that it was first bound in and to, -1 before.
    var first: [(source: Int, target: Int)]
    /// How many bindings may still be added; the largest real document has 4,200.
    var remaining = 200_000
}

extension CSDLAssembly {
    /// Adds a binding for each navigation property whose association has a set here.
    private mutating func bindAssociationSets(
        of draft: ContainerDraft,
        _ relations: AssociationRelations
    ) {
        guard !draft.associationSets.isEmpty else { return }
        var binder = SetBinder(first: Array(repeating: (-1, -1), count: roleNavigations.count))
        for index in model.container.entitySets.indices {
            let name = model.container.entitySets[index].name
            guard let short = draft.shortName(of: name, isKnown: isOfOther(name)) else { continue }
            let symbol = symbols.index(of: short)
            if binder.sets[symbol] < 0 { binder.sets[symbol] = index }
        }
        for associationSet in draft.associationSets {
            let name = fullName(associationSet.association)
            let association = relations.associations[name]
            guard association >= 0 else {
                let written = symbols[associationSet.association]
                diagnostics.add(
                    mayBeElsewhere(written) ? .warning : .error,
                    path: draft.name + "/" + symbols[associationSet.name],
                    line: associationSet.line,
                    message: "The association '\(written)' is not declared."
                )
                continue
            }
            guard associationSet.ends.count <= 2 else {
                diagnostics.add(
                    .error,
                    path: draft.name + "/" + symbols[associationSet.name],
                    line: associationSet.line,
                    message: "An association set has two ends; this one is left out."
                )
                continue
            }
            var navigation = relations.first[association]
            while navigation >= 0, binder.remaining > 0 {
                bind(navigation, in: association, associationSet: associationSet, binder: &binder)
                navigation = relations.next[navigation]
            }
        }
    }

    /// Whether a set belongs to a container whose name stands before it.
    private func isOfOther(_ name: String) -> Bool {
        containers.contains { !$0.prefix.isEmpty && name.hasPrefix($0.prefix) }
    }

    private mutating func bind(
        _ index: Int,
        in association: Int,
        associationSet: AssociationSet,
        binder: inout SetBinder
    ) {
        let role = roleNavigations[index]
        guard
            let from = end(
                role.fromRole,
                isLast: false,
                in: association,
                associationSet: associationSet,
                sets: binder.sets
            ),
            let to = end(
                role.toRole,
                isLast: true,
                in: association,
                associationSet: associationSet,
                sets: binder.sets
            )
        else { return }
        let source = model.container.entitySets[from].type
        let name = symbols.string(role.name)
        let path: String
        if source.index == role.type {
            path = name
        } else if model.type(source, isOrExtends: StructuredTypeID(role.type)) {
            path = name
        } else if model.type(StructuredTypeID(role.type), isOrExtends: source) {
            path = model.structuredTypes[role.type].name + "/" + name
        } else {
            return diagnostics.add(
                .warning,
                path: symbols[associationSet.name],
                line: associationSet.line,
                message: "The set '\(model.container.entitySets[from].name)' holds no entities of"
                    + " '\(model.structuredTypes[role.type].name)'."
            )
        }
        let target = model.container.entitySets[to].name
        let binding = NavigationBinding(path: path, target: target)
        let first = binder.first[index]
        if first.source == from {
            if first.target == to { return }
            report(binding, source: from, to: first.target, associationSet: associationSet)
        } else if first.source < 0 {
            binder.first[index] = (from, to)
        }
        model.container.entitySets[from].navigationBindings.append(binding)
        binder.remaining -= 1
        if binder.remaining == 0 {
            diagnostics.add(
                .error,
                path: symbols[associationSet.name],
                line: associationSet.line,
                message:
                    "Association sets give more bindings than are allowed; the rest is left out."
            )
        }
    }

    /// Reports association sets that lead from one set to two.
    private mutating func report(
        _ binding: NavigationBinding,
        source: Int,
        to target: Int,
        associationSet: AssociationSet
    ) {
        let sets = model.container.entitySets
        diagnostics.add(
            .warning,
            path: model.container.name + "/" + sets[source].name + "/" + binding.path,
            line: associationSet.line,
            message: "By several association sets this leads to '\(sets[target].name)' and"
                + " '\(binding.target)'; the set of an entity is then ambiguous."
        )
    }

    /// Returns the set at the end of this role; an end without role is found by its type.
    private mutating func end(
        _ role: Int,
        isLast: Bool,
        in association: Int,
        associationSet: AssociationSet,
        sets: SymbolMap
    ) -> Int? {
        let ends = associationSet.ends
        let named =
            isLast ? ends.last(where: { $0.role == role }) : ends.first(where: { $0.role == role })
        if let named {
            let index = sets[named.entitySet]
            if index >= 0 { return index }
            diagnostics.add(
                .warning,
                path: symbols[associationSet.name],
                line: associationSet.line,
                message: "There is no entity set '\(symbols[named.entitySet])'."
            )
            return nil
        }
        guard let type = associations[association].ends.first(where: { $0.role == role })?.type,
            case .structured(let id) = resolved(type)
        else { return nil }
        return ends.first { holds(sets[$0.entitySet], type: id) }.map { sets[$0.entitySet] }
    }

    /// Whether entities of a type, or of one that it extends or that extends it, are in a set.
    private func holds(_ set: Int, type: StructuredTypeID) -> Bool {
        guard set >= 0 else { return false }
        let held = model.container.entitySets[set].type
        return model.type(held, isOrExtends: type) || model.type(type, isOrExtends: held)
    }
}
