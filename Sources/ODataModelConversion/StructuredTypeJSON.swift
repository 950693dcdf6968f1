import ODataModel

/// An entity or complex type with its properties (OData CSDL JSON 4.01 §§ 6 to 9).
struct StructuredTypeJSON {
    private(set) var members = CSDLJSONValue.Members()

    init(_ element: XMLNode) {
        members["$Kind"] = .text(element.name)
        members.copy(["BaseType"], of: element)
        for name in ["Abstract", "OpenType", "HasStream"] { members.flag(name, of: element) }
        addKey(element)
        AnnotationJSON.add(to: &members, of: element)
        for child in element.children {
            let name = child.value("Name") ?? ""
            switch child.name {
            case "Property": members.declare(name, .object(Self.property(child)))
            case "NavigationProperty": members.declare(name, .object(Self.navigation(child)))
            default: break
            }
        }
    }

    /// § 6.5.
    private mutating func addKey(_ element: XMLNode) {
        guard let key = element.elements("Key").first else { return }
        let parts = key.elements("PropertyRef").map { part -> CSDLJSONValue in
            let path = part.value("Name") ?? ""
            guard let alias = part.value("Alias") else { return .text(path) }
            var object = CSDLJSONValue.Members()
            object[alias] = .text(path)
            return .object(object)
        }
        members["$Key"] = .array(parts)
    }

    private static func property(_ element: XMLNode) -> CSDLJSONValue.Members {
        var members = CSDLJSONValue.Members()
        TypeJSON.add(of: element, to: &members)
        AnnotationJSON.add(to: &members, of: element)
        return members
    }

    /// § 8.
    private static func navigation(_ element: XMLNode) -> CSDLJSONValue.Members {
        var members = CSDLJSONValue.Members()
        members["$Kind"] = .text("NavigationProperty")
        let (type, isCollection) = TypeJSON.split(element.value("Type") ?? "")
        members["$Type"] = .text(type)
        if isCollection {
            members["$Collection"] = .literal("true")
        } else if element.flag("Nullable") ?? true {
            members["$Nullable"] = .literal("true")
        }
        members.copy(["Partner"], of: element)
        members.flag("ContainsTarget", of: element)
        addConstraints(of: element, to: &members)
        if let action = element.elements("OnDelete").first {
            members["$OnDelete"] = .text(action.value("Action") ?? "")
            AnnotationJSON.add(to: &members, of: action, beside: "$OnDelete")
        }
        AnnotationJSON.add(to: &members, of: element)
        return members
    }

    private static func addConstraints(
        of element: XMLNode,
        to members: inout CSDLJSONValue.Members
    ) {
        var pairs = CSDLJSONValue.Members()
        for constraint in element.elements("ReferentialConstraint") {
            let property = constraint.value("Property") ?? ""
            pairs[property] = .text(constraint.value("ReferencedProperty") ?? "")
            AnnotationJSON.add(to: &pairs, of: constraint, beside: property)
        }
        if !pairs.list.isEmpty { members["$ReferentialConstraint"] = .object(pairs) }
    }
}
