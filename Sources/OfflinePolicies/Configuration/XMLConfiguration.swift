import ODataModel

/// The tree of a configuration in XML: `mobileBackends/mobileBackend/synchronization/policies/policy`.
enum XMLConfiguration {
    /// Elements whose children are items of a list.
    private static let lists = ["mobileBackends": "mobileBackend", "policies": "policy"]

    static func tree(_ bytes: [UInt8]) throws(PolicyConfigurationError) -> ConfigurationNode {
        let root: XMLNode
        do {
            root = try XMLTree.read(bytes)
        } catch {
            throw PolicyConfigurationError(error.message, line: error.line)
        }
        let node = try node(root, path: root.name)
        guard ConfigurationReader.rootNames.contains(root.name) else { return node }
        let value = ConfigurationNode.Value.object([(name: root.name, value: node)])
        return ConfigurationNode(value: value, line: root.line, format: .xml)
    }

    private static func node(
        _ element: XMLNode,
        path: String
    ) throws(PolicyConfigurationError) -> ConfigurationNode {
        var node = ConfigurationNode(value: .text(element.text), line: element.line, format: .xml)
        node.excess = element.attributes.first.map { "the attribute '\($0.name)'" }
        if let item = lists[element.name] {
            node.value = .list(try items(of: element, named: item, path))
        } else if !element.children.isEmpty {
            var members: [(name: String, value: ConfigurationNode)] = []
            for child in element.children {
                members.append(
                    (name: child.name, value: try self.node(child, path: path + "/" + child.name))
                )
            }
            node.value = .object(members)
        } else {
            return node
        }
        let text = element.text.withoutOuterSpace
        if !text.isEmpty {
            node.excess = "the text '\(text.prefix(60))' between elements"
            node.excessLine = element.textLine
        }
        return node
    }

    private static func items(
        of element: XMLNode,
        named name: String,
        _ path: String
    ) throws(PolicyConfigurationError) -> [ConfigurationNode] {
        var items: [ConfigurationNode] = []
        for child in element.children {
            guard child.name == name else {
                throw PolicyConfigurationError(
                    "'\(child.name)' is unknown; expected '\(name)'",
                    line: child.line,
                    path: path + "/" + child.name
                )
            }
            items.append(try node(child, path: "\(path)/\(name)[\(items.count + 1)]"))
        }
        return items
    }
}
