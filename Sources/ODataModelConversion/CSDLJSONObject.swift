import ODataText

/// An object of a CSDL JSON document, its members by what they are.
struct CSDLJSONObject {
    /// An annotation or control information: what stands behind the last `@` of its name, and its value.
    typealias Note = (term: String, value: JSONNode)

    /// Members that stand for elements of the model, such as the properties of a type.
    private(set) var elements: [JSONNode.Member] = []
    /// Members with a `$`: what the element itself says.
    private var statements: [String: JSONNode] = [:]
    /// Members with an `@`, by what they stand beside; the empty text is the object itself.
    private var notes: [String: [Note]] = [:]

    /// Takes an object apart; nil for any other value.
    init?(_ node: JSONNode?) {
        guard let members = node?.members else { return nil }
        for member in members {
            if let mark = member.name.utf8.lastIndex(of: UInt8(ascii: "@")) {
                let term = member.name.utf8.index(after: mark)
                notes[String(member.name[..<mark]), default: []]
                    .append((String(member.name[term...]), member.value))
            } else if member.name.utf8.first == UInt8(ascii: "$") {
                statements[member.name] = member.value
            } else {
                elements.append(member)
            }
        }
    }

    /// The value of a member with a `$`.
    subscript(name: String) -> JSONNode? { statements[name] }

    /// A text, a number or a truth value as XML writes it; nil where there is none.
    func text(_ name: String) -> String? { statements[name]?.plainText }

    /// A truth value that is false where it is left out.
    func flag(_ name: String) -> Bool { truth(name) ?? false }

    /// A truth value; nil where there is none.
    func truth(_ name: String) -> Bool? {
        if case .bool(let flag)? = statements[name]?.value { flag } else { nil }
    }

    /// The annotations beside a member, or of the object itself, in order, without control information (OData CSDL JSON 4.01 § 14.2).
    func annotations(beside name: String) -> [Note] {
        notes[name, default: []].filter { $0.term != "type" && !$0.term.hasPrefix("odata.") }
    }

    /// The type that a record states, without the document that declares it (§ 14.4.12).
    var statedType: String? {
        let note = notes["", default: []].first { $0.term == "type" || $0.term == "odata.type" }
        guard let type = note?.value.text else { return nil }
        return type.utf8.lastIndex(of: UInt8(ascii: "#"))
            .map { String(type[type.utf8.index(after: $0)...]) } ?? type
    }
}

extension JSONNode {
    /// A string, a number or a truth value as a text; nil for other values.
    var plainText: String? {
        if case .null = value { nil } else { text ?? word }
    }
}
