package import ODataText

/// Selects items of a collection in a JSON text (OData 4.01 Part 2 § 5.1.4).
package struct ItemChoice {
    /// Names of the members on the way to the collection; empty where the text is the collection.
    private let names: [Substring]
    private let places: [Int]
    private let count: Int64?

    /// Creates a choice.
    ///
    /// - Parameters:
    ///   - path: The names with slashes between them.
    ///   - places: Positions of the items in the desired order, 0-based.
    ///   - count: Written as `@odata.count` beside a nested collection.
    package init(path: String, places: [Int], count: Int64?) {
        names = path.split(separator: "/")
        self.places = places
        self.count = count
    }

    /// Returns the text with only the selected items; the text of each item is unchanged.
    package func written(_ tree: JSONTree) -> [UInt8] {
        var writer = JSONWriter()
        write(tree.root, names[...], in: tree, to: &writer)
        return writer.bytes
    }

    private func write(
        _ node: JSONNode,
        _ names: ArraySlice<Substring>,
        in tree: JSONTree,
        to writer: inout JSONWriter
    ) {
        guard let name = names.first else { return writeItems(of: node, in: tree, to: &writer) }
        guard let members = node.members else { return writer.raw(tree.text(node).span) }
        writer.beginObject()
        for member in members {
            let isOnTheWay = member.name == name
            if isOnTheWay, names.count == 1, let count, member.value.items != nil {
                writer.name(member.name + "@odata.count")
                writer.integer(count)
            }
            writer.name(member.name)
            if isOnTheWay {
                write(member.value, names.dropFirst(), in: tree, to: &writer)
            } else {
                writer.raw(tree.text(member.value).span)
            }
        }
        writer.endObject()
    }

    private func writeItems(of node: JSONNode, in tree: JSONTree, to writer: inout JSONWriter) {
        guard let items = node.items else { return writer.raw(tree.text(node).span) }
        writer.beginArray()
        for place in places where items.indices.contains(place) {
            writer.raw(tree.text(items[place]).span)
        }
        writer.endArray()
    }
}
