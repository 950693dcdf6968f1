import ODataText

/// Builds the assembly of a model from a CSDL JSON document (OData CSDL JSON 4.01).
///
/// Members come in any order, `$Kind` last, too, so the reader walks over a tree. The forms of the standard are taken as
/// they are; unknown members are reported as diagnostics.
struct CSDLJSONReader {
    var assembly: CSDLAssembly
    /// Whether this is the document itself, not one that it refers to.
    let isMain: Bool
    private let limits: CSDLLimits
    var counts = CSDLCounts()
    var namespace = ""
    private var writtenTypes: [String: WrittenType] = [:]

    init(assembly: CSDLAssembly, isMain: Bool, limits: CSDLLimits) {
        self.limits = limits
        self.assembly = assembly
        self.isMain = isMain
    }

    mutating func readDocument(_ root: JSONNode) throws(CSDLError) {
        if isMain { assembly.rootLine = root.line }
        guard let members = root.members, let version = root["$Version"] else {
            throw CSDLError(
                .notCSDL,
                "The document is no CSDL: the object has no member '$Version'.",
                line: root.line
            )
        }
        try readVersion(version)
        if let references = root["$Reference"] { try readReferences(references) }
        if let container = members.first(where: { $0.value["$Kind"]?.text == "EntityContainer" }) {
            return try readFlatDocument(root, container: container)
        }
        // Aliases first: a schema may use that of one behind it.
        for member in members where isSchema(member) {
            try noteSchema(member)
        }
        for member in members where isSchema(member) {
            readSchema(member)
        }
        for member in members where member.name.hasPrefix("$") {
            if !["$Version", "$Reference", "$EntityContainer"].contains(member.name) {
                warnOfMember(member, path: "")
            }
        }
        if isMain { assembly.counts = counts }
    }

    /// Reads what lodata writes: the container under the name of the schema, the schema's children beside it.
    private mutating func readFlatDocument(
        _ root: JSONNode,
        container: JSONNode.Member
    ) throws(CSDLError) {
        namespace = String(container.name.prefix(limits.maximumNamespaceLength))
        warn(
            "The container stands where a schema is expected.",
            at: container.value,
            path: namespace
        )
        assembly.declaredNamespaces.insert(namespace)
        assembly.model.schemas.append(EdmModel.Schema(namespace: namespace))
        counts.schemas = 1
        for member in root.members ?? [] {
            if member.name.hasPrefix("$") || member.name.hasPrefix("@") { continue }
            if member.name == namespace { continue }
            readSchemaChild(member)
        }
        let name = root["$EntityContainer"]?.text ?? namespace + ".Container"
        try readContainer(container.value, name: name)
        if let targets = container.value["$Annotations"] {
            survive { reader throws(CSDLError) in try reader.readTargets(targets) }
        }
        if isMain { assembly.counts = counts }
    }

    private func isSchema(_ member: JSONNode.Member) -> Bool {
        !member.name.hasPrefix("$") && !member.name.hasPrefix("@") && member.value.members != nil
    }

    private mutating func readVersion(_ node: JSONNode) throws(CSDLError) {
        let text = node.text ?? ""
        guard let version = ODataVersion(rawValue: text) else {
            throw CSDLError(
                .notCSDL,
                "The member '$Version' is '\(text)', where 4.01, 4.0 or an older version is expected.",
                line: node.line
            )
        }
        if isMain { assembly.model.version = version }
    }

    private mutating func readReferences(_ node: JSONNode) throws(CSDLError) {
        for member in try members(of: node, path: "$Reference") {
            var reference = CSDLReference(uri: member.name, line: member.value.line)
            for include in member.value["$Include"]?.items ?? [] {
                guard let namespace = include["$Namespace"]?.text else { continue }
                let alias = include["$Alias"]?.text
                reference.includes.append(EdmModel.Schema(namespace: namespace, alias: alias))
                if let alias { assembly.addAlias(alias, for: namespace, line: include.line) }
            }
            for include in member.value["$IncludeAnnotations"]?.items ?? [] {
                reference.annotationNamespaces.append(include["$TermNamespace"]?.text ?? "")
            }
            assembly.references.append(reference)
        }
    }

