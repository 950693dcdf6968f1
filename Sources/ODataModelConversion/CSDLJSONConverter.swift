public import ODataModel
import ODataValues

/// Writes a metadata document of version 4 as CSDL JSON (OData CSDL JSON 4.01).
///
/// Element by element, since the model does not keep all that a document says: terms, annotations of references, unknown types.
public enum CSDLJSONConverter {
    /// Returns the document as CSDL JSON.
    ///
    /// - Parameter xml: A document of CSDL XML, version 4.0 or 4.01.
    /// - Throws: ``CSDLError`` where it is not well-formed, or of an older version, for which there is no CSDL JSON.
    public static func json(ofXML xml: [UInt8]) throws(CSDLError) -> [UInt8] {
        let start = DocumentStart(xml)
        guard start.format != .json else {
            throw CSDLError(.notCSDL, "The document is JSON, where XML is expected.", line: 1)
        }
        let root = try XMLTree.read(Array(xml[start.offset...]))
        let version = root.value("Version") ?? ""
        guard root.name == "Edmx", version == "4.0" || version == "4.01" else {
            throw CSDLError(
                .invalidModel,
                "CSDL JSON is a form of version 4, and the document is of version '\(version)'.",
                line: root.line
            )
        }
        var members = CSDLJSONValue.Members()
        members["$Version"] = .text(version)
        references(root, to: &members)
        let types = RecordTypes(of: root, version: version)
        let definitions = DefinedTypes(of: root)
        for schema in schemas(of: root) {
            let namespace = schema.value("Namespace") ?? ""
            if let container = schema.elements("EntityContainer").first?.value("Name") {
                members["$EntityContainer"] = .text(namespace + "." + container)
            }
            members[namespace] = .object(
                SchemaJSON(types.stated(in: definitions.stated(in: schema))).members
            )
        }
        var writer = JSONWriter(capacity: xml.count)
        CSDLJSONValue.object(members).write(to: &writer)
        return writer.bytes
    }

    /// The schemas, those of one namespace together: JSON has one object for it.
    private static func schemas(of root: XMLNode) -> [XMLNode] {
        var schemas: [XMLNode] = []
        for schema in root.schemas {
            let namespace = schema.value("Namespace")
            if let known = schemas.firstIndex(where: { $0.value("Namespace") == namespace }) {
                let names = Set(schemas[known].attributes.map(\.name))
                schemas[known].attributes += schema.attributes.filter { !names.contains($0.name) }
                schemas[known].children += schema.children
            } else {
                schemas.append(schema)
            }
        }
        return schemas
    }

    /// The documents that this one refers to (§ 3.1).
    private static func references(_ root: XMLNode, to members: inout CSDLJSONValue.Members) {
        var all = CSDLJSONValue.Members()
        for reference in root.elements("Reference") {
            let uri = reference.value("Uri") ?? ""
            var object = CSDLJSONValue.Members()
            // A document that is referred to twice has one object, too.
            if case .object(let known)? = all[uri] { object = known }
            let includes = reference.elements("Include").map { include in
                var item = CSDLJSONValue.Members()
                item.copy(["Namespace", "Alias"], of: include)
                AnnotationJSON.add(to: &item, of: include)
                return CSDLJSONValue.object(item)
            }
            object.append(includes, to: "$Include")
            let annotations = reference.elements("IncludeAnnotations").map { include in
                var item = CSDLJSONValue.Members()
                item.copy(["TermNamespace", "Qualifier", "TargetNamespace"], of: include)
                return CSDLJSONValue.object(item)
            }
            object.append(annotations, to: "$IncludeAnnotations")
            AnnotationJSON.add(to: &object, of: reference)
            all[uri] = .object(object)
        }
        if !all.list.isEmpty { members["$Reference"] = .object(all) }
    }
}

extension CSDLJSONValue.Members {
    /// Adds items to the list of a name, which is there where it has any.
    fileprivate mutating func append(_ items: [CSDLJSONValue], to name: String) {
        guard !items.isEmpty else { return }
        var all: [CSDLJSONValue] = []
        if case .array(let known)? = self[name] { all = known }
        self[name] = .array(all + items)
    }
}

extension XMLNode {
    /// The schemas of a document, as they stand in it.
    var schemas: [XMLNode] { elements("DataServices").flatMap { $0.elements("Schema") } }

    /// The value of an attribute; nil where there is none.
    func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// The truth value of an attribute, also in the spellings that people write; nil where there is none.
    func flag(_ name: String) -> Bool? {
        switch value(name)?.lowercased() {
        case "true"?, "1"?: true
        case "false"?, "0"?: false
        default: nil
        }
    }

    /// The children of a name.
    func elements(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }
}

extension CSDLJSONValue.Members {
    /// Copies attributes under their names as texts, where they are there.
    mutating func copy(_ names: [String], of element: XMLNode) {
        for name in names { self["$" + name] = element.value(name).map { .text($0) } }
    }

    /// Sets a flag that is false where it is left out.
    mutating func flag(_ name: String, of element: XMLNode) {
        if element.flag(name) == true { self["$" + name] = .literal("true") }
    }
}
