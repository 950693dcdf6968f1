package import ODataText

/// The members of a complex value that `$select` names (OData 4.01 Part 1 § 11.2.5.1).
package struct MemberSelection: Hashable, Sendable {
    /// The ways to them.
    private let paths: Set<[String]>

    /// Creates a selection; nil where it names the whole value.
    ///
    /// - Parameter paths: Names on the ways to the members; those of types among them say nothing of where a member stands.
    package init?(_ paths: some Sequence<[String]>) {
        self.paths = Set(paths.map { path in path.filter { !$0.contains(".") } })
        guard !self.paths.isEmpty, !self.paths.contains([]), !self.paths.contains(["*"]) else {
            return nil
        }
    }

    /// Returns of a value, or of each in a collection, what is selected, with the control information about the value itself.
    package func written(_ node: JSONNode, in tree: JSONTree) -> [UInt8] {
        var writer = JSONWriter()
        write(node, in: tree, to: &writer)
        return writer.bytes
    }

    private func write(_ node: JSONNode, in tree: JSONTree, to writer: inout JSONWriter) {
        writer.rewrite(node, in: tree) { _, members, writer in
            for member in members { write(member, in: tree, to: &writer) }
        }
    }

    private func write(_ member: JSONNode.Member, in tree: JSONTree, to writer: inout JSONWriter) {
        let owner = String(member.name.prefix { $0 != "@" })
        let below = paths.filter { $0.first == owner }.map { Array($0.dropFirst()) }
        guard owner.isEmpty || !below.isEmpty else { return }
        writer.name(member.name)
        guard member.name == owner, let inner = MemberSelection(below) else {
            return writer.raw(tree.text(member.value).span)
        }
        inner.write(member.value, in: tree, to: &writer)
    }
}
