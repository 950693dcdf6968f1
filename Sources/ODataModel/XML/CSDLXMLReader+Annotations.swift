import ODataText

// Annotations, inline and by target, with their expressions kept as written (OData CSDL XML 4.01 § 14).

extension CSDLXMLReader {
    mutating func beginTargeted(_ attributes: borrowing XMLAttributes) -> Context? {
        var target = CSDLAssembly.TargetedAnnotations.Target.other("")
        if !attributes.has(.target) || attributes.value(.target, is: "") {
            return leaveOut("The element 'Annotations' needs the attribute 'Target'")
        }
        if let plain = attributes.target(.target, in: &assembly.symbols) {
            target = .plain(head: plain.head, member: plain.member)
        } else {
            target = .other(attributes.string(.target) ?? "")
        }
        targeted = CSDLAssembly.TargetedAnnotations(
            target: target,
            annotations: [],
            line: line + skippedLines
        )
        targetedQualifier = attributes.string(.qualifier)
        return .annotations
    }

    mutating func finishTargeted() {
        assembly.targetedAnnotations.append(targeted)
        targetedQualifier = nil
    }

    mutating func enterAnnotation(_ element: ElementName, attributes: borrowing XMLAttributes)
        -> Context?
    {
        guard let symbol = attributes.symbol(.term, in: &assembly.symbols) else {
            return leaveOut("An annotation needs the attribute 'Term'")
        }
        if termIndexes[symbol] < 0 {
            termIndexes[symbol] = terms.count
            terms.append((symbol, assembly.expanded(assembly.symbols[symbol])))
        }
        let kind = ExpressionFrame.Kind.annotation(
            term: terms[termIndexes[symbol]].resolved,
            qualifier: attributes.string(.qualifier) ?? targetedQualifier,
            owner: contexts[contexts.count - 1]
        )
        frames.append(ExpressionFrame(kind, value: shortExpression(attributes)))
        return .annotation
    }

    /// Enters a part of an expression; nil where the element is none, or none may stand here.
    mutating func enterExpression(
        _ element: ElementName,
        in parent: Context,
        attributes: borrowing XMLAttributes
    ) -> Context? {
        if element == .propertyValue, parent == .record || parent == .annotation {
            guard let name = required(.property, of: element, in: attributes) else { return nil }
            let value = shortExpression(attributes)
            frames.append(ExpressionFrame(.propertyValue(name: name), value: value))
            return .propertyValue
        }
        guard parent.holdsExpressions else { return nil }
        switch element {
        case .record:
            frames.append(ExpressionFrame(.record(type: attributes.string(.type))))
            return .record
        case .collection:
            frames.append(ExpressionFrame(.collection))
            return .collection
        case _ where element.holdsText:
            frames.append(ExpressionFrame(.text(element)))
            text.removeAll(keepingCapacity: true)
            wantsText = true
            return .expression
        case .null, .apply, .if, .cast, .isOf, .isType, .urlRef, .labeledElement, .and, .or, .not,
            .eq, .ne, .gt, .ge, .lt, .le, .has, .in, .add, .sub, .mul, .div, .divBy, .mod, .neg:
            let kind = ExpressionFrame.Kind.dynamic(element, attributes: plain(attributes))
            frames.append(ExpressionFrame(kind, value: shortExpression(attributes)))
            return .expression
        default: return nil
        }
    }

    /// Returns the expression that stands in an attribute.
    private func shortExpression(_ attributes: borrowing XMLAttributes) -> AnnotationExpression? {
        for position in 0..<attributes.count {
            guard let name = attributes.name(at: position), name.isExpression else { continue }
            let text = attributes.string(at: position)
            if name == .urlRef {
                let url = AnnotationExpression.constant(kind: "String", text: text)
                return .dynamic(element: "UrlRef", attributes: [], [url])
            }
            return name.isPath
                ? .path(kind: name.spelling, text: text)
                : .constant(kind: name.spelling, text: text)
        }
        return nil
    }

    /// Returns the attributes that are no expressions, as written.
    private func plain(_ attributes: borrowing XMLAttributes) -> [(String, String)] {
        var all: [(String, String)] = []
        for position in 0..<attributes.count {
            guard let name = attributes.name(at: position), !name.isExpression else { continue }
            all.append((name.spelling, attributes.string(at: position)))
        }
        return all
    }

