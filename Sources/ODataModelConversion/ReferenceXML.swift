import ODataText

/// A document that is referred to (OData CSDL XML 4.01 § 4).
enum ReferenceXML {
    static func element(_ member: JSONNode.Member) -> CSDLXMLElement? {
        guard let object = CSDLJSONObject(member.value) else { return nil }
        var element = CSDLXMLElement("edmx:Reference")
        element["Uri"] = member.name
        for include in object["$Include"]?.items ?? [] {
            append("Include", include, ["Namespace", "Alias"], to: &element)
        }
        for include in object["$IncludeAnnotations"]?.items ?? [] {
            let names = ["TermNamespace", "Qualifier", "TargetNamespace"]
            append("IncludeAnnotations", include, names, to: &element)
        }
        AnnotationXML.add(to: &element, of: object, isInWrapper: true)
        return element
    }

    private static func append(
        _ name: String,
        _ node: JSONNode,
        _ attributes: [String],
        to element: inout CSDLXMLElement
    ) {
        guard let object = CSDLJSONObject(node) else { return }
        var child = CSDLXMLElement("edmx:" + name)
        child.copy(attributes, of: object)
        AnnotationXML.add(to: &child, of: object, isInWrapper: true)
        element.append(child)
    }
}

extension CSDLXMLElement {
    /// Copies members under their names without `$`, where they are there.
    mutating func copy(_ names: [String], of object: CSDLJSONObject) {
        for name in names { self[name] = object.text("$" + name) }
    }

    /// Sets a flag that is false where it is left out.
    mutating func flag(_ name: String, of object: CSDLJSONObject) {
        if object.flag("$" + name) { self[name] = "true" }
    }
}
