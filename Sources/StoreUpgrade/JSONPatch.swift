import ODataText
import ODataValues

/// A merge patch of a JSON object (RFC 7396), or the object itself.
struct JSONPatch {
    private let tree: JSONTree
    private let members: [JSONNode.Member]

    /// Reads the text of a column; nil where it is no object.
    init?(_ scalar: Scalar) {
        guard case .text(let text) = scalar, let tree = JSONTree(Array(text.utf8)),
            let members = tree.root.members
        else { return nil }
        (self.tree, self.members) = (tree, members)
    }

    /// The names that it gives a value to, or takes away.
    var names: [String] { members.map(\.name) }

    /// The value of a name as it is written.
    func json(_ name: String) -> [UInt8]? { tree.root[name].map(tree.text) }

    /// Whether it takes a name away.
    func isNull(_ name: String) -> Bool {
        if case .null? = tree.root[name]?.value { true } else { false }
    }

    /// The patch without some of its names; nil where nothing is left.
    func without(where isLeftOut: (String) -> Bool) -> Scalar? {
        let rest = members.filter { !isLeftOut($0.name) }
        guard !rest.isEmpty else { return nil }
        return Self.setting(rest.map { ($0.name, tree.text($0.value)) })
    }

    /// The patch that gives names their values, and takes those away that have none.
    static func setting(_ values: [(name: String, json: [UInt8]?)]) -> Scalar {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, json) in values {
            writer.name(name)
            if let json { writer.raw(json.span) } else { writer.null() }
        }
        writer.endObject()
        return .text(String(decoding: writer.bytes, as: UTF8.self))
    }
}
