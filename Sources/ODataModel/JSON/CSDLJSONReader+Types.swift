import ODataText

// Entity, complex and enumeration types, and type definitions (OData CSDL JSON 4.01 §§ 6 to 11).

extension CSDLJSONReader {
    mutating func readType(_ node: JSONNode, name: String, kind: StructuredType.Kind)
        throws(CSDLError)
    {
        if kind == .entity { counts.entityTypes += 1 } else { counts.complexTypes += 1 }
        var type = StructuredType(name: name, kind: kind)
        type.isAbstract = flag("$Abstract", of: node, path: name)
        type.isOpen = flag("$OpenType", of: node, path: name)
        type.hasStream = flag("$HasStream", of: node, path: name)
        type.annotations = annotations(of: node)
        var note = CSDLAssembly.TypeNote(line: node.line)
        note.members = assembly.members.count..<assembly.members.count
        if let base = try text("$BaseType", of: node, path: name) {
            note.base = write(base, at: node, path: name).type
        }
        if let key = node["$Key"] { type.key = try self.key(key, at: name) }
        for member in node.members ?? [] where isProperty(member.name, at: name) {
            survive { reader throws(CSDLError) in try reader.readProperty(member, of: &type) }
        }
        for member in node.members ?? [] where member.name.hasPrefix("$") {
            if !CSDLJSONReader.typeMembers.contains(member.name) {
                warnOfMember(member, path: name)
            }
        }
        note.members = note.members.lowerBound..<assembly.members.count
        let symbol = assembly.symbols.index(of: type.name)
        _ = assembly.add(type, symbol: symbol, note: note)
    }

    private static let typeMembers: Set<String> = [
        "$Kind", "$Abstract", "$OpenType", "$HasStream", "$BaseType", "$Key",
    ]

    private func isProperty(_ name: String, at path: String) -> Bool {
        !name.hasPrefix("$") && !name.utf8.contains(UInt8(ascii: "@"))
    }

    private func key(_ node: JSONNode, at path: String) throws(CSDLError) -> [KeyProperty] {
        guard let items = node.items else {
            throw fault("The member '$Key' needs an array, not \(node.kind).", at: node, path: path)
        }
        var key: [KeyProperty] = []
        for item in items {
            if let text = item.text {
                key.append(KeyProperty(path: text))
            } else if let member = item.members?.first, let target = member.value.text {
                key.append(KeyProperty(path: target, alias: member.name))
            } else {
                throw fault("A part of '$Key' is no path.", at: item, path: path)
            }
        }
        return key
    }

    private mutating func readProperty(_ member: JSONNode.Member, of type: inout StructuredType)
        throws(CSDLError)
    {
        let path = type.name + "/" + member.name
        let node = member.value
        _ = try members(of: node, path: path)
        let kind = try text("$Kind", of: node, path: path) ?? "Property"
        switch kind {
        case "NavigationProperty": try addNavigation(member.name, at: node, path: path, to: &type)
        case "Property":
            counts.properties += 1
            let reference = try self.type(of: node, path: path)
            var property = StructuralProperty(name: member.name, type: reference)
            property.isNullable = flag("$Nullable", of: node, path: path)
            property.defaultValue = literal(node["$DefaultValue"])
            property.annotations = annotations(of: node)
            noteMember(member.name, at: type.properties.count)
            type.properties.append(property)
        default:
            throw fault(
                "The member '$Kind' is '\(kind)', which is no kind of property.",
                at: node,
                path: path
            )
        }
    }

    private func literal(_ node: JSONNode?) -> String? {
        switch node?.value {
        case .string(let text)?, .number(let text)?: text
        case .bool(let flag)?: flag ? "true" : "false"
        default: nil
        }
    }

    private mutating func addNavigation(
        _ name: String,
        at node: JSONNode,
        path: String,
        to type: inout StructuredType
    ) throws(CSDLError) {
        counts.navigationProperties += 1
        guard let target = try text("$Type", of: node, path: path) else {
            throw fault("A navigation property needs the member '$Type'.", at: node, path: path)
        }
        var property = NavigationProperty(name: name, targetName: target, target: nil)
        if case .structured(let id) = write(target, at: node, path: path).type {
            property.target = id
        }
        property.isCollection = flag("$Collection", of: node, path: path)
        property.isNullable = flag("$Nullable", of: node, path: path)
        if property.isCollection { property.isNullable = false }
        property.partner = try text("$Partner", of: node, path: path)
        property.containsTarget = flag("$ContainsTarget", of: node, path: path)
        property.annotations = annotations(of: node)
        if let action = try text("$OnDelete", of: node, path: path) {
            property.onDelete = OnDelete(rawValue: action)
            if property.onDelete == nil {
                warn("The action '\(action)' on delete is unknown.", at: node, path: path)
            }
        }
        for pair in node["$ReferentialConstraint"]?.members ?? [] {
            guard isProperty(pair.name, at: path), let other = pair.value.text else { continue }
            property.referentialConstraints.append(
                ReferentialConstraint(property: pair.name, referencedProperty: other)
            )
        }
        noteMember(name, at: ~type.navigationProperties.count)
        type.navigationProperties.append(property)
    }

    mutating func readEnumeration(_ node: JSONNode, name: String) throws(CSDLError) {
        counts.enumTypes += 1
        var enumeration = EnumType(name: name)
        enumeration.isFlags = flag("$IsFlags", of: node, path: name)
        if let underlying = try text("$UnderlyingType", of: node, path: name) {
            guard let type = PrimitiveType(rawValue: underlying), EnumType.integers.contains(type)
            else {
                throw fault(
                    "The underlying type '\(underlying)' is no integer type.",
                    at: node,
                    path: name
                )
            }
            enumeration.underlyingType = type
        }
        enumeration.annotations = annotations(of: node)
        let besides = Dictionary(
            grouping: node.members ?? [],
            by: { String($0.name.prefix { $0 != "@" }) }
        )
        for member in node.members ?? [] where isProperty(member.name, at: name) {
            survive { reader throws(CSDLError) in
                var added = try reader.enumMember(member, at: name + "/" + member.name)
                added.annotations = reader.annotations(
                    among: besides[member.name] ?? [],
                    beside: member.name
                )
                enumeration.members.append(added)
            }
        }
        assembly.add(enumeration, line: node.line)
    }

    private func enumMember(_ member: JSONNode.Member, at path: String) throws(CSDLError)
        -> EnumType.Member
    {
        // A string where the writer was asked for numbers that fit (OData CSDL JSON 4.01 § 10.3, IEEE754Compatible).
        var text: String?
        if case .number(let number) = member.value.value { text = number }
        guard let value = Int64(text ?? member.value.text ?? "") else {
            throw fault(
                "The value of a member is no integer of 64 bits.",
                at: member.value,
                path: path
            )
        }
        return EnumType.Member(name: member.name, value: value)
    }

    mutating func readDefinition(_ node: JSONNode, name: String) throws(CSDLError) {
        counts.typeDefinitions += 1
        let underlying = try text("$UnderlyingType", of: node, path: name) ?? ""
        guard let type = PrimitiveType(rawValue: underlying) else {
            throw fault(
                "The underlying type is '\(underlying)', where a primitive type is expected.",
                at: node,
                path: name
            )
        }
        var definition = TypeDefinition(name: name, underlyingType: type)
        definition.facets = facets(of: node, type: .primitive(type), at: name)
        definition.annotations = annotations(of: node)
        assembly.add(definition, line: node.line)
    }
}
