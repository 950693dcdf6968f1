import ODataModel
import ODataPayload
import ODataTables
import ODataText
import ODataValues

/// The present value of a dynamic property, which says what no metadata says: its type, and whether it is a collection.
struct DynamicValue {
    private let write: WriteAnswer
    private let tree: JSONTree?
    /// The type that the entity states of it.
    let type: String?

    init(_ value: ReadAnswer.OwnValue?, in write: WriteAnswer) {
        self.write = write
        tree = value.flatMap { JSONTree($0.json) }
        type = value?.type
    }

    var isCollection: Bool { tree?.root.items != nil }

    /// The JSON of a text in the place of the value, with the stated type where the text is of it.
    func taking(_ text: String) -> (json: [UInt8], type: String?) {
        if let type, let json = literal(text, of: type) { return (json, type) }
        switch tree?.root.value {
        case .number where JSONTree.isNumber(text): return (Array(text.utf8), nil)
        case .bool where ["true", "false"].contains(text): return (Array(text.utf8), nil)
        default: return (JSONWriter.quoted(text), nil)
        }
    }

    private func literal(_ text: String, of type: String) -> [UInt8]? {
        let rules = DynamicRules(layout: write.schema.layout)
        guard let reference = rules.reference(type), !reference.isCollection,
            let form = ScalarForm(reference, in: write.model), form != .json,
            form.parse(Array(text.utf8).span, in: write.model) != nil
        else { return nil }
        switch form {
        case .integer, .scaledDecimal, .decimalText, .boolean: return Array(text.utf8)
        case .single where JSONTree.isNumber(text): return Array(text.utf8)
        case .double where JSONTree.isNumber(text): return Array(text.utf8)
        default: return JSONWriter.quoted(text)
        }
    }

    /// An object in the place of the value: since changes of dynamic properties are merged, what it leaves out is null.
    func replaced(by json: [UInt8]) -> [UInt8] {
        guard let present = tree, let new = JSONTree(json) else { return json }
        var writer = JSONWriter()
        Self.write(new.root, in: new, over: present.root, in: present, to: &writer)
        return writer.bytes
    }

    private static func write(
        _ node: JSONNode,
        in tree: JSONTree,
        over former: JSONNode?,
        in present: JSONTree,
        to writer: inout JSONWriter
    ) {
        guard let members = node.members, let old = former?.members else {
            return writer.raw(tree.text(node).span)
        }
        writer.beginObject()
        for member in members {
            writer.name(member.name)
            write(member.value, in: tree, over: former?[member.name], in: present, to: &writer)
        }
        for member in old where node[member.name] == nil {
            writer.name(member.name)
            writer.null()
        }
        writer.endObject()
    }
}
