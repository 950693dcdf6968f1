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
        }
        do {
            let list = try PropertyListDecoder().decode(PropertyListNode.self, from: Data(bytes))
            return node(list, element)
        } catch {
            throw PolicyConfigurationError("the file is no property list", line: element?.line)
        }
    }

    private static func node(_ value: PropertyListNode, _ element: XMLNode?) -> ConfigurationNode {
        ConfigurationNode(value: content(value, element), line: element?.line, isTextual: true)
    }

    private static func content(
        _ value: PropertyListNode,
        _ element: XMLNode?
    ) -> ConfigurationNode.Value {
        switch value {
        case .object(let members): object(members, element)
        case .list(let items):
            .list(
                items.enumerated().map { index, item in
                    node(item, element?.children.dropFirst(index).first)
                }
            )
        case .text(let text): .text(text)
        case .number(let number): .number("\(number)")
        case .flag(let flag): .bool(flag)
        case .other: .null
        }
    }

    /// Members in the order of the document; Foundation keeps none.
    private static func object(
        _ members: [String: PropertyListNode],
        _ element: XMLNode?
    ) -> ConfigurationNode.Value {
        guard let element else {
            return .object(
                members.sorted { $0.key < $1.key }.map {
                    (name: $0.key, value: node($0.value, nil))
                }
            )
        }
        var found: [(name: String, value: ConfigurationNode)] = []
        for (key, value) in zip(element.children, element.children.dropFirst())
        where key.name == "key" {
            guard let member = members[key.text] else { continue }
            var read = node(member, value)
            read.line = key.line
            found.append((name: key.text, value: read))
        }
        return .object(found)
    }
}
