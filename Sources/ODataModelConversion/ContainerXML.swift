import ODataText

/// An entity container with what it holds (OData CSDL XML 4.01 § 13).
enum ContainerXML {
    static func add(_ object: CSDLJSONObject, to element: inout CSDLXMLElement) {
        element.copy(["Extends"], of: object)
        for member in object.elements {
            guard let object = CSDLJSONObject(member.value) else { continue }
            element.append(child(member.name, object))
        }
    }

    private static func child(_ name: String, _ object: CSDLJSONObject) -> CSDLXMLElement {
        var element: CSDLXMLElement
        if object["$Action"] != nil {
            element = named("ActionImport", name)
            element.copy(["Action", "EntitySet"], of: object)
        } else if object["$Function"] != nil {
            element = named("FunctionImport", name)
            element.copy(["Function", "EntitySet"], of: object)
            element.flag("IncludeInServiceDocument", of: object)
        } else {
            element = source(name, object)
        }
        addBindings(object["$NavigationPropertyBinding"], to: &element)
        AnnotationXML.add(to: &element, of: object)
        return element
    }

    private static func source(_ name: String, _ object: CSDLJSONObject) -> CSDLXMLElement {
        // `$EntityType` is what writers of the first drafts of the format use, for sets alone.
        let type = object.text("$Type") ?? object.text("$EntityType")
        let kind = object.text("$Kind")
        guard object.flag("$Collection") || object["$EntityType"] != nil || kind == "EntitySet"
        else {
            var singleton = named("Singleton", name)
            singleton["Type"] = type
            singleton.flag("Nullable", of: object)
            return singleton
        }
        var set = named("EntitySet", name)
        set["EntityType"] = type
        if object.truth("$IncludeInServiceDocument") == false {
            set["IncludeInServiceDocument"] = "false"
        }
        return set
    }

    private static func named(_ kind: String, _ name: String) -> CSDLXMLElement {
        var element = CSDLXMLElement(kind)
        element["Name"] = name
        return element
    }

    private static func addBindings(_ bindings: JSONNode?, to element: inout CSDLXMLElement) {
        guard let object = CSDLJSONObject(bindings) else { return }
        for binding in object.elements {
            var child = CSDLXMLElement("NavigationPropertyBinding")
            child["Path"] = binding.name
            child["Target"] = binding.value.text
            AnnotationXML.add(to: &child, of: object, beside: binding.name)
            element.append(child)
        }
    }
}
