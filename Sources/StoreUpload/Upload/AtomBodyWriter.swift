import ODataText
import ODataValues
import ODataModel
import ODataPayload
import ODataAnswers
import ODataTables

/// Writes the body of a request as an Atom entry of versions 1 to 3 (OData 3.0 Atom § 6), for services that answer no JSON.
struct AtomBodyWriter {
    private let schema: TableSchema
    private let link: (String) -> String
    private var xml = ""

    private var model: EdmModel { schema.model }

    private static let namespaces =
        " xmlns=\"\(AtomNamespace.atomName)\" xmlns:d=\"\(AtomNamespace.dataName)\""
        + " xmlns:m=\"\(AtomNamespace.metadataName)\""

    /// Returns the XML text of an entity.
    ///
    /// - Parameters:
    ///   - uri: Where an entity is that the service has already.
    ///   - link: Gives the URI of an entity that a navigation property is bound to.
    static func xml(
        _ body: EntityBody,
        in schema: TableSchema,
        uri: String?,
        link: @escaping (String) -> String
    ) -> String {
        var writer = AtomBodyWriter(schema: schema, link: link)
        writer.xml = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"
        writer.entry(body, uri: uri, attributes: namespaces)
        return writer.xml
    }

    /// Returns the XML text of a link to an entity (`$links`).
    static func reference(_ uri: String) -> String {
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><uri xmlns=\"\(AtomNamespace.dataName)\">"
            + XMLText.escaped(uri) + "</uri>"
    }

    /// An entry must have an id, a title, an author and a time (RFC 4287 § 4.1.2); services find all of them out by themselves.
    private mutating func entry(_ body: EntityBody, uri: String?, attributes: String = "") {
        let type = model[body.plan.type]
        xml += "<entry\(attributes)>"
        xml += "<category term=\"\(XMLText.escaped(type.name))\""
        xml += " scheme=\"\(AtomNamespace.typeScheme)\"/>"
        xml += uri.map { "<id>\(XMLText.escaped($0))</id>" } ?? "<id/>"
        xml += "<title/><updated>1970-01-01T00:00:00Z</updated><author><name/></author>"
        navigations(body)
        // The content of a media entity is its stream, and the properties stand beside it.
        let isMedia = model.lineage(of: body.plan.type).contains { model[$0].hasStream }
        if !isMedia { xml += "<content type=\"application/xml\">" }
        xml += "<m:properties>"
        members(body.plan.members, of: body.plan.type, body: body)
        for member in body.undeclared { undeclared(member.name, json: member.json) }
        xml += "</m:properties>"
        if !isMedia { xml += "</content>" }
        xml += "</entry>"
    }

    // MARK: Links

    private mutating func navigations(_ body: EntityBody) {
        for member in body.plan.members {
            guard case .navigation(let id, let isCollection) = member.kind else { continue }
            let references = body.bindings.filter { $0.navigation == id }
            let inline = body.inline.filter { $0.navigation == id }
            for reference in references {
                link(member.name, isCollection: isCollection, to: link(reference.reference))
            }
            guard !inline.isEmpty else { continue }
            let entities = inline.flatMap(\.entities)
            if isCollection, !entities.isEmpty {
                link(member.name, isCollection: isCollection) { writer in
                    writer.xml += "<feed>"
                    for entity in entities { writer.entry(entity, uri: nil) }
                    writer.xml += "</feed>"
                }
            } else if !isCollection, references.isEmpty {
                link(member.name, isCollection: isCollection) { writer in
                    for entity in entities { writer.entry(entity, uri: nil) }
                }
            }
        }
    }

    private mutating func link(
        _ name: String,
        isCollection: Bool,
        to uri: String? = nil,
        inline: ((inout AtomBodyWriter) -> Void)? = nil
    ) {
        let name = XMLText.escaped(name)
        xml += "<link rel=\"\(AtomNamespace.relatedPrefix)\(name)\""
        xml += " type=\"application/atom+xml;type=\(isCollection ? "feed" : "entry")\""
        xml += " title=\"\(name)\""
        if let uri { xml += " href=\"\(XMLText.escaped(uri))\"" }
        guard let inline else {
            xml += "/>"
            return
        }
        xml += "><m:inline>"
        inline(&self)
        xml += "</m:inline></link>"
    }

    // MARK: Properties

    private mutating func members(
        _ members: [EntityPlan.Member],
        of type: StructuredTypeID,
        body: EntityBody
    ) {
        for member in members {
            let declared = model.property(member.name, of: type)?.type
            switch member.kind {
            case .scalar(let form, let slot):
                scalar(member.name, as: form, slot: slot, declared: declared, body: body)
            case .json(let slot): json(member.name, value: body.value(of: slot), declared: declared)
            case .complex(let inner, let presence):
                complex(
                    member.name,
                    inner: inner,
                    presence: presence,
                    declared: declared,
                    body: body
                )
            case .navigation, .stream: break
            }
        }
    }

