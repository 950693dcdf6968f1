import ODataText

/// A schema and its children (OData CSDL XML 4.01 § 5).
enum SchemaXML {
    /// The namespace of schemas and annotations.
    static let namespace = "http://docs.oasis-open.org/odata/ns/edm"

    static func element(_ member: JSONNode.Member) -> CSDLXMLElement? {
        guard let object = CSDLJSONObject(member.value) else { return nil }
        var schema = CSDLXMLElement("Schema")
        schema["xmlns"] = namespace
        schema["Namespace"] = member.name
        schema.copy(["Alias"], of: object)
        for child in object.elements { add(child, to: &schema) }
        addTargets(object["$Annotations"], to: &schema)
        AnnotationXML.add(to: &schema, of: object)
        return schema
    }

    private static func add(_ child: JSONNode.Member, to schema: inout CSDLXMLElement) {
        // Actions and functions are lists of their overloads (OData CSDL JSON 4.01 § 12.1).
        for item in child.value.items ?? [child.value] {
            guard let object = CSDLJSONObject(item),
                let element = element(named: child.name, of: object)
            else { continue }
            schema.append(element)
        }
    }

    private static func element(named name: String, of object: CSDLJSONObject) -> CSDLXMLElement? {
        guard let kind = object.text("$Kind") else { return nil }
        var element = CSDLXMLElement(kind)
        element["Name"] = name
        switch kind {
        case "EntityType", "ComplexType": StructuredTypeXML.add(object, to: &element)
        case "EnumType": addEnumeration(object, to: &element)
        case "TypeDefinition": addDefinition(object, to: &element)
        case "Term": addTerm(object, to: &element)
        case "Action", "Function": OperationXML.add(object, to: &element)
        case "EntityContainer": ContainerXML.add(object, to: &element)
        default: return nil
        }
        AnnotationXML.add(to: &element, of: object)
        return element
    }

    /// § 14.2.1.
    private static func addTargets(_ targets: JSONNode?, to schema: inout CSDLXMLElement) {
        for target in targets?.members ?? [] {
            guard let object = CSDLJSONObject(target.value) else { continue }
            var element = CSDLXMLElement("Annotations")
            element["Target"] = target.name
            AnnotationXML.add(to: &element, of: object)
            schema.append(element)
        }
    }

    /// § 10.
    private static func addEnumeration(
        _ object: CSDLJSONObject,
        to element: inout CSDLXMLElement
    ) {
        element.copy(["UnderlyingType"], of: object)
        element.flag("IsFlags", of: object)
        for member in object.elements {
            guard let value = member.value.plainText else { continue }
            var child = CSDLXMLElement("Member")
            child["Name"] = member.name
            child["Value"] = value
            AnnotationXML.add(to: &child, of: object, beside: member.name)
            element.append(child)
        }
    }

    /// § 11.
    private static func addDefinition(_ object: CSDLJSONObject, to element: inout CSDLXMLElement) {
        element.copy(["UnderlyingType"], of: object)
        TypeXML.addFacets(of: object, type: object.text("$UnderlyingType") ?? "", to: &element)
    }

    /// § 14.1.
    private static func addTerm(_ object: CSDLJSONObject, to element: inout CSDLXMLElement) {
        TypeXML.add(object, to: &element)
        element.copy(["BaseTerm"], of: object)
        let places = object["$AppliesTo"]?.items?.compactMap(\.text)
        element["AppliesTo"] = places?.joined(separator: " ")
    }
}
