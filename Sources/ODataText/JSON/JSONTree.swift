/// A small JSON text taken apart, each value with its place: for bodies of one value, where no plan is known.
package struct JSONTree: Sendable {
    package let bytes: [UInt8]
    package let root: JSONNode

    /// Values nested deeper than this are refused.
    static let maximumDepth = 64

    /// Reads a text; nil where it is no JSON, is nested too deep, or has a name twice in an object.
    package init?(_ bytes: [UInt8]) {
        do throws(JSONFault) {
            root = try JSONTreeReader.read(
                bytes,
                from: 0,
                line: 1,
                maximumDepth: Self.maximumDepth
            )
        } catch {
            return nil
        }
        self.bytes = bytes
    }

    /// The text of a value.
    package func text(_ node: JSONNode) -> [UInt8] { Array(bytes[node.range]) }

    /// The member of an object, of the value at the root where no other is given.
    package func member(_ name: String, of node: JSONNode? = nil) -> JSONNode? {
        (node ?? root).members?.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The string that a member is.
    package func string(_ name: String, of node: JSONNode? = nil) -> String? {
        member(name, of: node)?.text
    }

    /// Whether a whole text is a number of JSON (RFC 8259 § 6).
    package static func isNumber(_ text: String) -> Bool {
        guard let tree = JSONTree(Array(text.utf8)), case .number(let number) = tree.root.value
        else { return false }
        return number.utf8.count == text.utf8.count
    }
}
