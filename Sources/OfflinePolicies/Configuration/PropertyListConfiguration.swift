#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import ODataModel

/// The tree of a configuration in a property list, XML or binary.
///
/// Foundation reads the values; the places come from the XML beside them, since Foundation gives none.
enum PropertyListConfiguration {
    static func tree(_ bytes: [UInt8]) throws(PolicyConfigurationError) -> ConfigurationNode {
        let isXML = !bytes.starts(with: Array("bplist".utf8))
        var element: XMLNode?
        if isXML {
            do {
                // A property list names Apple's DTD, which is never loaded.
                element = try XMLTree.read(bytes, documentType: .ignored).children.first
            } catch {
                throw PolicyConfigurationError(error.message, line: error.line)
            }
            if let element { try check(element, at: "") }
        }
        do {
            let list = try PropertyListDecoder().decode(PropertyListNode.self, from: Data(bytes))
            return node(list, of: element)
        } catch {
            throw PolicyConfigurationError("the file is no property list", line: element?.line)
        }
    }

    private static func node(_ value: PropertyListNode, of element: XMLNode?) -> ConfigurationNode {
        ConfigurationNode(
            value: content(value, of: element),
            line: element?.line,
            format: .propertyList
        )
    }

    // MARK: Faults that Foundation does not place

    private static let leaves: Set<String> = [
        "string", "integer", "real", "true", "false", "date", "data",
    ]

    /// Refuses what is no value, and dictionaries whose keys and values do not alternate.
    private static func check(
        _ element: XMLNode,
        at path: String
    ) throws(PolicyConfigurationError) {
        if ["dict", "array"].contains(element.name), let line = element.textLine {
            let text = element.text.withoutOuterSpace.prefix(60)
            throw PolicyConfigurationError(
                "the text '\(text)' between elements has no meaning here",
                line: line,
                path: path
            )
        }
        switch element.name {
        case "dict": try checkDictionary(element, at: path)
        case "array":
            for (index, item) in element.children.enumerated() {
                try check(item, at: "\(path)[\(index + 1)]")
            }
        default:
            guard !leaves.contains(element.name) else { return }
            let message =
                element.name == "key"
                ? "the key '\(element.text)' has no value"
                : "'\(element.name)' is no value of a property list"
            throw PolicyConfigurationError(message, line: element.line, path: path)
        }
    }

    private static func checkDictionary(
        _ element: XMLNode,
        at path: String
    ) throws(PolicyConfigurationError) {
        var key: XMLNode?
        for child in element.children {
            if let known = key, child.name != "key" {
                try check(child, at: path + (path.isEmpty ? "" : "/") + known.text)
                key = nil
            } else if key == nil, child.name == "key" {
                key = child
            } else {
                throw PolicyConfigurationError(
                    key.map { "the key '\($0.text)' has no value" }
                        ?? "'\(child.name)' stands without a key before it",
                    line: (key ?? child).line,
                    path: path + (key.map { (path.isEmpty ? "" : "/") + $0.text } ?? "")
                )
            }
        }
        guard let key else { return }
        throw PolicyConfigurationError(
            "the key '\(key.text)' has no value",
            line: key.line,
            path: path + (path.isEmpty ? "" : "/") + key.text
        )
    }

    // MARK: Values

    private static func content(
        _ value: PropertyListNode,
        of element: XMLNode?
    ) -> ConfigurationNode.Value {
        switch value {
        case .object(let members): object(members, of: element)
        case .list(let items):
            .list(
                items.enumerated().map { index, item in
                    node(item, of: element?.children.dropFirst(index).first)
                }
            )
        case .text(let text): .text(text)
        case .number(let number): .number("\(number)")
        case .flag(let flag): .bool(flag)
        case .other(let text):
            // The file's own words are better than what was made of them.
            .other(element.map { "\($0.name) '\($0.text.prefix(60))'" } ?? text)
        }
    }

    /// Members in the order of the document; Foundation keeps none.
    private static func object(
        _ members: [String: PropertyListNode],
        of element: XMLNode?
    ) -> ConfigurationNode.Value {
        guard let element else {
            return .object(
                members.sorted { $0.key < $1.key }.map {
                    (name: $0.key, value: node($0.value, of: nil))
                }
            )
        }
        var found: [(name: String, value: ConfigurationNode)] = []
        for (key, value) in zip(element.children, element.children.dropFirst())
        where key.name == "key" {
            guard let member = members[key.text] else { continue }
            var read = node(member, of: value)
            read.line = key.line
            found.append((name: key.text, value: read))
        }
        return .object(found)
    }
}
