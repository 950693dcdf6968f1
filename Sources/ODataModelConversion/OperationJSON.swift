import ODataModel

/// An overload of an action or a function (OData CSDL JSON 4.01 § 12).
struct OperationJSON {
    private(set) var members = CSDLJSONValue.Members()

    init(_ element: XMLNode) {
        members["$Kind"] = .text(element.name)
        for name in ["IsBound", "IsComposable"] { members.flag(name, of: element) }
        members.copy(["EntitySetPath"], of: element)
        let parameters = element.elements("Parameter").map { parameter in
            var object = CSDLJSONValue.Members()
            object.copy(["Name"], of: parameter)
            TypeJSON.add(of: parameter, to: &object)
            AnnotationJSON.add(to: &object, of: parameter)
            return CSDLJSONValue.object(object)
        }
        if !parameters.isEmpty { members["$Parameter"] = .array(parameters) }
        if let result = element.elements("ReturnType").first {
            var object = CSDLJSONValue.Members()
            TypeJSON.add(of: result, to: &object)
            AnnotationJSON.add(to: &object, of: result)
            members["$ReturnType"] = .object(object)
        }
        AnnotationJSON.add(to: &members, of: element)
    }
}
