import ODataText
import ODataModel

/// The tree of a configuration in JSON.
enum JSONConfiguration {
    private static let maximumDepth = 64

    static func tree(_ bytes: [UInt8]) throws(PolicyConfigurationError) -> ConfigurationNode {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        do {
            return node(
                try JSONTreeReader.read(bytes, from: start, line: 1, maximumDepth: maximumDepth)
            )
        } catch {
            throw PolicyConfigurationError(error.message, line: error.line)
        }
    }

    private static func node(_ node: JSONNode) -> ConfigurationNode {
        let value: ConfigurationNode.Value =
            switch node.value {
            case .object(let members):
                .object(members.map { (name: $0.name, value: Self.node($0.value)) })
            case .array(let items): .list(items.map(Self.node))
            case .string(let text): .text(text)
            case .number(let digits): .number(digits)
            case .bool(let flag): .bool(flag)
            case .null: .null
            }
        return ConfigurationNode(value: value, line: node.line)
    }
}
