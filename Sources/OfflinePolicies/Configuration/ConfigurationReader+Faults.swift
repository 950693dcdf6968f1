/// What is wrong in a configuration file, with its place.
extension ConfigurationReader {
    /// The members of an object that has nothing beside them.
    func members(
        of node: ConfigurationNode,
        at path: String,
        expected: String = "an object"
    ) throws(PolicyConfigurationError) -> [(name: String, value: ConfigurationNode)] {
        guard let members = node.members else { throw wrong(node, expected: expected, at: path) }
        try refuseExcess(node, at: path)
        return members
    }

    /// Refuses text between elements, and attributes: they were meant to say something.
    func refuseExcess(
        _ node: ConfigurationNode,
        at path: String
    ) throws(PolicyConfigurationError) {
        guard let excess = node.excess else { return }
        throw PolicyConfigurationError(
            "\(excess) has no meaning here; settings are elements",
            line: node.excessLine ?? node.line,
            path: path
        )
    }

    func wrong(
        _ node: ConfigurationNode,
        expected: String,
        at path: String
    ) -> PolicyConfigurationError {
        PolicyConfigurationError(
            "expected \(expected); found \(node.kind)",
            line: node.line,
            path: path
        )
    }

    func unknown(
        _ key: String,
        at node: ConfigurationNode,
        path: String,
        names: [String]
    ) -> PolicyConfigurationError {
        PolicyConfigurationError(
            "'\(key)' is unknown; expected one of " + names.sorted().joined(separator: ", "),
            line: node.line,
            path: path + "/" + key
        )
    }

    func refuseTwice(
        _ key: String,
        at node: ConfigurationNode,
        seen: inout Set<String>,
        path: String
    ) throws(PolicyConfigurationError) {
        guard seen.insert(key).inserted else {
            throw PolicyConfigurationError("'\(key)' is set twice", line: node.line, path: path)
        }
    }
}
