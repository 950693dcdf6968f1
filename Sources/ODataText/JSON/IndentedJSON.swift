/// Writes JSON, readable and in the order of the calls.
package struct IndentedJSON {
    package private(set) var text = ""
    private var isFirst = true
    private var depth = 0

    package init(text: String = "") {
        self.text = text
    }

    /// Writes an object around what the closure writes.
    package mutating func object(_ content: (inout IndentedJSON) -> Void) {
        container("{", closing: "}", content: content)
    }

    /// Writes a named object.
    package mutating func object(_ name: String, content: (inout IndentedJSON) -> Void) {
        member(name)
        container("{", closing: "}", content: content)
    }

    /// Writes a named array of objects.
    package mutating func array<Item>(
        _ name: String,
        of items: [Item],
        content: (inout IndentedJSON, Item) -> Void
    ) {
        member(name)
        container("[", closing: "]") { json in
            for item in items {
                json.separate()
                json.object { content(&$0, item) }
            }
        }
    }

    /// Writes a member with a text.
    package mutating func string(_ name: String, value: String) {
        member(name)
        text += Self.quoted(value)
    }

    /// Writes a member with a number.
    package mutating func number(_ name: String, value: Int) {
        member(name)
        text += String(value)
    }

    /// Writes a member with a truth value.
    package mutating func bool(_ name: String, value: Bool) {
        member(name)
        text += value ? "true" : "false"
    }

    private mutating func member(_ name: String) {
        separate()
        text += Self.quoted(name) + ": "
    }

    private mutating func separate() {
        text += isFirst ? "\n" : ",\n"
        text += String(repeating: "  ", count: depth)
        isFirst = false
    }

    private mutating func container(
        _ opening: String,
        closing: String,
        content: (inout IndentedJSON) -> Void
    ) {
        text += opening
        depth += 1
        isFirst = true
        content(&self)
        depth -= 1
        if !isFirst { text += "\n" + String(repeating: "  ", count: depth) }
        isFirst = false
        text += closing
    }

    private static func quoted(_ value: String) -> String {
        var bytes: [UInt8] = []
        JSONString.append(Array(value.utf8).span, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
