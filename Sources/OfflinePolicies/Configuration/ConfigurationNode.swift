/// A value of a configuration file in any of its formats, with its place.
struct ConfigurationNode: Sendable {
    indirect enum Value: Sendable {
        case object([(name: String, value: ConfigurationNode)])
        case list([ConfigurationNode])
        case text(String)
        case number(String)
        case bool(Bool)
        case null
        /// A value that no setting has, such as a date, as messages name it.
        case other(String)
    }

    var value: Value
    /// Line in the file, 1-based; nil where the format has no lines.
    var line: Int?
    var format = ConfigurationFormat.json
    /// What stands beside the value and is none of its members: text between the elements of an object, attributes; nil where nothing
    /// does.
    var excess: String?
    /// The line of that; nil where it is the node's.
    var excessLine: Int?

    /// Whether numbers and Booleans may be written as text, as in XML and in property lists made by editors.
    var isTextual: Bool { format != .json }

    /// What kind of value it is, for messages.
    var kind: String {
        switch value {
        case .object: "an object"
        case .list: "a list"
        case .text(let text): "'\(text.prefix(60))'"
        case .number(let digits): digits
        case .bool(let flag): "\(flag)"
        case .null: "null"
        case .other(let text): text
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

    /// Whether it is the `false` by which a property list names the library's default.
    var isLibraryDefault: Bool { format == .propertyList && boolean == false }

    var boolean: Bool? {
        switch value {
        case .bool(let flag): flag
        case .text where isTextual:
            switch word?.lowercased() {
            case "true": true
            case "false": false
            // Editors of property lists write these.
            case "yes" where format == .propertyList: true
            case "no" where format == .propertyList: false
            default: nil
            }
        default: nil
        }
    }
}

extension String {
    /// The text without white space at its ends.
    package var withoutOuterSpace: String {
        let start = drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
