import ODataModel

/// Annotations and their expressions (OData CSDL JSON 4.01 § 14).
enum AnnotationJSON {
    /// Adds the annotations of an element to its object, or to the object that it is a plain member of.
    ///
    /// - Parameters:
    ///   - name: The member that they stand beside; empty where the object is the element's own.
    ///   - qualifier: What qualifies those without a qualifier of their own.
    static func add(
        to members: inout CSDLJSONValue.Members,
        of element: XMLNode,
        beside name: String = "",
        qualifier: String? = nil
    ) {
        for annotation in element.elements("Annotation") {
            let mark = (annotation.value("Qualifier") ?? qualifier).map { "#" + $0 } ?? ""
            let member = name + "@" + (annotation.value("Term") ?? "") + mark
            // Without an expression the term's default value counts, which is true for nearly all such terms.
            members[member] = value(of: annotation) ?? .literal("true")
            add(to: &members, of: annotation, beside: member)
        }
    }

    /// The expression of an annotation or property value, in short or long form; nil where there is none.
    static func value(of element: XMLNode) -> CSDLJSONValue? {
        for (name, value) in element.attributes {
            if let short = constant(name, value) { return short }
        }
        return element.children.first { $0.name != "Annotation" }.map(expression)
    }

    // MARK: Constants and paths

    /// A constant or a path; nil where the name is of neither (§§ 14.3, 14.4.1).
    private static func constant(_ name: String, _ text: String) -> CSDLJSONValue? {
        switch name {
        case "String", "Binary", "Date", "DateTimeOffset", "Duration", "Guid", "TimeOfDay",
            "AnnotationPath", "AnyPropertyPath", "ModelElementPath", "NavigationPropertyPath",
            "PropertyPath":
            .text(text)
        case "Bool": boolean(text)
        case "Int": Int64(text).map { .literal(String($0)) } ?? .text(text)
        case "Decimal", "Float": TypeJSON.numeric(text)
        case "EnumMember": .text(enumeration(text))
        case "Path": object("$Path", .text(text))
        case "UrlRef": object("$UrlRef", .text(text))
        default: nil
        }
    }

    /// In any spelling (OData ABNF, `booleanValue`).
    private static func boolean(_ text: String) -> CSDLJSONValue {
        let lowered = text.lowercased()
        return ["true", "false"].contains(lowered) ? .literal(lowered) : .text(text)
    }

    /// `NS.Color/Red NS.Color/Blue` is `Red,Blue` (§ 14.3.7).
    private static func enumeration(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace)
            .map { $0.split(separator: "/").last.map(String.init) ?? "" }
            .joined(separator: ",")
    }

    private static func object(_ name: String, _ value: CSDLJSONValue) -> CSDLJSONValue {
        var members = CSDLJSONValue.Members()
        members[name] = value
        return .object(members)
    }

    // MARK: Expressions

    private static func expression(_ element: XMLNode) -> CSDLJSONValue {
        let text = element.name == "String" ? element.text : element.text.trimmed
        if element.name != "UrlRef", let constant = constant(element.name, text) {
            return constant
        }
        switch element.name {
        case "Null": return null(element)
        case "Collection":
            return .array(element.children.filter { $0.name != "Annotation" }.map(expression))
        case "Record": return record(element)
        case "LabeledElementReference": return object("$" + element.name, .text(text))
        default: return dynamic(element)
        }
    }

    /// § 14.4.11.
    private static func null(_ element: XMLNode) -> CSDLJSONValue {
        guard !element.children.isEmpty else { return .literal("null") }
        var members = CSDLJSONValue.Members()
        members["$Null"] = .literal("null")
        add(to: &members, of: element)
        return .object(members)
    }

    /// § 14.4.12.
    private static func record(_ element: XMLNode) -> CSDLJSONValue {
        var members = CSDLJSONValue.Members()
        for name in RecordTypes.names {
            members["@" + name] = element.value(name).map { .text($0) }
        }
        for item in element.elements("PropertyValue") {
            let name = item.value("Property") ?? ""
            members[name] = value(of: item) ?? .literal("true")
            add(to: &members, of: item, beside: name)
        }
        add(to: &members, of: element)
        return .object(members)
    }

    /// Operators, conversions, functions and labels, with their operands (§§ 14.4.2 to 14.4.10).
    private static func dynamic(_ element: XMLNode) -> CSDLJSONValue {
        var operands = element.children.filter { $0.name != "Annotation" }.map(expression)
        for (name, value) in element.attributes {
            if let short = constant(name, value) { operands.insert(short, at: 0) }
        }
        let isSingle = ["Not", "Neg", "Cast", "IsOf", "IsType", "UrlRef", "LabeledElement"]
            .contains(element.name)
        let name = element.name == "IsType" ? "IsOf" : element.name
        var members = CSDLJSONValue.Members()
        members["$" + name] =
            isSingle ? operands.first ?? .literal("null") : .array(operands)
        members.copy(["Function", "Name"], of: element)
        if ["Cast", "IsOf"].contains(name) {
            TypeJSON.addType(of: element, to: &members)
            // Here a facet that is left out is none in both forms.
            TypeJSON.addFacets(of: element, type: "", to: &members)
        }
        add(to: &members, of: element)
        return .object(members)
    }
}

extension String {
    /// The text without white space at both ends.
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
