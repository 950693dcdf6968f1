/// A JSON value with its place in the text.
package struct JSONNode: Sendable {
    package indirect enum Value: Sendable {
        /// Members in the order of the document, names unique.
        case object([Member])
        case array([JSONNode])
        case string(String)
        /// A number as written.
        case number(String)
        case bool(Bool)
        case null
    }

    package struct Member: Sendable {
        package var name: String
        package var value: JSONNode
    }

    package var value: Value
    /// The line that it begins on.
    package var line: Int
    /// Its bytes in the text.
    package var range: Range<Int>

    /// Members of an object; nil for other values.
    package var members: [Member]? {
        if case .object(let members) = value { members } else { nil }
    }

    /// Items of an array; nil for other values.
    package var items: [JSONNode]? {
        if case .array(let items) = value { items } else { nil }
    }

    /// Text of a string; nil for other values.
    package var text: String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// Returns the value of a member of an object.
    package subscript(name: String) -> JSONNode? {
        members?.first { $0.name == name }?.value
    }

    /// What kind of value it is, for messages.
    package var kind: String {
        switch value {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "a Boolean"
        case .null: "null"
        }
    }

    /// A number, `true`, `false` or `null` as written; nil for other values.
    package var word: String? {
        switch value {
        case .number(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .null: "null"
        case .object, .array, .string: nil
        }
    }

    /// Every string in the value that is not a name, at every depth, with its place.
    package var texts: [(text: String, range: Range<Int>)] {
        switch value {
        case .string(let text): [(text, range)]
        case .array(let items): items.flatMap(\.texts)
        case .object(let members): members.flatMap(\.value.texts)
        case .number, .bool, .null: []
        }
    }
}
