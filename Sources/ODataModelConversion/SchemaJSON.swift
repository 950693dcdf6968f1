import ODataModel

/// A schema and its children (OData CSDL JSON 4.01 § 5).
struct SchemaJSON {
    private(set) var members = CSDLJSONValue.Members()

    init(_ schema: XMLNode) {
        members.copy(["Alias"], of: schema)
        AnnotationJSON.add(to: &members, of: schema)
        for child in schema.children { add(child) }
        addTargets(schema.elements("Annotations"))
    }

    private mutating func add(_ child: XMLNode) {
        let name = child.value("Name") ?? ""
        switch child.name {
        case "EntityType", "ComplexType":
            members.declare(name, .object(StructuredTypeJSON(child).members))
        case "EnumType": members.declare(name, .object(Self.enumeration(child)))
        case "TypeDefinition": members.declare(name, .object(Self.definition(child)))
        case "Term": members.declare(name, .object(Self.term(child)))
        case "Action", "Function": addOverload(child, named: name)
        case "EntityContainer": members.declare(name, .object(ContainerJSON(child).members))
        default: break
        }
    }

    /// Actions and functions are lists of their overloads (§ 12.1).
    private mutating func addOverload(_ operation: XMLNode, named name: String) {
        var overloads: [CSDLJSONValue] = []
        switch members[name] {
        case .array(let known)?: overloads = known
        // Names are unique in a schema (§ 5); where an operation has that of a type nevertheless, the type counts.
        case .some: return
        case nil: break
        }
        members[name] = .array(overloads + [.object(OperationJSON(operation).members)])
    }

    /// Annotations by target, those of one target together (§ 14.2.1).
    private mutating func addTargets(_ elements: [XMLNode]) {
        var targets = CSDLJSONValue.Members()
        for element in elements {
            let target = element.value("Target") ?? ""
            var annotations = CSDLJSONValue.Members()
            if case .object(let known)? = targets[target] { annotations = known }
            AnnotationJSON.add(to: &annotations, of: element, qualifier: element.value("Qualifier"))
            targets[target] = .object(annotations)
        }
        if !targets.list.isEmpty { members["$Annotations"] = .object(targets) }
    }

    /// § 10.
    private static func enumeration(_ element: XMLNode) -> CSDLJSONValue.Members {
        var members = CSDLJSONValue.Members()
        members["$Kind"] = .text("EnumType")
        if let type = element.value("UnderlyingType"), type != "Edm.Int32" {
            members["$UnderlyingType"] = .text(type)
        }
        members.flag("IsFlags", of: element)
        AnnotationJSON.add(to: &members, of: element)
        var next: Int64? = 0
        for member in element.elements("Member") {
            let name = member.value("Name") ?? ""
            // What does not fit into 64 bits is no value.
            let value = member.value("Value").map { Int64($0) } ?? next
            next = value.flatMap { $0 == .max ? nil : $0 + 1 }
            guard let value else { continue }
            members.declare(name, .literal(String(value)))
            AnnotationJSON.add(to: &members, of: member, beside: name)
        }
        return members
    }

    /// § 11.
    private static func definition(_ element: XMLNode) -> CSDLJSONValue.Members {
        var members = CSDLJSONValue.Members()
        members["$Kind"] = .text("TypeDefinition")
        members.copy(["UnderlyingType"], of: element)
        TypeJSON.addFacets(of: element, type: element.value("UnderlyingType") ?? "", to: &members)
        AnnotationJSON.add(to: &members, of: element)
        return members
    }

    /// § 14.1.
    private static func term(_ element: XMLNode) -> CSDLJSONValue.Members {
        var members = CSDLJSONValue.Members()
        members["$Kind"] = .text("Term")
        TypeJSON.add(of: element, to: &members)
        members.copy(["BaseTerm"], of: element)
        if let places = element.value("AppliesTo") {
            let names = places.split(whereSeparator: \.isWhitespace)
            members["$AppliesTo"] = .array(names.map { .text(String($0)) })
        }
        AnnotationJSON.add(to: &members, of: element)
        return members
    }
}
