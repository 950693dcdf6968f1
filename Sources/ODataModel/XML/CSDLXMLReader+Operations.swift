// Actions, functions, and the function imports of versions 1 to 3, which are operations of their own.

extension CSDLXMLReader {
    mutating func beginOperation(
        _ kind: Operation.Kind,
        of element: ElementName,
        attributes: borrowing XMLAttributes
    ) -> Context? {
        guard let name = required(.name, of: element, in: attributes) else { return nil }
        operation = Operation(name: namespace + "." + name, kind: kind)
        operation.isBound = flag(.isBound, in: attributes) ?? false
        operation.isComposable = flag(.isComposable, in: attributes) ?? false
        operation.entitySetPath = attributes.string(.entitySetPath)
        // Model functions of CSDL 3.0 have their result in an attribute.
        if let written = type(.returnType, in: attributes) {
            setReturnType(written, attributes: attributes)
        }
        return .operation
    }

    /// Enters a child of an operation; nil where it is another one.
    mutating func enterInOperation(
        _ element: ElementName,
        in parent: Context,
        attributes: borrowing XMLAttributes
    ) -> Context? {
        guard parent == .operation || parent == .operationImport else { return nil }
        switch element {
        case .parameter: return addParameter(attributes)
        case .returnType: return addReturnType(attributes)
        default: return nil
        }
    }

    private mutating func addParameter(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let name = required(.name, of: .parameter, in: attributes) else { return nil }
        guard let written = type(.type, in: attributes) else {
            return leaveOut("The parameter '\(name)' needs the attribute 'Type'")
        }
        let reference = TypeReference(
            written.type,
            isCollection: written.isCollection,
            facets: facets(attributes)
        )
        var parameter = Operation.Parameter(name: name, type: reference)
        parameter.isNullable = flag(.nullable, in: attributes) ?? !written.isCollection
        operation.parameters.append(parameter)
        return .parameter
    }

    private mutating func addReturnType(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let written = type(.type, in: attributes) else {
            return leaveOut("The return type needs the attribute 'Type'")
        }
        setReturnType(written, attributes: attributes)
        if let name = attributes.string(.entitySet) { operationImport?.imported.entitySet = name }
        return .returnType
    }

    private mutating func setReturnType(
        _ written: WrittenType,
        attributes: borrowing XMLAttributes
    ) {
        operation.returnType = TypeReference(
            written.type,
            isCollection: written.isCollection,
            facets: facets(attributes)
        )
        operation.returnsNullable = flag(.nullable, in: attributes) ?? !written.isCollection
    }

    /// Begins a function import of versions 1 to 3 (CSDL 3.0 § 2.1.20).
    mutating func beginOperationImport(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let name = required(.name, of: .functionImport, in: attributes) else { return nil }
        operation = Operation(name: namespace + "." + name, kind: .function)
        let isBindable = flag(.isBindable, in: attributes) ?? false
        let hasSideEffects = flag(.isSideEffecting, in: attributes)
        operation.isBound = isBindable
        operation.isComposable = flag(.isComposable, in: attributes) ?? false
        operation.entitySetPath = attributes.string(.entitySetPath)
        // The default is an action; but without a word about it the HTTP method decides at the end.
        operation.kind = hasSideEffects ?? false ? .action : .function
        if hasSideEffects == nil, schemaVersion >= 30, !operation.isComposable {
            operation.kind = .action
        }
        if let written = type(.returnType, in: attributes) {
            setReturnType(written, attributes: attributes)
        }
        var imported = OperationImport(name: name, operation: operation.name)
        imported.line = line + skippedLines
        imported.entitySet = attributes.string(.entitySet)
        operationImport = ImportDraft(imported: imported, isBindable: isBindable)
        return .operationImport
    }

    mutating func finishOperationImport() {
        guard let draft = operationImport else { return }
        operationImport = nil
        switch draft.imported.httpMethod {
        case "GET"?: operation.kind = .function
        case .some: operation.kind = .action
        case nil: break
        }
        assembly.model.operations.append(operation)
        // What is bound to an entity is called on it, not at the root of the service.
        if draft.isBindable { return }
        if operation.kind == .action {
            container.actionImports.append(draft.imported)
        } else {
            container.functionImports.append(draft.imported)
        }
    }
}