    /// Ends an annotation or a part of an expression, and hands it to what holds it.
    mutating func finishFrame() {
        guard let frame = frames.popLast() else { return }
        switch frame.kind {
        case .annotation(let term, let qualifier, let owner):
            let annotation = Annotation(term: term, qualifier: qualifier, value: frame.content)
            if owner == .annotation || owner == .record || owner == .propertyValue
                || owner == .collection || owner == .expression
            {
                attachNested(annotation)
            } else {
                attach(annotation, to: owner)
            }
        case .propertyValue(let name): append(member: name, frame.content)
        case .record(let type): append(.record(type: type, frame.members))
        case .collection: append(.collection(frame.operands))
        case .text(let element): append(constant(element))
        case .dynamic(.null, _): append(.constant(kind: "Null", text: ""))
        case .dynamic(let element, let attributes):
            let operands = frame.value.map { [$0] + frame.operands } ?? frame.operands
            append(.dynamic(element: element.spelling, attributes: attributes, operands))
        }
    }

    private mutating func append(_ expression: AnnotationExpression) {
        guard !frames.isEmpty else { return }
        frames[frames.count - 1].operands.append(expression)
    }

    private mutating func append(member name: String, _ value: AnnotationExpression) {
        guard !frames.isEmpty else { return }
        frames[frames.count - 1].members.append((name, value))
    }

    private mutating func constant(_ element: ElementName) -> AnnotationExpression {
        wantsText = false
        let written = String(decoding: text, as: UTF8.self)
        let isText = element == .string
        let content = isText ? written : String(written.trimmed())
        switch element {
        case .path, .propertyPath, .navigationPropertyPath, .annotationPath, .modelElementPath,
            .anyPropertyPath:
            return .path(kind: element.spelling, text: content)
        case .labeledElementReference:
            return .dynamic(
                element: element.spelling,
                attributes: [],
                [.path(kind: "Path", text: content)]
            )
        default: return .constant(kind: element.spelling, text: content)
        }
    }

    /// An annotation within an annotation is kept as CSDL JSON writes it: `@Term` in a record, else `Outer@Term`.
    private mutating func attachNested(_ annotation: Annotation) {
        guard !frames.isEmpty else { return }
        let qualifier = annotation.qualifier.map { "#" + $0 } ?? ""
        let name = "@" + annotation.term + qualifier
        switch frames[frames.count - 1].kind {
        case .record: append(member: name, annotation.value)
        case .propertyValue(let property):
            let outer = frames.count - 2
            if outer >= 0 { frames[outer].members.append((property + name, annotation.value)) }
        case .annotation(let term, let qualifier, let owner):
            let whole = term + (qualifier.map { "#" + $0 } ?? "") + name
            if !owner.holdsExpressions, owner != .record {
                attach(Annotation(term: whole, value: annotation.value), to: owner)
            }
        default: break
        }
    }
}

// MARK: - Whose annotation

extension CSDLXMLReader {
    /// Adds an annotation to the element of the model that the context stands for.
    mutating func attach(_ annotation: Annotation, to owner: Context) {
        switch owner {
        case .entityType, .complexType: type.declared.present.annotations.append(annotation)
        case .property:
            type.ownProperties[type.ownProperties.count - 1].annotations
                .append(annotation)
        case .navigationProperty:
            let last = type.ownNavigations.count - 1
            type.ownNavigations[last].annotations.append(annotation)
        case .enumType: enumeration.annotations.append(annotation)
        case .member:
            enumeration.members[enumeration.members.count - 1].annotations.append(annotation)
        case .typeDefinition: definition.annotations.append(annotation)
        case .operation: operation.annotations.append(annotation)
        case .operationImport:
            operation.annotations.append(annotation)
            operationImport?.imported.annotations.append(annotation)
        case .parameter:
            operation.parameters[operation.parameters.count - 1].annotations.append(annotation)
        case .annotations: targeted.annotations.append(annotation)
        case .schema: assembly.attachToSchema(annotation)
        default: attachInContainer(annotation, to: owner)
        }
    }

    private mutating func attachInContainer(_ annotation: Annotation, to owner: Context) {
        switch owner {
        case .container: container.annotations.append(annotation)
        case .entitySet, .singleton:
            container.sources[container.sources.count - 1].annotations.append(annotation)
        case .functionImport:
            let last = container.functionImports.count - 1
            container.functionImports[last].annotations.append(annotation)
        case .actionImport:
            let last = container.actionImports.count - 1
            container.actionImports[last].annotations.append(annotation)
        // References, associations and return types have no annotations in the model.
        default: break
        }
    }
}
