package import ODataText

extension JSONWriter {
    /// Writes a value in another form: the members of each object, in arrays too, as the function does, all else as it stands.
    ///
    /// - Parameter members: Writes what is to be in an object.
    package mutating func rewrite(
        _ node: JSONNode,
        in tree: JSONTree,
        members: (_ object: JSONNode, _ members: [JSONNode.Member], inout JSONWriter) -> Void
    ) {
        if let items = node.items {
            beginArray()
            for item in items { rewrite(item, in: tree, members: members) }
            return endArray()
        }
        guard let present = node.members else { return raw(tree.text(node).span) }
        beginObject()
        members(node, present, &self)
        endObject()
    }
}