    private mutating func scalar(
        _ name: String,
        as form: ScalarForm,
        slot: Int,
        declared: TypeReference?,
        body: EntityBody
    ) {
        // What stands for a value not known here is never sent.
        guard let item = body.values.last(where: { $0.slot == slot }),
            !form.isUnknown(item.value.storageClass)
        else { return }
        guard item.value != .null else { return null(name) }
        var text: [UInt8] = []
        form.write(
            item.value,
            exact: item.exact,
            in: model,
            style: form == .dateTimeOffset ? .v4 : .v2,
            into: &text
        )
        let isLocalTime = declared?.type == .primitive(.dateTime)
        if isLocalTime, text.last == UInt8(ascii: "Z") { text.removeLast() }
        element(name, type: declared.flatMap(typeName), text: String(decoding: text, as: UTF8.self))
    }

    private mutating func complex(
        _ name: String,
        inner: [EntityPlan.Member],
        presence: Int?,
        declared: TypeReference?,
        body: EntityBody
    ) {
        if let presence, body.value(of: presence) == .null { return null(name) }
        let isObject = presence.flatMap { body.value(of: $0) } == .integer(1)
        guard isObject || inner.contains(where: { $0.isMentioned(in: body) }),
            let declared, case .structured(let id) = declared.type
        else { return }
        begin(name, type: typeName(declared))
        members(inner, of: id, body: body)
        xml += "</d:\(name)>"
    }

    private mutating func null(_ name: String) {
        xml += "<d:\(name) m:null=\"true\"/>"
    }

    private mutating func begin(_ name: String, type: String?) {
        xml += "<d:\(name)"
        if let type { xml += " m:type=\"\(XMLText.escaped(type))\"" }
        xml += ">"
    }

    private mutating func element(_ name: String, type: String?, text: String) {
        xml += "<d:\(name)"
        if let type { xml += " m:type=\"\(XMLText.escaped(type))\"" }
        let isPadded = text.first?.isWhitespace == true || text.last?.isWhitespace == true
        if isPadded { xml += " xml:space=\"preserve\"" }
        xml += text.isEmpty ? "/>" : ">\(XMLText.escaped(text))</d:\(name)>"
    }

    /// The name of a type as `m:type` has it; strings, which need none, have nil.
    private func typeName(_ reference: TypeReference) -> String? {
        let name: String
        switch reference.type {
        case .primitive(.string) where !reference.isCollection: return nil
        case .primitive(let type): name = type.rawValue
        case .structured(let id): name = model[id].name
        case .enumeration, .definition, .untyped, .unresolved: return nil
        }
        return reference.isCollection ? "Collection(\(name))" : name
    }

    // MARK: Values that are kept as JSON

    private mutating func undeclared(_ name: String, json: String) {
        guard let tree = JSONTree(Array(json.utf8)) else { return }
        value(name, at: tree.root, in: tree, declared: nil)
    }

    private mutating func json(_ name: String, value: Scalar?, declared: TypeReference?) {
        switch value {
        case .null?: null(name)
        case .text(let json)?:
            guard let tree = JSONTree(Array(json.utf8)) else { return }
            self.value(name, at: tree.root, in: tree, declared: declared)
        default: break
        }
    }

    private mutating func value(
        _ name: String,
        at node: JSONNode,
        in tree: JSONTree,
        declared: TypeReference?
    ) {
        switch node.value {
        case .array(let items):
            begin(name, type: declared.flatMap(typeName))
            let item = declared.map { TypeReference($0.type) }
            for node in items { value("element", at: node, in: tree, declared: item) }
            xml += "</d:\(name)>"
        case .object(let members):
            begin(name, type: declared.flatMap(typeName))
            for member in members where !member.name.contains("@") {
                value(
                    member.name,
                    at: member.value,
                    in: tree,
                    declared: type(of: member.name, in: declared)
                )
            }
            xml += "</d:\(name)>"
        case .string(let text):
            element(name, type: declared.flatMap(typeName), text: text)
        case .null: null(name)
        case .number, .bool:
            let word = node.word ?? ""
            element(
                name,
                type: declared.flatMap(typeName) ?? Self.typeName(ofWord: word),
                text: word
            )
        }
    }

    private func type(of member: String, in declared: TypeReference?) -> TypeReference? {
        guard case .structured(let id)? = declared?.type else { return nil }
        return model.property(member, of: id)?.type
    }

    /// The type of a dynamic value of which nothing but its text is known.
    private static func typeName(ofWord word: String) -> String {
        if word == "true" || word == "false" { return PrimitiveType.boolean.rawValue }
        if Int32(word) != nil { return PrimitiveType.int32.rawValue }
        return Int64(word) == nil ? PrimitiveType.double.rawValue : PrimitiveType.int64.rawValue
    }
}
