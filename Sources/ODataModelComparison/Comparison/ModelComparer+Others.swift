import ODataModel

// Enumerations, type definitions, operations and the container.

extension ModelComparer {
    mutating func compareEnumerations() {
        let oldTypes = ModelComparer.byName(old.enumTypes, name: \.name)
        let newTypes = ModelComparer.byName(new.enumTypes, name: \.name)
        for type in new.enumTypes where oldTypes[type.name] == nil {
            note(.added, what: .enumType, at: type.name, isCompatible: true)
        }
        for type in old.enumTypes {
            if let other = newTypes[type.name] {
                compare(type, with: other)
            } else {
                note(.removed, what: .enumType, at: type.name, isCompatible: false)
            }
        }
    }

    private mutating func compare(_ oldType: EnumType, with newType: EnumType) {
        if oldType.underlyingType != newType.underlyingType {
            let names = (oldType.underlyingType.rawValue, newType.underlyingType.rawValue)
            let detail = "underlying type \(names.0) became \(names.1)"
            let isWider = newType.fitsAllValues(of: oldType)
            note(.changed, what: .enumType, at: oldType.name, isCompatible: isWider, detail: detail)
        }
        if oldType.isFlags != newType.isFlags {
            let detail =
                newType.isFlags
                ? "several members may be chosen" : "only one member may be chosen"
            note(
                .changed,
                what: .enumType,
                at: oldType.name,
                isCompatible: newType.isFlags,
                detail: detail
            )
        }
        let oldMembers = ModelComparer.byName(oldType.members, name: \.name)
        let newMembers = ModelComparer.byName(newType.members, name: \.name)
        var guess = RenameGuess()
        for member in newType.members where oldMembers[member.name] == nil {
            let path = newType.name + "/" + member.name
            note(
                .added,
                what: .enumMember,
                at: path,
                isCompatible: true,
                detail: "value \(member.value)"
            )
            guess.add(member.name, signature: String(member.value))
        }
        for member in oldType.members {
            let path = oldType.name + "/" + member.name
            guard let other = newMembers[member.name] else {
                let detail = guess.detail(for: member.name, signature: String(member.value))
                note(.removed, what: .enumMember, at: path, isCompatible: false, detail: detail)
                continue
            }
            if other.value != member.value {
                let detail = "value \(member.value) became \(other.value)"
                note(.changed, what: .enumMember, at: path, isCompatible: false, detail: detail)
            }
        }
    }

    mutating func compareDefinitions() {
        let oldTypes = ModelComparer.byName(old.typeDefinitions, name: \.name)
        let newTypes = ModelComparer.byName(new.typeDefinitions, name: \.name)
        for type in new.typeDefinitions where oldTypes[type.name] == nil {
            note(.added, what: .typeDefinition, at: type.name, isCompatible: true)
        }
        for type in old.typeDefinitions {
            guard let other = newTypes[type.name] else {
                note(.removed, what: .typeDefinition, at: type.name, isCompatible: false)
                continue
            }
            if type.underlyingType != other.underlyingType {
                let names = (type.underlyingType.rawValue, other.underlyingType.rawValue)
                let detail = "underlying type \(names.0) became \(names.1)"
                note(
                    .changed,
                    what: .typeDefinition,
                    at: type.name,
                    isCompatible: false,
                    detail: detail
                )
            } else {
                let facets = FacetComparison(
                    type: type.underlyingType,
                    old: type.facets,
                    new: other.facets
                )
                compareFacets(facets, subject: .typeDefinition, at: type.name)
            }
        }
    }
}

extension EnumType {
    /// Whether the underlying type holds every value that the other's holds.
    fileprivate func fitsAllValues(of other: EnumType) -> Bool {
        let own = EnumType.range(underlyingType)
        let others = EnumType.range(other.underlyingType)
        return own.lowerBound <= others.lowerBound && own.upperBound >= others.upperBound
    }

    private static func range(_ type: PrimitiveType) -> ClosedRange<Int64> {
        switch type {
        case .byte: 0...255
        case .sbyte: -128...127
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        default: .min ... .max
        }
    }
}

