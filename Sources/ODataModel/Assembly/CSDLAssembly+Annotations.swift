// Annotations by target, and terms whose alias came late.

extension CSDLAssembly {
    /// Hands annotations that name their target to it (OData CSDL XML 4.01 § 14.2.1).
    mutating func applyTargetedAnnotations() {
        var members = MemberIndex()
        for entry in targetedAnnotations where !entry.annotations.isEmpty {
            let target = AnnotationTarget(entry.target)
            let name = expanded(target.name)
            let head = name + target.parameters
            if !target.isDeep, apply(entry.annotations, head, target.member, &members) { continue }
            let path = target.member.map { head + "/" + $0 } ?? head
            model.otherAnnotations.append(
                EdmModel.TargetedAnnotations(target: path, annotations: entry.annotations)
            )
            if !target.isDeep, isOwnName(name) {
                diagnostics.add(
                    .warning,
                    path: path,
                    line: entry.line,
                    "The annotated element is not declared; the annotations are kept aside."
                )
            }
        }
    }

    private static func withoutParameters(_ name: String) -> String {
        String(name.prefix { $0 != "(" })
    }

    private mutating func apply(
        _ annotations: [Annotation],
        _ head: String,
        _ member: String?,
        _ members: inout MemberIndex
    ) -> Bool {
        if head == model.container.name || containers.contains(where: { $0.name == head }) {
            return applyToContainer(annotations, member)
        }
        switch model.declares(head) ? model.type(named: head) : nil {
        case .structured(let id)?:
            guard let member else {
                model[id].annotations += annotations
                return true
            }
            return apply(annotations, to: member, of: id, &members)
        case .enumeration(let id)?:
            guard let member else {
                model[id].annotations += annotations
                return true
            }
            guard let index = model[id].members.firstIndex(where: { $0.name == member }) else {
                return false
            }
            model[id].members[index].annotations += annotations
            return true
        case .definition(let id)?:
            guard member == nil else { return false }
            model[id].annotations += annotations
            return true
        default: return applyToOperation(annotations, head, member)
        }
    }

    private mutating func apply(
        _ annotations: [Annotation],
        to member: String,
        of id: StructuredTypeID,
        _ members: inout MemberIndex
    ) -> Bool {
        switch members.place(of: member, in: id, of: model) {
        case .property(let index)?:
            model[id].properties[index].annotations += annotations
        case .navigation(let index)?:
            model[id].navigationProperties[index].annotations += annotations
        case nil: return false
        }
        return true
    }

    private mutating func applyToContainer(_ annotations: [Annotation], _ member: String?) -> Bool {
        guard let member else {
            model.container.annotations += annotations
            return true
        }
        switch model.navigationSource(named: member) {
        case .entitySet(let index)?:
            model.container.entitySets[index].annotations += annotations
        case .singleton(let index)?:
            model.container.singletons[index].annotations += annotations
        default: return applyToImports(annotations, member)
        }
        return true
    }

    private mutating func applyToImports(_ annotations: [Annotation], _ name: String) -> Bool {
        let functions = model.container.functionImports.indices
            .filter { model.container.functionImports[$0].name == name }
        for index in functions { model.container.functionImports[index].annotations += annotations }
        let actions = model.container.actionImports.indices
            .filter { model.container.actionImports[$0].name == name }
        for index in actions { model.container.actionImports[index].annotations += annotations }
        return !functions.isEmpty || !actions.isEmpty
    }

    /// `NS.Operation` means all overloads, `NS.Operation(NS.Type,Edm.String)` the one with these parameter types.
    private mutating func applyToOperation(
        _ annotations: [Annotation],
        _ head: String,
        _ member: String?
    ) -> Bool {
        let name = Self.withoutParameters(head)
        var isApplied = false
        for index in model.operations.indices where model.operations[index].name == name {
            if name.utf8.count != head.utf8.count, !hasSignature(head, model.operations[index]) {
                continue
            }
            if let member {
                guard
                    let position = model.operations[index].parameters
                        .firstIndex(where: { $0.name == member })
                else { continue }
                model.operations[index].parameters[position].annotations += annotations
            } else {
                model.operations[index].annotations += annotations
            }
            isApplied = true
        }
        return isApplied || member == "$ReturnType"
    }