    private mutating func noteSchema(_ member: JSONNode.Member) throws(CSDLError) {
        guard member.name.utf8.count <= limits.maximumNamespaceLength else {
            throw CSDLError(
                .limit,
                "The namespace has more than \(limits.maximumNamespaceLength) bytes.",
                line: member.value.line
            )
        }
        let alias = try text("$Alias", of: member.value, path: member.name)
        if let alias { assembly.addAlias(alias, for: member.name, line: member.value.line) }
        assembly.declaredNamespaces.insert(member.name)
        assembly.model.schemas.append(EdmModel.Schema(namespace: member.name, alias: alias))
        counts.schemas += 1
        for annotation in annotations(of: member.value) { assembly.attachToSchema(annotation) }
    }

    private mutating func readSchema(_ schema: JSONNode.Member) {
        namespace = schema.name
        for member in schema.value.members ?? [] {
            switch member.name {
            case "$Alias": break
            case "$Annotations":
                survive { reader throws(CSDLError) in try reader.readTargets(member.value) }
            case _ where member.name.hasPrefix("$"): warnOfMember(member, path: namespace)
            case _ where member.name.utf8.contains(UInt8(ascii: "@")): break
            default: readSchemaChild(member)
            }
        }
    }

    /// Reads a child of a schema; one that lacks what it needs is left out.
    private mutating func readSchemaChild(_ member: JSONNode.Member) {
        let path = namespace + "." + member.name
        for overload in member.value.items ?? [member.value] {
            survive { reader throws(CSDLError) in
                if member.value.items != nil {
                    try reader.readOperation(overload, name: path)
                } else {
                    try reader.readSchemaChild(member, at: path)
                }
            }
        }
    }

    private mutating func readSchemaChild(_ member: JSONNode.Member, at path: String)
        throws(CSDLError)
    {
        switch try text("$Kind", of: member.value, path: path) {
        case "EntityType"?: try readType(member.value, name: path, kind: .entity)
        case "ComplexType"?: try readType(member.value, name: path, kind: .complex)
        case "EnumType"?: try readEnumeration(member.value, name: path)
        case "TypeDefinition"?: try readDefinition(member.value, name: path)
        case "EntityContainer"?: try readContainer(member.value, name: path)
        case "Action"?, "Function"?: try readOperation(member.value, name: path)
        case "Term"?: break
        case let kind:
            throw fault(
                "The member '$Kind' is '\(kind ?? "")', which is no kind of schema child.",
                at: member.value,
                path: path
            )
        }
    }

    private mutating func readTargets(_ node: JSONNode) throws(CSDLError) {
        for member in try members(of: node, path: namespace + "/$Annotations") {
            assembly.targetedAnnotations.append(
                CSDLAssembly.TargetedAnnotations(
                    target: target(member.name),
                    annotations: annotations(of: member.value),
                    line: member.value.line
                )
            )
        }
    }
}

extension CSDLJSONReader {
    private mutating func target(_ text: String) -> CSDLAssembly.TargetedAnnotations.Target {
        let target = AnnotationTarget(text)
        guard target.parameters.isEmpty, !target.isDeep else { return .other(text) }
        return .plain(
            head: assembly.symbols.index(of: target.name),
            member: target.member.map { assembly.symbols.index(of: $0) }
        )
    }

    /// Notes where a property stands in its type.
    mutating func noteMember(_ name: String, at place: Int) {
        let symbol = assembly.symbols.index(of: name)
        assembly.members.append(
            CSDLAssembly.MemberPlace(
                symbol: Int32(truncatingIfNeeded: symbol),
                place: Int32(truncatingIfNeeded: place)
            )
        )
    }
}

// MARK: - Members

extension CSDLJSONReader {
    /// Reads an element; where it lacks what it needs, it is left out, and the rest has a meaning without it.
    mutating func survive(_ read: (inout CSDLJSONReader) throws(CSDLError) -> Void) {
        do {
            try read(&self)
        } catch {
            guard isMain else { return }
            assembly.diagnostics.add(
                .error,
                path: error.path,
                line: error.line,
                message: error.message + " It is left out."
            )
        }
    }

