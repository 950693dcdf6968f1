// Attribute values, and attributes of other namespaces.

extension CSDLXMLReader {
    /// Returns a name that must be there; an element without it is left out.
    mutating func required(
        _ name: AttributeName,
        of element: ElementName,
        in attributes: borrowing XMLAttributes
    ) -> String? {
        if let text = attributes.string(name), !text.isEmpty { return text }
        leaveOut("The element '\(element.spelling)' needs the attribute '\(name.spelling)'")
        return nil
    }

    /// Returns the number of a name that must be there; an element without it is left out.
    mutating func requiredSymbol(
        _ name: AttributeName,
        of element: ElementName,
        in attributes: borrowing XMLAttributes,
        near other: Int? = nil
    ) -> Int? {
        let symbol =
            if let other {
                attributes.symbol(name, near: other, in: &assembly.symbols)
            } else {
                attributes.symbol(name, in: &assembly.symbols)
            }
        if let symbol { return symbol }
        _ = required(name, of: element, in: attributes)
        return nil
    }

    /// Returns a name that must be there, for diagnostics only; an element without it is left out.
    mutating func requiredNote(
        _ name: AttributeName,
        of element: ElementName,
        in attributes: borrowing XMLAttributes
    ) -> SymbolTable.NotedText? {
        if let text = attributes.noted(name, in: &assembly.symbols) { return text }
        _ = required(name, of: element, in: attributes)
        return nil
    }

    /// Returns the number of the qualified name that the element declares; without a name it is left out.
    mutating func qualifiedSymbol(
        of element: ElementName,
        _ attributes: borrowing XMLAttributes,
        near other: Int? = nil
    ) -> Int? {
        if let symbol = attributes.symbol(
            .name,
            of: namespaceSymbol,
            near: other,
            in: &assembly.symbols
        ) {
            return symbol
        }
        _ = required(.name, of: element, in: attributes)
        return nil
    }

    /// Returns a truth value; other spellings than `true` and `false` are warned of, or ignored.
    mutating func flag(_ name: AttributeName, in attributes: borrowing XMLAttributes) -> Bool? {
        guard attributes.has(name) else { return nil }
        if attributes.value(name, is: "true") { return true }
        if attributes.value(name, is: "false") { return false }
        let text = attributes.string(name) ?? ""
        return flag(text, of: name.spelling)
    }

    private mutating func flag(_ text: String, of name: String) -> Bool? {
        switch text.lowercased() {
        case "true", "1":
            if text != "1", text != "true" {
                warn("The value of '\(name)' is '\(text)'; it is read as 'true'.")
            }
            return true
        case "false", "0":
            if text != "0", text != "false" {
                warn("The value of '\(name)' is '\(text)'; it is read as 'false'.")
            }
            return false
        default:
            note(
                .error,
                "The value of '\(name)' is '\(text)', where 'true' or 'false' is expected; the"
                    + " attribute is left out."
            )
            return nil
        }
    }

    /// Returns the type that an attribute names; `user` is what needs it, for diagnostics.
    mutating func type(
        _ name: AttributeName,
        in attributes: borrowing XMLAttributes,
        for user: Int = -1
    ) -> WrittenType? {
        guard let symbol = attributes.symbol(name, in: &assembly.symbols) else { return nil }
        let index = typeIndexes[symbol]
        if index >= 0 { return writtenTypes[index] }
        typeIndexes[symbol] = writtenTypes.count
        let text = assembly.symbols.string(symbol)
        let written = assembly.write(
            text,
            line: line + skippedLines,
            // A type that is about to begin has no owner, and its name is qualified.
            owner: contexts.last == .schema ? "" : path,
            user: user < 0 ? "" : assembly.symbols[user]
        )
        writtenTypes.append(written)
        return written
    }

    /// Notes a member of the type at hand; false where it already has one of this name.
    mutating func isNewMember(_ symbol: Int) -> Bool {
        if stamps[symbol] == stamp { return false }
        stamps[symbol] = stamp
        return true
    }

