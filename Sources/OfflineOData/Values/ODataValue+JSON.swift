import ODataPayload
import ODataAnswers

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
    init?(json: [UInt8]) {
        guard let tree = JSONTree(json) else { return nil }
        self.init(tree.root, of: tree)
    }

    private init(_ node: JSONTree.Node, of tree: JSONTree) {
        switch node.kind {
        case .object(let members):
            self = .object(members.map { ($0.name, ODataValue($0.value, of: tree)) })
        case .array(let items): self = .collection(items.map { ODataValue($0, of: tree) })
        case .string(let text): self = .string(text)
        case .word: self = Self.word(String(decoding: tree.text(node), as: UTF8.self))
        }
    }

    private static func word(_ text: String) -> ODataValue {
        switch text {
        case "null": .null
        case "true": .boolean(true)
        case "false": .boolean(false)
        default: Self(numberText: text)
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
