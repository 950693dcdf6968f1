// Start and end tags: what may stand where.

extension CSDLXMLReader {
    /// Takes a start tag with a name that CSDL has.
    mutating func start(
        _ element: ElementName,
        in xmlNamespace: XMLNamespace,
        attributes: borrowing XMLAttributes
    ) {
        guard skipDepth == 0 else {
            if case .edm = xmlNamespace { elementCounts[Int(element.rawValue)] += 1 }
            skipDepth += 1
            return
        }
        guard accepts(element, in: xmlNamespace) else { return }
        elementCounts[Int(element.rawValue)] += 1
        isLeftOut = false
        guard let context = enter(element, attributes: attributes) else {
            skipDepth = 1
            return
        }
        contexts.append(context)
        takeOther(attributes, of: element)
    }

    /// Takes a start tag with a name that no version of CSDL has.
    mutating func startUnknown(_ name: String, in xmlNamespace: XMLNamespace) {
        skipDepth += 1
        guard skipDepth == 1 else { return }
        if contexts.count == 1 { return failAsNoCSDL(name) }
        switch xmlNamespace {
        case .edm, .edmx, .none:
            warn("The element '\(name)' is no element of CSDL; it is left out.")
        case .unbound:
            fail(.malformed, "The prefix of element '\(name)' is not bound to a namespace.")
        case .metadata, .sap, .other: break
        }
    }

    /// Takes an end tag.
    mutating func end() {
        if skipDepth > 0 {
            skipDepth -= 1
            return
        }
        guard !contexts.isEmpty else { return }
        leave(contexts.removeLast())
    }

    /// Returns whether the element has the namespace it needs; without, it is skipped.
    private mutating func accepts(_ element: ElementName, in xmlNamespace: XMLNamespace) -> Bool {
        switch xmlNamespace {
        case .edm(let version) where !element.isWrapper:
            // Annotations of version 4 may stand in a schema of version 2: the schema decides.
            if element == .schema { beginSchema(version, adopting: nil) }
            return true
        case .edmx(let version) where element.isWrapper:
            wrapperVersion = max(wrapperVersion, version)
            return true
        case .edmx(let version) where element == .schema:
            warn("A 'Schema' has the namespace of its wrapper; it is read as if it had its own.")
            beginSchema(version, adopting: .wrapper)
            return true
        case .none where element == .schema && isInWrapper:
            warn(
                "A 'Schema' has no namespace URI; it is read as a schema of version \(neighbourVersion / 10)."
            )
            beginSchema(neighbourVersion, adopting: AdoptedNamespace.none)
            return true
        case .edmx where adoptedNamespace == .wrapper: return true
        case .none where adoptedNamespace == AdoptedNamespace.none && !element.isWrapper:
            return true
        case .unbound:
            fail(
                .malformed,
                "The prefix of element '\(element.spelling)' is not bound to a namespace."
            )
        default:
            if contexts.count == 1 {
                failAsNoCSDL(element.spelling)
            } else if xmlNamespace == .none {
                let name = element.spelling
                warn("The element '\(name)' is in no namespace, so it is no CSDL; it is left out.")
            } else if element == .schema || element == .dataServices {
                let name = element.spelling
                note(
                    .error,
                    "The '\(name)' has a namespace URI that CSDL does not have; it is left out."
                )
            }
        }
        skipDepth = 1
        return false
    }

    /// Whether a schema may stand here.
    private var isInWrapper: Bool {
        switch contexts.last {
        case .edmx, .wrapper: true
        default: false
        }
    }

    /// Version, times ten, of the schemas beside, else the one that the wrapper states.
    private var neighbourVersion: Int {
        if edmVersion != 0 { return edmVersion }
        if wrapperVersion >= 40 { return wrapperVersion }
        // The wrapper of an older version may say of which service it is.
        let declared = [dataServiceVersion, maximumDataServiceVersion].compactMap { $0 }
        if declared.contains(where: { $0.hasPrefix("4") }) { return 40 }
        return version == .v3 ? 30 : 20
    }

    private mutating func beginSchema(_ version: Int, adopting namespace: AdoptedNamespace?) {
        adoptedNamespace = namespace
        schemaVersion = version
        if edmVersion != 0, edmVersion / 40 != version / 40 {
            note(.error, "Schemas of version 4 and of versions before it stand in one document.")
        }
        edmVersion = max(edmVersion, version)
    }

    private mutating func failAsNoCSDL(_ root: String) {
        fail(
            .notCSDL,
            "The document is no CSDL: its root is '\(root)', where 'Edmx' or 'Schema' in one of"
                + " the namespaces of CSDL is expected."
        )
    }