// MARK: - Operations

extension ModelComparer {
    /// Overloads are matched by name, binding and parameters; one that gains nullable parameters at its end is the same
    /// one (OData 4.01 Part 1 § 5.2).
    mutating func compareOperations() {
        let oldOperations = Dictionary(grouping: old.operations.indices) { old.operations[$0].name }
        let newOperations = Dictionary(grouping: new.operations, by: \.name)
        for name in oldOperations.keys.sorted() {
            compareOverloads(oldOperations[name] ?? [], with: newOperations[name] ?? [])
        }
        for name in newOperations.keys.sorted() where oldOperations[name] == nil {
            for operation in newOperations[name] ?? [] { noteAdded(operation) }
        }
    }

    private mutating func noteAdded(_ operation: Operation) {
        let detail = ModelComparer.signature(operation, in: new)
        let subject = ModelComparer.subject(operation)
        note(.added, what: subject, at: operation.name, isCompatible: true, detail: detail)
    }

    private static func subject(_ operation: Operation) -> ModelChange.Subject {
        operation.kind == .action ? .action : .function
    }

    /// Most overloads of one name among which an extended one is looked for.
    private static let maximumOverloadCount = 200

    private static func parameters(_ operation: Operation, in model: EdmModel) -> [String] {
        operation.parameters.map { "\($0.name): \(model.text(of: $0.type))" }
    }

    private static func signature(_ operation: Operation, in model: EdmModel) -> String {
        "(" + parameters(operation, in: model).joined(separator: ", ") + ")"
    }

    private mutating func compareOverloads(
        _ oldOverloads: [Int],
        with newOverloads: [Operation]
    ) {
        var unmatched: [Int] = []
        var rest = Dictionary(grouping: newOverloads.indices) {
            ModelComparer.identity(newOverloads[$0], in: new)
        }
        for overload in oldOverloads {
            let identity = ModelComparer.identity(old.operations[overload], in: old)
            guard let match = rest[identity]?.popLast() else {
                unmatched.append(overload)
                continue
            }
            compareParameters(overload, with: newOverloads[match])
            compareResults(overload, with: newOverloads[match])
        }
        var added = rest.values.flatMap(\.self).sorted().map { newOverloads[$0] }
        for overload in unmatched { compareExtended(overload, rest: &added) }
        for overload in added { noteAdded(overload) }
    }

    /// Kind, binding and parameters of an overload.
    private static func identity(_ operation: Operation, in model: EdmModel) -> String {
        let kind = operation.kind == .action ? "action" : "function"
        return (operation.isBound ? "bound " : "") + kind + signature(operation, in: model)
    }

    private mutating func compareExtended(_ index: Int, rest: inout [Operation]) {
        let overload = old.operations[index]
        let parameters = ModelComparer.parameters(overload, in: old)
        let subject = ModelComparer.subject(overload)
        // Looked for one by one: beyond some overloads an extended one counts as removed and added.
        let match = rest.prefix(ModelComparer.maximumOverloadCount).firstIndex { candidate in
            candidate.kind == overload.kind && candidate.isBound == overload.isBound
                && ModelComparer.parameters(candidate, in: new).starts(with: parameters)
                && candidate.parameters.dropFirst(parameters.count).allSatisfy {
                    mayBeLeftOut($0, of: candidate)
                }
        }
        guard let match else {
            let detail = ModelComparer.signature(overload, in: old)
            return warn(
                .removed,
                subject: subject,
                at: overload.name,
                detail: detail,
                operation: index
            )
        }
        let extended = rest.remove(at: match)
        let names = extended.parameters.dropFirst(parameters.count).map(\.name)
        let detail = "new optional parameters at the end: " + names.joined(separator: ", ")
        note(.changed, what: subject, at: overload.name, isCompatible: true, detail: detail)
        compareParameters(index, with: extended)
        compareResults(index, with: extended)
    }

    /// Under its alias as well: many documents do not include the vocabulary.
    private static let optionalTerms = [
        "Org.OData.Core.V1.OptionalParameter", "Core.OptionalParameter",
    ]