    /// Returns the facets of the element (OData CSDL XML 4.01 § 7.2; CSDL 3.0 § 2.2.1).
    mutating func facets(_ attributes: borrowing XMLAttributes) -> Facets {
        var facets = Facets()
        if attributes.has(.maxLength) { facets.maxLength = maxLength(attributes) }
        if attributes.has(.precision) {
            facets.precision = number(.precision, in: attributes)
        }
        if attributes.has(.scale) { facets.scale = scale(attributes) }
        if attributes.has(.unicode) { facets.isUnicode = flag(.unicode, in: attributes) }
        if attributes.has(.srid) { facets.srid = attributes.string(.srid) }
        return facets
    }

    private mutating func number(_ name: AttributeName, in attributes: borrowing XMLAttributes)
        -> Int?
    {
        if let number = attributes.number(name) { return number }
        let text = attributes.string(name) ?? ""
        warn("The value of '\(name.spelling)' is '\(text)', which is no number; it is left out.")
        return nil
    }

    private mutating func maxLength(_ attributes: borrowing XMLAttributes) -> Facets.MaxLength? {
        if let length = attributes.number(.maxLength) { return .length(length) }
        let text = attributes.string(.maxLength) ?? ""
        // Database tools write the largest length of their column type, or -1 for none.
        if text.lowercased() == "max" || text == "-1" { return .max }
        if text.utf8.count >= 10, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return .max }
        warn("The value of 'MaxLength' is '\(text)', which is no length; it is left out.")
        return nil
    }

    private mutating func scale(_ attributes: borrowing XMLAttributes) -> Facets.Scale? {
        if let digits = attributes.number(.scale) { return .digits(digits) }
        let text = attributes.string(.scale) ?? ""
        switch text.lowercased() {
        case "variable": return .variable
        case "floating": return .floating
        default:
            warn("The value of 'Scale' is '\(text)', which is no scale; it is left out.")
            return nil
        }
    }
}

// MARK: - Other namespaces

extension CSDLXMLReader {
    /// Takes the attributes of other namespaces, as annotations of the element, and reports unknown ones.
    mutating func takeOther(_ attributes: borrowing XMLAttributes, of element: ElementName) {
        guard attributes.hasOthers else { return }
        for position in 0..<attributes.count where attributes.name(at: position) == nil {
            let local = attributes.localName(at: position)
            let text = attributes.string(at: position)
            switch attributes.namespace(at: position) {
            case .metadata: takeMetadata(local, text: text)
            case .sap: takeSAP(local, text: text)
            case .none:
                let name = element.spelling
                warn("The element '\(name)' has no attribute '\(local)'; it is ignored.")
            case .unbound:
                note(
                    .error,
                    "The prefix of attribute '\(attributes.prefix(at: position)):\(local)' is not"
                        + " bound to a namespace; the attribute is left out."
                )
            default:
                let prefix = attributes.prefix(at: position)
                if prefix != "xml" { annotate(prefix + ":" + local, text: text) }
            }
        }
    }

    private mutating func takeSAP(_ local: String, text: String) {
        annotate("sap:" + local, text: text)
        if local == "variable-scale", text == "true", contexts.last == .property {
            type.ownProperties[type.ownProperties.count - 1].type.facets
                .scale = .floating
        }
    }

    private mutating func annotate(_ term: String, text: String) {
        let value = AnnotationExpression.constant(kind: "String", text: text)
        attach(Annotation(term: term, value: value), to: contexts[contexts.count - 1])
    }

    /// Takes an attribute of the namespace that versions 1 to 3 call `m`.
    private mutating func takeMetadata(_ local: String, text: String) {
        switch (contexts[contexts.count - 1], local) {
        case (.wrapper, "DataServiceVersion"): dataServiceVersion = text
        case (.wrapper, "MaxDataServiceVersion"): maximumDataServiceVersion = text
        case (.entityType, "HasStream"):
            if let flag = flag(text, of: "m:HasStream") { type.hasStream = flag }
        case (.container, "IsDefaultEntityContainer"):
            if let flag = flag(text, of: "m:IsDefaultEntityContainer") {
                container.isDefault = flag
            }
        case (.operationImport, "HttpMethod"): operationImport?.imported.httpMethod = text
        default: annotate("m:" + local, text: text)
        }
    }
}
