/// A JSON value of the legal service; members keep their order.
indirect enum LegalValue: Hashable, Sendable {
    /// A member of an object.
    struct Member: Hashable, Sendable {
        var name: String
        var value: LegalValue
    }

    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case list([LegalValue])
    case object([Member])

    static func integer(_ value: Int) -> LegalValue { .number(String(value)) }

    /// A string, or null for nil.
    static func text(_ value: String?) -> LegalValue { value.map { .string($0) } ?? .null }

    /// The value of a member, the last one of its name.
    subscript(name: String) -> LegalValue? {
        if case .object(let members) = self { members.last { $0.name == name }?.value } else { nil }
    }

    var members: [Member] { if case .object(let members) = self { members } else { [] } }
    var items: [LegalValue]? { if case .list(let items) = self { items } else { nil } }
    var string: String? { if case .string(let text) = self { text } else { nil } }

    /// Adds a member behind the others.
    mutating func add(_ name: String, _ value: LegalValue?) {
        guard case .object(var members) = self, let value else { return }
        members.append(Member(name: name, value: value))
        self = .object(members)
    }

    /// A value as a line of a comparison shows it.
    var plain: String {
        switch self {
        case .null: "-"
        case .bool(let value): String(value)
        case .number(let text), .string(let text): text
        case .list(let items): "[" + items.map(\.plain).joined(separator: ",") + "]"
        case .object: "{}"
        }
    }

    // MARK: Writing

    var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let text): text
        case .string(let text): Self.quoted(text)
        case .list(let items): "[" + items.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ":" + $0.value.json }.joined(separator: ",")
                + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
