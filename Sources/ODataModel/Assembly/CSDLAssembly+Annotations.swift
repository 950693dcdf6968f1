import ODataText

// Annotations by target, and terms whose alias came late.

extension CSDLAssembly {
    /// Takes what the model knows of a schema's own annotations: its version, and whether it is a default namespace.
    mutating func attachToSchema(_ annotation: Annotation) {
        guard let last = model.schemas.indices.last else { return }
        // The alias of the vocabulary may be declared behind its first use.
        if annotation.term == Terms.schemaVersion || annotation.term == "Core.SchemaVersion" {
            model.schemas[last].version = annotation.value.text
        } else if annotation.term.hasSuffix(".DefaultNamespace") {
            let name = model.schemas[last].namespace
            model.otherAnnotations.append(.init(target: name, annotations: [annotation]))
        }
    }
}

extension CSDLAssembly {
    /// Hands annotations that name their target to it (OData CSDL XML 4.01 § 14.2.1).
    mutating func applyTargetedAnnotations() {
        var tables = MemberTables()
        for entry in targetedAnnotations where !entry.annotations.isEmpty {
            if case .plain(let head, let member) = entry.target,
                applyToType(entry.annotations, head: head, member: member, in: &tables)
            {
                continue
            }
            let target = AnnotationTarget(text(of: entry.target))
            applyElsewhere(entry, target: target, in: &tables)
        }
    }

    /// Returns a target as a document writes it.
    func text(of target: TargetedAnnotations.Target) -> String {
        switch target {
        case .other(let text): text
        case .plain(let head, let member):
            symbols[head] + (member.map { "/" + symbols[$0] } ?? "")
        }
    }

    /// Applies annotations to a structured type, an enumeration or one of their members, by the numbers of their names.
    private mutating func applyToType(
        _ annotations: [Annotation],
        head: Int,
        member: Int?,
        in tables: inout MemberTables
    ) -> Bool {
        switch declaration(head) {
        case .structured(let id)?:
            applyToStructured(annotations, id, member: member, in: &tables)
        case .enumeration(let id)?:
            applyToEnumeration(
                annotations,
                id,
                member: member.map { symbols.string($0) },
                in: &tables
            )
        default: false
        }
    }

    private mutating func applyToStructured(
        _ annotations: [Annotation],
        _ id: StructuredTypeID,
        member: Int?,
        in tables: inout MemberTables
    ) -> Bool {
        guard let member else {
            model.structuredTypes[id.index].declared.present.annotations += annotations
            return true
        }
        guard let place = place(of: member, in: id, &tables) else { return false }
        if place >= 0 {
            Self.append(
                annotations,
                to: &model.structuredTypes[id.index].ownProperties[place].annotations
            )
        } else {
            Self.append(
                annotations,
                to: &model.structuredTypes[id.index].ownNavigations[~place].annotations
            )
        }
        return true
    }

    private mutating func applyToEnumeration(
        _ annotations: [Annotation],
        _ id: EnumTypeID,
        member: String?,
        in tables: inout MemberTables
    ) -> Bool {
        guard let member else {
            Self.append(annotations, to: &model.enumTypes[id.index].annotations)
            return true
        }
        guard let index = tables.member(member, of: id, in: model) else { return false }
        Self.append(annotations, to: &model.enumTypes[id.index].members[index].annotations)
        return true
    }

    /// Most elements have annotations in one place only; then the array is shared and not copied.
    private static func append(_ added: [Annotation], to annotations: inout [Annotation]) {
        if annotations.isEmpty { annotations = added } else { annotations += added }
    }

    /// Returns where a member stands, as `MemberPlace` has it.
    private func place(of symbol: Int, in id: StructuredTypeID, _ tables: inout MemberTables)
        -> Int?
    {
        let own = members[typeNotes[id.index].members]
        guard own.count <= MemberTables.threshold else {
            return tables.place(of: symbol, in: id, own)
        }
        return own.first { Int($0.symbol) == symbol }.map { Int($0.place) }
    }

