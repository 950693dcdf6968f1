import ODataText

/// An entity or complex type with its properties (OData CSDL XML 4.01 §§ 6 to 9).
enum StructuredTypeXML {
    static func add(_ object: CSDLJSONObject, to element: inout CSDLXMLElement) {
        element.copy(["BaseType"], of: object)
        for name in ["Abstract", "OpenType", "HasStream"] { element.flag(name, of: object) }
        addKey(object["$Key"], to: &element)
        for member in object.elements {
            if let property = property(member) { element.append(property) }
        }
    }

    /// § 6.5.
    private static func addKey(_ parts: JSONNode?, to element: inout CSDLXMLElement) {
        guard let parts = parts?.items else { return }
        var key = CSDLXMLElement("Key")
        for part in parts {
            // A path alone, or a path under its alias.
            let pairs = part.members?.map { (path: $0.value.text, alias: Optional($0.name)) }
            for (path, alias) in pairs ?? [(part.text, nil)] {
                var reference = CSDLXMLElement("PropertyRef")
                reference["Name"] = path
                reference["Alias"] = alias
                key.append(reference)
            }
        }
        element.append(key)
    }

    private static func property(_ member: JSONNode.Member) -> CSDLXMLElement? {
        guard let object = CSDLJSONObject(member.value) else { return nil }
        let isNavigation = object.text("$Kind") == "NavigationProperty"
        var element = CSDLXMLElement(isNavigation ? "NavigationProperty" : "Property")
        element["Name"] = member.name
        if isNavigation {
            addNavigation(object, to: &element)
        } else {
            TypeXML.add(object, to: &element)
        }
        AnnotationXML.add(to: &element, of: object)
        return element
    }

    /// § 8.
    private static func addNavigation(_ object: CSDLJSONObject, to element: inout CSDLXMLElement) {
        let isCollection = TypeXML.addType(of: object, to: &element).isCollection
        // A collection has no `Nullable`: it may be empty.
        if !isCollection, !object.flag("$Nullable") { element["Nullable"] = "false" }
        element.copy(["Partner"], of: object)
        element.flag("ContainsTarget", of: object)
        if let pairs = CSDLJSONObject(object["$ReferentialConstraint"]) {
            for pair in pairs.elements {
                var constraint = CSDLXMLElement("ReferentialConstraint")
                constraint["Property"] = pair.name
                constraint["ReferencedProperty"] = pair.value.text
                AnnotationXML.add(to: &constraint, of: pairs, beside: pair.name)
                element.append(constraint)
            }
        }
        if let action = object.text("$OnDelete") {
            var onDelete = CSDLXMLElement("OnDelete")
            onDelete["Action"] = action
            AnnotationXML.add(to: &onDelete, of: object, beside: "$OnDelete")
            element.append(onDelete)
        }
    }
}