    /// Whether calls need not give a parameter: one that is declared so, and one of an action that may be null; before version 4 any that
    /// may be null (OData 4.01 Part 1 §§ 11.5.4, 11.5.5).
    private func mayBeLeftOut(_ parameter: Operation.Parameter, of operation: Operation) -> Bool {
        parameter.annotations.contains { Self.optionalTerms.contains($0.term) }
            || parameter.isNullable && (operation.kind == .action || !new.version.isV4)
    }

    /// Of parameters with one name and type, a waiting call feels what is not allowed any more.
    private mutating func compareParameters(_ index: Int, with newOperation: Operation) {
        let operation = old.operations[index]
        for (before, after) in zip(operation.parameters, newOperation.parameters) {
            var details = FacetComparison(
                type: old.underlyingPrimitive(of: before.type.type),
                old: before.type.facets,
                new: after.type.facets
            )
            .differences.filter { !$0.isWider }.map(\.detail)
            if before.isNullable, !after.isNullable { details.append("Nullable true became false") }
            guard !details.isEmpty else { continue }
            warn(
                .changed,
                subject: ModelComparer.subject(operation),
                at: operation.name,
                detail: "parameter \(before.name): " + details.joined(separator: ", "),
                operation: index
            )
        }
    }

    /// Notes what a store keeps nothing of: only calls of the operation feel it.
    private mutating func warn(
        _ change: ModelChange.Kind,
        subject: ModelChange.Subject,
        at path: String,
        detail: String = "",
        operation: Int? = nil
    ) {
        note(
            change,
            what: subject,
            at: path,
            isCompatible: true,
            detail: detail,
            isWarning: true,
            operation: operation
        )
    }

    private mutating func compareResults(_ index: Int, with newOperation: Operation) {
        let oldOperation = old.operations[index]
        let oldResult = oldOperation.returnType.map { old.text(of: $0) }
        let newResult = newOperation.returnType.map { new.text(of: $0) }
        guard oldResult != newResult else { return }
        let detail = "result \(oldResult ?? "(none)") became \(newResult ?? "(none)")"
        let subject = ModelComparer.subject(oldOperation)
        warn(.changed, subject: subject, at: oldOperation.name, detail: detail, operation: index)
    }
}

// MARK: - The container

extension ModelComparer {
    mutating func compareContainers() {
        let name = new.container.name
        if old.container.name != name, !old.container.name.isEmpty, !name.isEmpty {
            let detail = "\(old.container.name) became \(name)"
            note(.changed, what: .entityContainer, at: name, isCompatible: true, detail: detail)
        }
        compareSources(
            .entitySet,
            oldSources: old.container.entitySets.map { ($0.name, old[$0.type].name) },
            newSources: new.container.entitySets.map { ($0.name, new[$0.type].name) }
        )
        compareSources(
            .singleton,
            oldSources: old.container.singletons.map { ($0.name, old[$0.type].name) },
            newSources: new.container.singletons.map { ($0.name, new[$0.type].name) }
        )
        compareImports(.functionImport, imports: \.functionImports)
        compareImports(.actionImport, imports: \.actionImports)
        compareBindings()
        compareTargets()
    }

    private func path(_ name: String) -> String {
        let container = old.container.name.isEmpty ? new.container.name : old.container.name
        return container + "/" + name
    }

    private mutating func compareSources(
        _ subject: ModelChange.Subject,
        oldSources: [(name: String, type: String)],
        newSources: [(name: String, type: String)]
    ) {
        let oldTypes = ModelComparer.byName(oldSources, name: \.name)
        let newTypes = ModelComparer.byName(newSources, name: \.name)
        var guess = RenameGuess()
        for source in newSources where oldTypes[source.name] == nil {
            note(
                .added,
                what: subject,
                at: path(source.name),
                isCompatible: true,
                detail: source.type
            )
            guess.add(source.name, signature: source.type)
        }
        for source in oldSources {
            guard let other = newTypes[source.name] else {
                let detail = guess.detail(for: source.name, signature: source.type)
                note(
                    .removed,
                    what: subject,
                    at: path(source.name),
                    isCompatible: false,
                    detail: detail
                )
                continue
            }
            if other.type != source.type {
                let detail = "type \(source.type) became \(other.type)"
                note(
                    .changed,
                    what: subject,
                    at: path(source.name),
                    isCompatible: false,
                    detail: detail
                )
            }
        }
    }

