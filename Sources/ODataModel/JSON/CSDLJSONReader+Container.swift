import ODataText

// Operations and the entity container (OData CSDL JSON 4.01 §§ 12, 13).

extension CSDLJSONReader {
    mutating func readOperation(_ node: JSONNode, name: String) throws(CSDLError) {
        let kind = try text("$Kind", of: node, path: name)
        guard kind == "Action" || kind == "Function" else {
            throw fault(
                "The member '$Kind' is '\(kind ?? "")', where Action or Function is expected.",
                at: node,
                path: name
            )
        }
        var operation = Operation(name: name, kind: kind == "Action" ? .action : .function)
        if operation.kind == .action { counts.actions += 1 } else { counts.functions += 1 }
        operation.isBound = flag("$IsBound", of: node, path: name)
        operation.isComposable = flag("$IsComposable", of: node, path: name)
        operation.entitySetPath = try text("$EntitySetPath", of: node, path: name)
        operation.annotations = annotations(of: node)
        // lodata writes an object with numbers as names where the standard has an array.
        let numbered = node["$Parameter"]?.members?.map(\.value).filter { $0.members != nil }
        for item in node["$Parameter"]?.items ?? numbered ?? [] {
            survive { reader throws(CSDLError) in
                operation.parameters.append(try reader.parameter(item, operation: name))
            }
        }
        if let result = node["$ReturnType"] {
            operation.returnType = try type(of: result, path: name)
            operation.returnsNullable = flag("$Nullable", of: result, path: name)
        }
        assembly.model.operations.append(operation)
    }

    private mutating func parameter(_ item: JSONNode, operation: String) throws(CSDLError)
        -> Operation.Parameter
    {
        guard let name = try text("$Name", of: item, path: operation) else {
            throw fault("A parameter needs the member '$Name'.", at: item, path: operation)
        }
        let path = operation + "/" + name
        var parameter = Operation.Parameter(name: name, type: try type(of: item, path: path))
        parameter.isNullable = flag("$Nullable", of: item, path: path)
        parameter.annotations = annotations(of: item)
        return parameter
    }

    mutating func readContainer(_ node: JSONNode, name: String) throws(CSDLError) {
        var container = ContainerDraft(name: name, line: node.line)
        container.extends = try text("$Extends", of: node, path: name)
        container.isOwn = isMain
        container.annotations = annotations(of: node)
        for member in node.members ?? [] {
            if member.name.hasPrefix("$") || member.name.utf8.contains(UInt8(ascii: "@")) {
                continue
            }
            survive { reader throws(CSDLError) in
                try reader.readContainerChild(member, of: &container)
            }
        }
        assembly.containers.append(container)
    }

    private mutating func readContainerChild(
        _ member: JSONNode.Member,
        of container: inout ContainerDraft
    ) throws(CSDLError) {
        let path = container.name + "/" + member.name
        let node = member.value
        _ = try members(of: node, path: path)
        if let target = try text("$Action", of: node, path: path) {
            counts.actionImports += 1
            container.actionImports.append(try imported(member, target: target, at: path))
        } else if let target = try text("$Function", of: node, path: path) {
            counts.functionImports += 1
            container.functionImports.append(try imported(member, target: target, at: path))
        } else {
            container.sources.append(try source(member, at: path))
        }
    }

    private func imported(_ member: JSONNode.Member, target: String, at path: String)
        throws(CSDLError) -> OperationImport
    {
        var imported = OperationImport(name: member.name, operation: target)
        imported.line = member.value.line
        imported.entitySet = try text("$EntitySet", of: member.value, path: path)
        imported.annotations = annotations(of: member.value)
        return imported
    }

    private mutating func source(_ member: JSONNode.Member, at path: String) throws(CSDLError)
        -> ContainerDraft.SourceDraft
    {
        let node = member.value
        // `$EntityType` is what writers of the first drafts of the format use.
        let early = try text("$EntityType", of: node, path: path)
        guard let type = try text("$Type", of: node, path: path) ?? early else {
            throw fault("A set or singleton needs the member '$Type'.", at: node, path: path)
        }
        let kind = try text("$Kind", of: node, path: path)
        let isCollection =
            flag("$Collection", of: node, path: path) || early != nil || kind == "EntitySet"
        if isCollection { counts.entitySets += 1 } else { counts.singletons += 1 }
        var source = ContainerDraft.SourceDraft(
            isSingleton: !isCollection,
            name: member.name,
            type: write(type, at: node, path: path).type,
            line: node.line
        )
        if case .bool(let flag)? = node["$IncludeInServiceDocument"]?.value {
            source.isInServiceDocument = flag
        }
        source.isNullable = flag("$Nullable", of: node, path: path)
        source.annotations = annotations(of: node)
        for binding in node["$NavigationPropertyBinding"]?.members ?? [] {
            guard let target = binding.value.text else { continue }
            source.bindings.append(NavigationBinding(path: binding.name, target: target))
        }
        return source
    }
}