    /// Compares the parameter types of a target with those of an overload; only the first counts for actions.
    private func hasSignature(_ target: String, _ operation: Operation) -> Bool {
        guard let opening = target.firstIndex(of: "("), target.hasSuffix(")") else { return false }
        let inner = target[target.index(after: opening)...].dropLast()
        let types = inner.split(separator: ",").map { WrittenType(String($0.trimmed())) }
        // Actions are told apart by their binding parameter alone; some services write all parameters all the same.
        let parameters =
            operation.kind == .action && types.count == (operation.isBound ? 1 : 0)
            ? Array(operation.parameters.prefix(types.count)) : operation.parameters
        guard types.count == parameters.count else { return false }
        return zip(types, parameters).allSatisfy { written, parameter in
            written.isCollection == parameter.type.isCollection
                && (written.type == parameter.type.type
                    || model.type(named: expanded(written.name)) == parameter.type.type)
        }
    }
}

/// The target of annotations: `NS.Type`, `NS.Type/Member`, `NS.Operation(NS.Type)/Parameter`.
struct AnnotationTarget {
    /// Qualified name as written.
    var name: String
    /// Parameter types in parentheses, with them; empty without.
    var parameters = ""
    /// What follows the first slash behind the name.
    var member: String?
    /// Whether the model has no value for the target.
    var isDeep = false

    init(_ text: String) {
        let bytes = text.utf8
        guard
            let stop = bytes.firstIndex(where: {
                $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "(")
            })
        else {
            name = text
            return
        }
        name = String(text[..<stop])
        var rest = text[stop...]
        if bytes[stop] == UInt8(ascii: "(") {
            let closing = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") } ?? rest.endIndex
            parameters = String(rest[..<closing])
            rest = rest[closing...]
        }
        guard let slash = rest.utf8.first, slash == UInt8(ascii: "/") else { return }
        let inner = rest.dropFirst()
        member = String(inner)
        // Deeper paths, annotated annotations, and overloads of function imports, which are no single import.
        isDeep = inner.utf8.contains {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "(")
        }
    }
}

/// Finds members of types by name; large types get a table, so that many targets in one of them stay cheap.
struct MemberIndex {
    enum Place {
        case property(Int)
        case navigation(Int)
    }

    private static let tableThreshold = 32
    private var tables: [StructuredTypeID: [String: Place]] = [:]

    mutating func place(of name: String, in id: StructuredTypeID, of model: EdmModel) -> Place? {
        if model[id].properties.count + model[id].navigationProperties.count
            <= MemberIndex.tableThreshold
        {
            if let index = model[id].properties.firstIndex(where: { $0.name == name }) {
                return .property(index)
            }
            return model[id].navigationProperties.firstIndex { $0.name == name }
                .map { .navigation($0) }
        }
        if let table = tables[id] { return table[name] }
        var table: [String: Place] = [:]
        for (index, property) in model[id].navigationProperties.enumerated() {
            table[property.name] = .navigation(index)
        }
        for (index, property) in model[id].properties.enumerated() {
            table[property.name] = .property(index)
        }
        tables[id] = table
        return table[name]
    }
}

// MARK: - Late aliases

extension CSDLAssembly {
    /// Gives terms their right names where the alias was declared after its first use.
    mutating func renameLateTerms() {
        guard !lateTerms.isEmpty else { return }
        for index in targetedAnnotations.indices {
            rename(&targetedAnnotations[index].annotations)
        }
        for index in model.structuredTypes.indices {
            rename(&model.structuredTypes[index].annotations)
            for member in model.structuredTypes[index].properties.indices {
                rename(&model.structuredTypes[index].properties[member].annotations)
            }
            for member in model.structuredTypes[index].navigationProperties.indices {
                rename(&model.structuredTypes[index].navigationProperties[member].annotations)
            }
        }
        for index in model.enumTypes.indices { rename(&model.enumTypes[index].annotations) }
        for index in model.typeDefinitions.indices {
            rename(&model.typeDefinitions[index].annotations)
        }
        for index in model.operations.indices { rename(&model.operations[index].annotations) }
        rename(&model.container.annotations)
        for index in model.container.entitySets.indices {
            rename(&model.container.entitySets[index].annotations)
        }
        for index in model.container.singletons.indices {
            rename(&model.container.singletons[index].annotations)
        }
    }

    private func rename(_ annotations: inout [Annotation]) {
        for index in annotations.indices {
            if let name = lateTerms[annotations[index].term] { annotations[index].term = name }
        }
    }
}