    private mutating func compareImports(
        _ subject: ModelChange.Subject,
        imports: KeyPath<EntityContainer, [OperationImport]>
    ) {
        let oldImports = ModelComparer.byName(old.container[keyPath: imports], name: \.name)
        let newImports = ModelComparer.byName(new.container[keyPath: imports], name: \.name)
        for (name, imported) in newImports where oldImports[name] == nil {
            note(
                .added,
                what: subject,
                at: path(name),
                isCompatible: true,
                detail: imported.operation
            )
        }
        for (name, imported) in oldImports {
            guard let other = newImports[name] else {
                warn(.removed, subject: subject, at: path(name))
                continue
            }
            if other.operation != imported.operation {
                let detail = "operation \(imported.operation) became \(other.operation)"
                warn(.changed, subject: subject, at: path(name), detail: detail)
            }
        }
    }

    /// A binding that leads elsewhere would make links point to other rows.
    private mutating func compareBindings() {
        let newSets = ModelComparer.byName(new.container.entitySets, name: \.name)
        for set in old.container.entitySets {
            guard let other = newSets[set.name] else { continue }
            let newTargets = Dictionary(grouping: other.navigationBindings, by: \.path)
            for binding in set.navigationBindings {
                // In versions 1 to 3 one path may have several targets, by as many association sets.
                guard let targets = newTargets[binding.path]?.map(\.target),
                    !targets.contains(binding.target)
                else { continue }
                note(
                    .changed,
                    what: .navigationPropertyBinding,
                    at: path(set.name) + "/" + binding.path,
                    isCompatible: false,
                    detail: "target \(binding.target) became \(targets.joined(separator: ", "))"
                )
            }
        }
    }

    /// Without a binding, a navigation property leads to the only set of its type: where a binding comes or goes, or another set comes,
    /// links may lead elsewhere, or nowhere.
    private mutating func compareTargets() {
        let newSets = ModelComparer.byName(
            Array(new.container.entitySets.enumerated()),
            name: \.element.name
        )
        for (index, set) in old.container.entitySets.enumerated() {
            guard let other = newSets[set.name] else { continue }
            let types = old.lineage(of: set.type).dropFirst() + old.hierarchy(below: set.type)
            for id in types.flatMap(navigationProperties) {
                compareTarget(of: id, from: .entitySet(index), to: .entitySet(other.offset))
            }
        }
    }

    private func navigationProperties(of type: StructuredTypeID) -> [NavigationPropertyID] {
        old[type].navigationProperties.indices.map { NavigationPropertyID(type: type, index: $0) }
    }

    private mutating func compareTarget(
        of id: NavigationPropertyID,
        from source: NavigationSource,
        to newSource: NavigationSource
    ) {
        // Most are bound; `compareBindings` compares those that are and stay so.
        guard !old[id].containsTarget, let type = new.structuredType(named: old[id.type].name),
            let same = new.navigationProperty(old[id].name, of: type),
            !new[same].containsTarget, let target = old.target(of: id, from: source)
        else { return }
        let isBound = new.isBound(same, from: newSource)
        if isBound, old.isBound(id, from: source) { return }
        let name = old.name(of: target)
        let after = new.target(of: same, from: newSource).map(new.name(of:))
        guard after != name else { return }
        note(
            isBound ? .changed : .removed,
            what: .navigationPropertyBinding,
            at: path(old.name(of: source)) + "/" + old[id].name,
            isCompatible: false,
            detail: "it led to \(name), and "
                + (after.map { "leads to \($0) now" }
                    ?? "which of several sets it leads to is not said any more")
        )
    }
}
