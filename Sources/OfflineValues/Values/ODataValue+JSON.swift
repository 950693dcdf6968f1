import ODataValues
import ODataText

extension ODataValue {
    /// Reads a JSON text; nil where it is none.
    public init?(json: String) {
        self.init(json: Array(json.utf8))
    }

    /// The value as a JSON text.
    public var json: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The value of a JSON text; nil where the text is none.
    package init?(json: [UInt8]) {
        guard let tree = JSONTree(json) else { return nil }
        self.init(tree.root)
    }

    private init(_ node: JSONNode) {
        switch node.value {
        case .object(let members): self = .object(members.map { ($0.name, ODataValue($0.value)) })
        case .array(let items): self = .collection(items.map { ODataValue($0) })
        case .string(let text): self = .string(text)
        case .number(let text): self = Self(numberText: text)
        case .bool(let flag): self = .boolean(flag)
        case .null: self = .null
        }
    }

    /// The number of a text: a whole one where it fits into 64 bits.
    init(numberText text: String) {
        switch text {
        // Numbers that JSON does not have.
        case "INF", "-INF", "NaN": self = .string(text)
        default: self = Int64(text).map { .integer($0) } ?? .number(text)
        }
    }
}

extension EntityValue {
    /// The entity as a JSON object, control information included.
    public var json: String { ODataValue.object(members).json }
}
