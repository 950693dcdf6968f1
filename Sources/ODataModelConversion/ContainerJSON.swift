import ODataModel

/// An entity container with what it holds (OData CSDL JSON 4.01 § 13).
struct ContainerJSON {
    private(set) var members = CSDLJSONValue.Members()

    init(_ element: XMLNode) {
        members["$Kind"] = .text("EntityContainer")
        members.copy(["Extends"], of: element)
        AnnotationJSON.add(to: &members, of: element)
        for child in element.children {
            if let object = Self.child(child) {
                members.declare(child.value("Name") ?? "", .object(object))
            }
        }
    }

    private static func child(_ element: XMLNode) -> CSDLJSONValue.Members? {
        var members = CSDLJSONValue.Members()
        switch element.name {
        case "EntitySet":
            members["$Collection"] = .literal("true")
            members["$Type"] = .text(element.value("EntityType") ?? "")
            if element.flag("IncludeInServiceDocument") == false {
                members["$IncludeInServiceDocument"] = .literal("false")
            }
        case "Singleton":
            members["$Type"] = .text(element.value("Type") ?? "")
            members.flag("Nullable", of: element)
        case "ActionImport": members.copy(["Action", "EntitySet"], of: element)
        case "FunctionImport":
            members.copy(["Function", "EntitySet"], of: element)
            members.flag("IncludeInServiceDocument", of: element)
        default: return nil
        }
        addBindings(of: element, to: &members)
        AnnotationJSON.add(to: &members, of: element)
        return members
    }

    private static func addBindings(of element: XMLNode, to members: inout CSDLJSONValue.Members) {
        var bindings = CSDLJSONValue.Members()
        for binding in element.elements("NavigationPropertyBinding") {
            let path = binding.value("Path") ?? ""
            bindings[path] = .text(binding.value("Target") ?? "")
            AnnotationJSON.add(to: &bindings, of: binding, beside: path)
        }
        if !bindings.list.isEmpty { members["$NavigationPropertyBinding"] = .object(bindings) }
    }
}
