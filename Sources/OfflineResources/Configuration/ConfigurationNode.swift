/// A value of a configuration file in any of its formats, with its place.
struct ConfigurationNode: Sendable {
    indirect enum Value: Sendable {
        case object([(name: String, value: ConfigurationNode)])
        case list([ConfigurationNode])
        case text(String)
        case number(String)
        case bool(Bool)
        case null
    }

    var value: Value
    /// Line in the file, 1-based; nil where the format has no lines.
    var line: Int?
    /// Whether numbers and Booleans may be written as text, as in XML and in property lists made by editors.
    var isTextual = false

    /// What kind of value it is, for messages.
    var kind: String {
        switch value {
        case .object: "an object"
        case .list: "a list"
        case .text(let text): "'\(text.prefix(60))'"
        case .number(let digits): digits
        case .bool(let flag): "\(flag)"
        case .null: "null"
        }
    }

    /// Members of an object; nil for other values.
    var members: [(name: String, value: ConfigurationNode)]? {
        switch value {
        case .object(let members): members
        // An empty element of XML, or one with white space only.
        case .text(let text) where isTextual && text.allSatisfy(\.isWhitespace): []
        default: nil
        }
    }

    subscript(name: String) -> ConfigurationNode? {
        members?.first { $0.name == name }?.value
    }

    /// A word; white space around it does not count in XML.
    var word: String? {
        guard case .text(let text) = value else { return nil }
        return isTextual ? text.withoutOuterSpace : text
    }

    /// A whole number; nil for other values, and for one that does not fit.
    var integer: Int? {
        switch value {
        case .number(let digits): Int(digits)
        case .text where isTextual: word.flatMap { Int($0) }
        default: nil
        }
    }

    var boolean: Bool? {
        switch value {
        case .bool(let flag): flag
        case .text where isTextual:
            switch word?.lowercased() {
            case "true", "yes": true
            case "false", "no": false
            default: nil
            }
        default: nil
        }
    }
}

extension String {
    /// The text without white space at its ends.
    var withoutOuterSpace: String {
        let start = drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