    /// Enters an element and returns its context; nil where it is skipped with all that is in it.
    private mutating func enter(_ element: ElementName, attributes: borrowing XMLAttributes)
        -> Context?
    {
        guard let parent = contexts.last else { return nil }
        switch parent {
        case .property, .navigationProperty, .key, .entityType, .complexType:
            if let context = enterInType(element, in: parent, attributes: attributes) {
                return context
            }
        case .schema:
            if let context = enterInSchema(element, attributes: attributes) { return context }
        case .document, .edmx, .wrapper, .reference:
            return enterWrapper(element, in: parent, attributes: attributes)
        case .enumType:
            if element == .member { return enterMember(attributes) }
        case .operation, .operationImport, .parameter, .returnType:
            if let context = enterInOperation(element, in: parent, attributes: attributes) {
                return context
            }
        case .association, .constraint, .principal, .dependent, .associationEnd:
            if let context = enterInAssociation(element, in: parent, attributes: attributes) {
                return context
            }
        case .container, .entitySet, .singleton, .associationSet:
            if let context = enterInContainer(element, in: parent, attributes: attributes) {
                return context
            }
        default: break
        }
        return enterCommon(element, in: parent, attributes: attributes)
    }

    /// Enters what may stand nearly everywhere: annotations and documentation.
    private mutating func enterCommon(
        _ element: ElementName,
        in parent: Context,
        attributes: borrowing XMLAttributes
    ) -> Context? {
        if failure != nil || isLeftOut { return nil }
        switch element {
        case .annotation, .valueAnnotation, .typeAnnotation:
            return enterAnnotation(element, attributes: attributes)
        case .documentation, .summary, .longDescription, .definingExpression: return nil
        default:
            if let context = enterExpression(element, in: parent, attributes: attributes) {
                return context
            }
            if isLeftOut { return nil }
        }
        warn("The element '\(element.spelling)' has no meaning here; it is left out.")
        return nil
    }

    private mutating func leave(_ context: Context) {
        switch context {
        case .entityType, .complexType: finishType()
        case .enumType: finishEnumeration()
        case .typeDefinition: assembly.add(definition, line: line + skippedLines)
        case .operation: assembly.model.operations.append(operation)
        case .operationImport: finishOperationImport()
        case .association: finishAssociation()
        case .container: assembly.containers.append(container)
        case .reference: finishReference()
        case .annotations: finishTargeted()
        case .annotation, .record, .propertyValue, .collection, .expression: finishFrame()
        default: break
        }
    }
}

// MARK: - The wrapper

extension CSDLXMLReader {
    private mutating func enterWrapper(
        _ element: ElementName,
        in parent: Context,
        attributes: borrowing XMLAttributes
    ) -> Context? {
        switch (parent, element) {
        case (.document, .edmx):
            edmxVersion = attributes.string(.version)
            if isMain { assembly.rootLine = line + skippedLines }
            return .edmx
        case (.edmx, .dataServices), (.edmx, .runtime), (.wrapper, .conceptualModels):
            return .wrapper
        case (.edmx, .reference):
            let uri = attributes.string(.uri) ?? attributes.string(.url) ?? ""
            if uri.isEmpty { warn("A reference needs the attribute 'Uri'.") }
            reference = CSDLReference(uri: uri, line: line + skippedLines)
            return .reference
        case (.reference, .include):
            include(attributes)
            return .leaf
        case (.reference, .includeAnnotations):
            reference.annotationNamespaces.append(attributes.string(.termNamespace) ?? "")
            return .leaf
        case (.edmx, .annotationsReference): return nil
        case (.edmx, .designer), (.wrapper, .storageModels), (.wrapper, .mappings): return nil
        case (.document, .schema), (.wrapper, .schema), (.edmx, .schema):
            return enterSchema(attributes)
        case (.reference, .annotation), (.edmx, .annotation), (.wrapper, .annotation):
            return enterAnnotation(element, attributes: attributes)
        case (.document, _):
            fail(
                .notCSDL,
                "The document is no CSDL: its root is '\(element.spelling)', where 'Edmx' or"
                    + " 'Schema' is expected."
            )
        default: warn("The element '\(element.spelling)' has no meaning here; it is left out.")
        }
        return nil
    }

    private mutating func include(_ attributes: borrowing XMLAttributes) {
        guard let namespace = attributes.string(.namespace) else {
            return warn("An include needs the attribute 'Namespace'.")
        }
        let alias = attributes.string(.alias)
        reference.includes.append(EdmModel.Schema(namespace: namespace, alias: alias))
        if let alias { assembly.addAlias(alias, for: namespace, line: line + skippedLines) }
    }

    private mutating func finishReference() {
        assembly.references.append(reference)
    }

    private mutating func enterSchema(_ attributes: borrowing XMLAttributes) -> Context? {
        guard let name = attributes.string(.namespace), !name.isEmpty else {
            return leaveOut("A schema needs the attribute 'Namespace'")
        }
        guard name.utf8.count <= limits.maximumNamespaceLength else {
            fail(.limit, "The namespace has more than \(limits.maximumNamespaceLength) bytes.")
            return nil
        }
        namespace = name
        namespaceSymbol = assembly.symbols.index(of: name)
        let alias = attributes.string(.alias)
        if let alias { assembly.addAlias(alias, for: name, line: line + skippedLines) }
        assembly.declaredNamespaces.insert(name)
        assembly.model.schemas.append(EdmModel.Schema(namespace: name, alias: alias))
        return .schema
    }
}
