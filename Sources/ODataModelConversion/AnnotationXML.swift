import ODataText

/// Annotations and their expressions (OData CSDL XML 4.01 § 14).
enum AnnotationXML {
    /// Adds the annotations of an object, or of one of its plain members, to their element.
    ///
    /// - Parameters:
    ///   - name: The member that they stand beside; empty where the object is the element's own.
    ///   - isInWrapper: Whether the element is outside of a schema, so that its annotations say their namespace.
    static func add(
        to element: inout CSDLXMLElement,
        of object: CSDLJSONObject,
        beside name: String = "",
        isInWrapper: Bool = false
    ) {
        for note in object.annotations(beside: name) {
            var annotation = CSDLXMLElement("Annotation")
            if isInWrapper { annotation["xmlns"] = SchemaXML.namespace }
            let parts = note.term.split(separator: "#", maxSplits: 1)
            annotation["Term"] = parts.first.map(String.init)
            annotation["Qualifier"] = parts.count == 2 ? String(parts[1]) : nil
            setValue(note.value, of: &annotation)
            add(to: &annotation, of: object, beside: name + "@" + note.term)
            element.append(annotation)
        }
    }

    /// Sets the expression of an annotation or property value: as an attribute where it has that form, else as a child.
    private static func setValue(_ value: JSONNode, of element: inout CSDLXMLElement) {
        if let (kind, text) = constant(value) ?? reference(value) {
            element[kind] = text
        } else {
            element.append(expression(value))
        }
    }

    // MARK: Constants and paths

    /// A constant by the kind that JSON knows (§ 14.3); nil for other values.
    private static func constant(_ node: JSONNode) -> (kind: String, text: String)? {
        switch node.value {
        case .bool(let flag): ("Bool", flag ? "true" : "false")
        case .string(let text): ("String", text)
        case .number(let text): (kind(ofNumber: text), text)
        case .null, .array, .object: nil
        }
    }

    private static func kind(ofNumber text: String) -> String {
        if Int64(text) != nil { return "Int" }
        return text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") } ? "Float" : "Decimal"
    }

    /// A path or URL that stands alone in its object; nil for other values.
    private static func reference(_ node: JSONNode) -> (kind: String, text: String)? {
        guard let members = node.members, members.count == 1, let text = members[0].value.text
        else { return nil }
        return switch members[0].name {
        case "$Path": ("Path", text)
        case "$UrlRef": ("UrlRef", text)
        default: nil
        }
    }

    // MARK: Expressions

    private static func expression(_ node: JSONNode) -> CSDLXMLElement {
        if let (kind, text) = constant(node) { return CSDLXMLElement(kind, text: text) }
        if let items = node.items {
            var collection = CSDLXMLElement("Collection")
            for item in items { collection.append(expression(item)) }
            return collection
        }
        guard let object = CSDLJSONObject(node) else { return CSDLXMLElement("Null") }
        return expression(object)
    }

    private static func expression(_ object: CSDLJSONObject) -> CSDLXMLElement {
        for name in ["Path", "LabeledElementReference"] {
            if let text = object.text("$" + name) { return CSDLXMLElement(name, text: text) }
        }
        for name in operators + single {
            if let operand = object["$" + name] { return dynamic(name, operand, object) }
        }
        guard object["$Null"] == nil else {
            var null = CSDLXMLElement("Null")
            add(to: &null, of: object)
            return null
        }
        return record(object)
    }

    /// § 14.4.12.
    private static func record(_ object: CSDLJSONObject) -> CSDLXMLElement {
        var record = CSDLXMLElement("Record")
        record["Type"] = object.statedType
        for member in object.elements {
            var value = CSDLXMLElement("PropertyValue")
            value["Property"] = member.name
            setValue(member.value, of: &value)
            add(to: &value, of: object, beside: member.name)
            record.append(value)
        }
        add(to: &record, of: object)
        return record
    }

    /// Expressions over a list of operands (§§ 14.4.2 to 14.4.6).
    private static let operators = [
        "And", "Or", "Eq", "Ne", "Gt", "Ge", "Lt", "Le", "Has", "In", "Add", "Sub", "Mul", "Div",
        "DivBy", "Mod", "Apply", "If",
    ]

    /// Expressions over one operand, which may be a collection.
    private static let single = ["Not", "Neg", "Cast", "IsOf", "LabeledElement", "UrlRef"]

    private static func dynamic(_ name: String, _ operand: JSONNode, _ object: CSDLJSONObject)
        -> CSDLXMLElement
    {
        var element = CSDLXMLElement(name)
        element.copy(["Function", "Name"], of: object)
        if name == "Cast" || name == "IsOf" {
            TypeXML.addType(of: object, to: &element)
            // Here a facet that is left out is none in both forms.
            TypeXML.addFacets(of: object, type: "", to: &element)
        }
        add(to: &element, of: object)
        let operands = operators.contains(name) ? operand.items : nil
        for operand in operands ?? [operand] { element.append(expression(operand)) }
        return element
    }
}
