import ODataPayload
import ODataText
import ODataValues

/// Leaves null properties out of an answer (`Prefer: omit-values=nulls`, OData 4.01 Part 1 § 8.2.8.6).
///
/// What stays: items of collections, control information, and properties with an annotation, from whose absence a client must not
/// conclude that they are null.
enum NullOmission {
    /// Returns the body without null properties; nil where it cannot be read.
    static func applied(to json: [UInt8]) -> [UInt8]? {
        guard let tree = JSONTree(json) else { return nil }
        var writer = JSONWriter(capacity: json.count)
        write(tree.root, in: tree, to: &writer)
        return writer.takeBytes()
    }

    private static func write(_ node: JSONNode, in tree: JSONTree, to writer: inout JSONWriter) {
        writer.rewrite(node, in: tree) { _, members, writer in
            let omitted = omitted(members)
            for member in members where !omitted.contains(property(of: member.name)) {
                writer.name(member.name)
                write(member.value, in: tree, to: &writer)
            }
        }
    }

    /// The names of the properties that are left out, with the types that are stated of them.
    private static func omitted(_ members: [JSONNode.Member]) -> Set<Substring> {
        var names: Set<Substring> = []
        for member in members {
            guard case .null = member.value.value, !member.name.contains("@") else { continue }
            names.insert(member.name[...])
        }
        guard !names.isEmpty else { return names }
        for member in members where member.name.contains("@") {
            let name = property(of: member.name)
            let isType = JSONNode.typeNames.contains { member.name == name + $0 }
            if !isType { names.remove(name) }
        }
        return names
    }

    /// The property that a member is, or is about; empty where it is about the object.
    private static func property(of name: String) -> Substring { name.prefix { $0 != "@" } }
}
