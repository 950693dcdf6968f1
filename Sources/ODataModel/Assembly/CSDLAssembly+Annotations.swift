// Annotations by target, and terms whose alias came late.

extension CSDLAssembly {
    /// Hands annotations that name their target to it (OData CSDL XML 4.01 § 14.2.1).
    mutating func applyTargetedAnnotations() {
        var tables = MemberTables()
        for index in targetedAnnotations.indices
        where !targetedAnnotations[index].annotations.isEmpty {
            switch targetedAnnotations[index].target {
            case .plain(let head, let member):
                if applyToType(targetedAnnotations[index].annotations, head, member, &tables) {
                    continue
                }
                let name = symbols[head] + (member.map { "/" + symbols[$0] } ?? "")
                applyElsewhere(targetedAnnotations[index], AnnotationTarget(name), &tables)
            case .other(let text):
                applyElsewhere(targetedAnnotations[index], AnnotationTarget(text), &tables)
            }
        }
    }

    /// Applies annotations to a structured type or one of its members, by the numbers of their names.
    private mutating func applyToType(
        _ annotations: [Annotation],
        _ head: Int,
        _ member: Int?,
        _ tables: inout MemberTables
    ) -> Bool {
        guard case .structured(let id)? = declaration(head) else { return false }
        guard let member else {
            model.structuredTypes[id.index].annotations += annotations
            return true
        }
        guard let place = place(of: member, in: id, &tables) else { return false }
        if place >= 0 {
            Self.append(
                annotations,
                to: &model.structuredTypes[id.index].properties[place].annotations
            )
        } else {
            Self.append(
                annotations,
                to: &model.structuredTypes[id.index].navigationProperties[~place].annotations
            )
        }
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
        let note = typeNotes[id.index]
        let range = note.firstMember..<note.firstMember + note.memberCount
        if note.memberCount <= MemberTables.threshold {
            for index in range where Int(members[index].symbol) == symbol {
                return Int(members[index].place)
            }
            return nil
        }
        return tables.place(of: symbol, in: id, members[range])
    }

    private mutating func applyElsewhere(
        _ entry: TargetedAnnotations,
        _ target: AnnotationTarget,
        _ tables: inout MemberTables
    ) {
        let name = expanded(target.name)
        let head = name + target.parameters
        if !target.isDeep, apply(entry.annotations, name, target, &tables) { return }
        let path = target.member.map { head + "/" + $0 } ?? head
        model.otherAnnotations.append(
            EdmModel.TargetedAnnotations(target: path, annotations: entry.annotations)
        )
        guard !target.isDeep, isOwnName(name) else { return }
        diagnostics.add(
            .warning,
            path: path,
            line: entry.line,
            "The annotated element is not declared; the annotations are kept aside."
        )
    }

    private mutating func apply(
        _ annotations: [Annotation],
        _ name: String,
        _ target: AnnotationTarget,
        _ tables: inout MemberTables
    ) -> Bool {
        let member = target.member
        if name == model.container.name || containers.contains(where: { $0.name == name }) {
            return applyToContainer(annotations, member)
        }
        switch declaration(symbols.index(of: name)) {
        case .structured?: return false
        case .enumeration(let id)?:
            guard let member else {
                model.enumTypes[id.index].annotations += annotations
                return true
            }
            let members = model.enumTypes[id.index].members
            guard let index = members.firstIndex(where: { $0.name == member }) else {
                return false
            }
            model.enumTypes[id.index].members[index].annotations += annotations
            return true
        case .definition(let id)?:
            guard member == nil else { return false }
            model.typeDefinitions[id.index].annotations += annotations
            return true
        default: return applyToOperation(annotations, name, target, &tables)
        }
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
        _ name: String,
        _ target: AnnotationTarget,
        _ tables: inout MemberTables
    ) -> Bool {
        var isApplied = false
        for index in tables.operations(named: name, of: model) {
            if !target.parameters.isEmpty,
                !hasSignature(target.parameters, model.operations[index])
            {
                continue
            }
            let member = target.member
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
        return isApplied || target.member == "$ReturnType"
    }

    /// Compares the parameter types of a target with those of an overload; only the first counts for actions.
    private func hasSignature(_ target: String, _ operation: Operation) -> Bool {
        guard target.hasSuffix(")") else { return false }
        let inner = target.dropFirst().dropLast()
        let types = inner.split(separator: ",").map { WrittenType.split(String($0.trimmed())) }
        // Actions are told apart by their binding parameter alone; some services write all parameters all the same.
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

/// Tables of the members of large types, so that many targets in one of them stay cheap.
struct MemberTables {
    /// Up to how many members a search is as cheap as a table.
    static let threshold = 64

    private var tables: [StructuredTypeID: [Int32: Int32]] = [:]
    private var operations: [String: [Int]]?

    /// Returns the places of the overloads of an operation.
    mutating func operations(named name: String, of model: EdmModel) -> [Int] {
        let known =
            operations
            ?? Dictionary(grouping: model.operations.indices) { model.operations[$0].name }
        operations = known
        return known[name] ?? []
    }

    mutating func place(
        of symbol: Int,
        in id: StructuredTypeID,
        _ members: ArraySlice<CSDLAssembly.MemberPlace>
    ) -> Int? {
        let key = Int32(truncatingIfNeeded: symbol)
        if let table = tables[id] { return table[key].map(Int.init) }
        let table = Dictionary(
            members.map { ($0.symbol, $0.place) },
            uniquingKeysWith: { first, _ in first }
        )
        tables[id] = table
        return table[key].map(Int.init)
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