    private mutating func applyElsewhere(
        _ entry: TargetedAnnotations,
        target: AnnotationTarget,
        in tables: inout MemberTables
    ) {
        let name = expanded(target.name)
        let head = name + target.parameters
        if !target.isDeep, apply(entry.annotations, named: name, target: target, in: &tables) {
            return
        }
        let path = target.member.map { head + "/" + $0 } ?? head
        model.otherAnnotations.append(
            EdmModel.TargetedAnnotations(target: path, annotations: entry.annotations)
        )
        guard !target.isDeep, isOwnName(name) else { return }
        diagnostics.add(
            .warning,
            path: path,
            line: entry.line,
            message: "The annotated element is not declared; the annotations are kept aside."
        )
    }

    private mutating func apply(
        _ annotations: [Annotation],
        named name: String,
        target: AnnotationTarget,
        in tables: inout MemberTables
    ) -> Bool {
        if tables.isContainer(name, in: self) {
            return applyToContainer(annotations, member: target.member, in: &tables)
        }
        switch declaration(symbols.index(of: name)) {
        case .structured?: return false
        case .enumeration(let id)?:
            return applyToEnumeration(annotations, id, member: target.member, in: &tables)
        case .definition(let id)?:
            guard target.member == nil else { return false }
            model.typeDefinitions[id.index].annotations += annotations
            return true
        default: return applyToOperations(annotations, named: name, target: target, in: &tables)
        }
    }

    private mutating func applyToContainer(
        _ annotations: [Annotation],
        member: String?,
        in tables: inout MemberTables
    ) -> Bool {
        guard let member else {
            model.container.annotations += annotations
            return true
        }
        let children = tables.children(named: member, of: model.container)
        for child in children {
            switch child {
            case .entitySet(let index):
                model.container.entitySets[index].annotations += annotations
            case .singleton(let index):
                model.container.singletons[index].annotations += annotations
            case .functionImport(let index):
                model.container.functionImports[index].annotations += annotations
            case .actionImport(let index):
                model.container.actionImports[index].annotations += annotations
            }
        }
        return !children.isEmpty
    }

    /// `NS.Operation` means all overloads, `NS.Operation(NS.Type,Edm.String)` the one with these parameter types.
    private mutating func applyToOperations(
        _ annotations: [Annotation],
        named name: String,
        target: AnnotationTarget,
        in tables: inout MemberTables
    ) -> Bool {
        var isApplied = false
        for index in tables.operations(named: name, target.parameters, of: self) {
            if !target.parameters.isEmpty,
                !hasSignature(target.parameters, operation: model.operations[index])
            {
                continue
            }
            if let member = target.member {
                guard
                    let position = model.operations[index].parameters
                        .prefix(MemberTables.maximumCount)
                        .firstIndex(where: { $0.name == member })
                else { continue }
                model.operations[index].parameters[position].annotations += annotations
            } else {
                model.operations[index].annotations += annotations
            }
            isApplied = true
        }
        return isApplied || target.member == "$ReturnType"
    }

    /// Compares the parameter types of a target with those of an overload; only the first counts for actions.
    private func hasSignature(_ target: String, operation: Operation) -> Bool {
        guard target.hasSuffix(")") else { return false }
        let inner = target.dropFirst().dropLast()
        let types = inner.split(separator: ",").map { WrittenType.split(String($0.trimmed())) }
        // Actions are distinguished by their binding parameter alone; some services write all parameters nevertheless.
        let parameters =
            operation.kind == .action && types.count == (operation.isBound ? 1 : 0)
            ? Array(operation.parameters.prefix(types.count)) : operation.parameters
        guard types.count == parameters.count else { return false }
        return zip(types, parameters).allSatisfy { written, parameter in
            written.isCollection == parameter.type.isCollection
                && (model.type(named: expanded(written.name)) ?? .unresolved(expanded(written.name)))
                    == parameter.type.type
        }
    }
}