    func fault(_ message: String, at node: JSONNode, path: String) -> CSDLError {
        CSDLError(.invalidModel, message, line: node.line, path: path)
    }

    mutating func warn(_ message: String, at node: JSONNode, path: String) {
        if isMain {
            assembly.diagnostics.add(.warning, path: path, line: node.line, message: message)
        }
    }

    mutating func warnOfMember(_ member: JSONNode.Member, path: String) {
        // Annotations of members stand beside them: `$OnDelete@Core.Description`.
        if member.name.utf8.contains(UInt8(ascii: "@")) { return }
        warn(
            "The member '\(member.name)' has no meaning here; it is ignored.",
            at: member.value,
            path: path
        )
    }

    func members(of node: JSONNode, path: String) throws(CSDLError) -> [JSONNode.Member] {
        guard let members = node.members else {
            throw fault("An object is expected, not \(node.kind).", at: node, path: path)
        }
        return members
    }

    /// Returns the text of a member; nil where it is not there.
    func text(_ name: String, of node: JSONNode, path: String) throws(CSDLError) -> String? {
        guard let value = node[name] else { return nil }
        if let text = value.text { return text }
        throw fault(
            "The member '\(name)' needs a string, not \(value.kind).",
            at: value,
            path: path
        )
    }

    /// Returns the truth value of a member; false where it is not there.
    mutating func flag(_ name: String, of node: JSONNode, path: String) -> Bool {
        guard let value = node[name] else { return false }
        if case .bool(let flag) = value.value { return flag }
        let message = "The member '\(name)' needs true or false, not \(value.kind); it is left out."
        if isMain {
            assembly.diagnostics.add(.error, path: path, line: value.line, message: message)
        }
        return false
    }

    /// Returns the type that `$Type` and `$Collection` give; a string without them.
    mutating func type(of node: JSONNode, path: String) throws(CSDLError) -> TypeReference {
        let name = try text("$Type", of: node, path: path) ?? "Edm.String"
        let written = write(name, at: node, path: path)
        let isCollection = flag("$Collection", of: node, path: path)
        return TypeReference(
            written.type,
            isCollection: isCollection || written.isCollection,
            facets: facets(of: node, type: written.type, at: path)
        )
    }

    /// Notes a type name, each once.
    mutating func write(_ name: String, at node: JSONNode, path: String) -> WrittenType {
        if let known = writtenTypes[name] { return known }
        let written = assembly.write(name, line: node.line, owner: path, user: "")
        writtenTypes[name] = written
        return written
    }

    mutating func facets(of node: JSONNode, type: NamedType, at path: String) -> Facets {
        var facets = Facets()
        if let value = node["$MaxLength"] {
            if case .null = value.value {
                facets.maxLength = .max
            } else {
                facets.maxLength = number(value, named: "$MaxLength", at: path).map { .length($0) }
            }
        }
        if let value = node["$Precision"] {
            facets.precision = number(value, named: "$Precision", at: path)
        }
        facets.scale = scale(of: node, type: type, at: path)
        if case .bool(let flag)? = node["$Unicode"]?.value { facets.isUnicode = flag }
        switch node["$SRID"]?.value {
        case .string(let text)?, .number(let text)?: facets.srid = text
        default: break
        }
        return facets
    }

    /// Without `$Scale` a decimal has any number of digits behind the point (OData CSDL JSON 4.01 § 7.2.4).
    private mutating func scale(of node: JSONNode, type: NamedType, at path: String)
        -> Facets.Scale?
    {
        guard let value = node["$Scale"] else {
            return type == .primitive(.decimal) ? .variable : nil
        }
        switch value.text {
        case "variable"?: return .variable
        case "floating"?: return .floating
        default: return number(value, named: "$Scale", at: path).map { .digits($0) }
        }
    }

    private mutating func number(_ node: JSONNode, named name: String, at path: String) -> Int? {
        if case .number(let text) = node.value, let number = Int(text), number >= 0 {
            return number
        }
        warn("The member '\(name)' is no number; it is left out.", at: node, path: path)
        return nil
    }
}
