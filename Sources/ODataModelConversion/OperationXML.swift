import ODataText

/// An overload of an action or a function (OData CSDL XML 4.01 § 12).
enum OperationXML {
    static func add(_ object: CSDLJSONObject, to element: inout CSDLXMLElement) {
        for name in ["IsBound", "IsComposable"] { element.flag(name, of: object) }
        element.copy(["EntitySetPath"], of: object)
        for node in object["$Parameter"]?.items ?? [] {
            guard let parameter = CSDLJSONObject(node) else { continue }
            var child = CSDLXMLElement("Parameter")
            child.copy(["Name"], of: parameter)
            TypeXML.add(parameter, to: &child)
            AnnotationXML.add(to: &child, of: parameter)
            element.append(child)
        }
        if let result = CSDLJSONObject(object["$ReturnType"]) {
            var child = CSDLXMLElement("ReturnType")
            TypeXML.add(result, to: &child)
            AnnotationXML.add(to: &child, of: result)
            element.append(child)
        }
    }
}
