import ODataText
import ODataValues

/// What a service says about an error (OData JSON 4.01 § 21.1; JSON Verbose § 8).
public struct ODataErrorBody: Sendable, Equatable {
    /// The service's own code; empty where there is none.
    public var code = ""
    /// Message for people.
    public var message = ""
    /// What the error is about, such as a property.
    public var target: String?
    /// Further errors.
    public var details: [Detail] = []
    /// The debugging information as JSON text.
    public var innerError: String?

    /// One of several errors.
    public struct Detail: Sendable, Equatable {
        /// The service's own code.
        public var code = ""
        /// Message for people.
        public var message = ""
        /// What the error is about.
        public var target: String?

        /// Creates an empty detail.
        public init() {}
    }

    /// Creates an empty error.
    public init() {}

    /// Details beyond are dropped.
    private static let maximumDetails = 100
    private static let maximumDepth = 64
}

// MARK: - Reading

extension ODataErrorBody {
    /// Reads the body of an answer: JSON of any version, the message of XML, or plain text; nil where there is nothing to say.
    public init?(reading body: Span<UInt8>) {
        var start = body.starts(with: "\u{FEFF}") ? 3 : 0
        while start < body.count, body[start] <= 0x20 { start += 1 }
        let body = body.extracting(start..<body.count)
        switch body.count > 0 ? body[0] : 0 {
        case UInt8(ascii: "{"):
            guard let found = Self.member(named: ["error", "odata.error"], of: body),
                let error = Self(errorObject: body.extracting(found))
            else { return nil }
            self = error
        case UInt8(ascii: "<"):
            guard let message = Self.xmlMessage(body) else { return nil }
            self.message = message
            code = Self.xmlText(body, named: "code") ?? ""
        default:
            guard let text = Self.plainText(body) else { return nil }
            message = text
        }
    }

    /// Reads the object that stands under `error`.
    init?(errorObject: Span<UInt8>) {
        var error = Self()
        let isRead = Self.eachMember(of: errorObject) { name, value in
            if name.isEqual(to: "code") {
                error.code = Self.string(value) ?? ""
            } else if name.isEqual(to: "message") {
                error.message = Self.message(value)
            } else if name.isEqual(to: "target") {
                error.target = Self.string(value)
            } else if name.isEqual(to: "details") {
                error.details = Self.details(value)
            } else if name.isEqual(to: "innererror") || name.isEqual(to: "innerError") {
                error.innerError = String(validating: value.copied(), as: UTF8.self)
            }
        }
        guard isRead else { return nil }
        self = error
    }

    /// A message is a string, or `{"lang": …, "value": …}` in versions 1 to 3.
    private static func message(_ value: Span<UInt8>) -> String {
        guard let found = member(named: ["value"], of: value) else { return string(value) ?? "" }
        return string(value.extracting(found)) ?? ""
    }

    private static func details(_ value: Span<UInt8>) -> [Detail] {
        var details: [Detail] = []
        _ = eachItem(of: value) { item in
            guard details.count < maximumDetails else { return }
            var detail = Detail()
            let isRead = eachMember(of: item) { name, value in
                if name.isEqual(to: "code") {
                    detail.code = string(value) ?? ""
                } else if name.isEqual(to: "message") {
                    detail.message = message(value)
                } else if name.isEqual(to: "target") {
                    detail.target = string(value)
                }
            }
            if isRead { details.append(detail) }
        }
        return details
    }
}

// MARK: - JSON

extension ODataErrorBody {
    /// The text of a string; nil for any other value.
    private static func string(_ value: Span<UInt8>) -> String? {
        guard value.count >= 2, value[0] == UInt8(ascii: "\"") else { return nil }
        var text: [UInt8] = []
        guard JSONString.unescape(value.extracting(1..<(value.count - 1)), into: &text) == nil
        else {
            return nil
        }
        return String(validating: text, as: UTF8.self)
    }

    private static func member(named names: [StaticString], of json: Span<UInt8>) -> Range<Int>? {
        var found: Range<Int>?
        _ = eachMemberRange(of: json) { name, range in
            if found == nil, names.contains(where: { name.isEqual(to: $0) }) { found = range }
        }
        return found
    }

    private static func eachMember(
        of json: Span<UInt8>,
        _ body: (Span<UInt8>, Span<UInt8>) -> Void
    ) -> Bool {
        eachMemberRange(of: json) { body($0, json.extracting($1)) }
    }

    /// Calls a function for each member of an object; false where it is none, or malformed.
    private static func eachMemberRange(
        of json: Span<UInt8>,
        _ body: (Span<UInt8>, Range<Int>) -> Void
    ) -> Bool {
        isRead(json) { cursor throws(PayloadFault) in
            try cursor.forEachMember { cursor, name throws(PayloadFault) in
                let value = try cursor.place(depth: 2, limit: maximumDepth)
                cursor.withSpan(name) { body($0, value) }
            }
        }
    }

    /// Calls a function for each item of an array; false where it is none, or malformed.
    private static func eachItem(of json: Span<UInt8>, _ body: (Span<UInt8>) -> Void) -> Bool {
        isRead(json) { cursor throws(PayloadFault) in
            try cursor.forEachItem { cursor throws(PayloadFault) in
                let item = try cursor.place(depth: 2, limit: maximumDepth)
                cursor.withSpan(from: item.lowerBound, to: item.upperBound, body: body)
            }
        }
    }

    /// Decodes as much of the error as possible: duplicate names are accepted.
    private static func isRead(
        _ json: Span<UInt8>,
        _ read: (inout ByteCursor) throws(PayloadFault) -> Void
    ) -> Bool {
        ByteCursor.with(json) { cursor in
            cursor.allowsDuplicateNames = true
            do throws(PayloadFault) {
                try read(&cursor)
                return true
            } catch {
                return false
            }
        }
    }
}

// MARK: - Other texts

extension ODataErrorBody {
    /// Text of a body that is no JSON is cut to this many bytes.
    private static let maximumTextBytes = 2_000

    private static func plainText(_ body: Span<UInt8>) -> String? {
        guard body.count > 0 else { return nil }
        let text = String(
            decoding: body.extracting(0..<min(body.count, maximumTextBytes)).copied(),
            as: UTF8.self
        )
        return text.unicodeScalars.contains { $0.value < 0x20 && !$0.properties.isWhitespace }
            ? nil : text
    }

    /// The text of `<message>` (JSON Verbose's XML sibling, MS-ODATA § 2.2.8.2), or of `<title>` in a page of HTML.
    private static func xmlMessage(_ body: Span<UInt8>) -> String? {
        xmlText(body, named: "message") ?? xmlText(body, named: "title")
    }

    /// The text of the first element of a name, with or without prefix; no reader of XML, but enough for a message.
    private static func xmlText(_ body: Span<UInt8>, named name: String) -> String? {
        var index = 0
        while index < body.count {
            guard body[index] == UInt8(ascii: "<") else {
                index += 1
                continue
            }
            let start = index + 1
            while index < body.count, body[index] != UInt8(ascii: ">") { index += 1 }
            guard index < body.count else { return nil }
            index += 1
            guard localName(body.extracting(start..<(index - 1)), is: name) else { continue }
            var end = index
            while end < body.count, body[end] != UInt8(ascii: "<") { end += 1 }
            let text = body.extracting(index..<min(end, index + maximumTextBytes)).copied()
            return unescapedXML(String(decoding: text, as: UTF8.self))
        }
        return nil
    }

    private static func localName(_ tag: Span<UInt8>, is name: String) -> Bool {
        var (start, end) = (0, 0)
        while end < tag.count, tag[end] > 0x20, tag[end] != UInt8(ascii: "/") {
            if tag[end] == UInt8(ascii: ":") { start = end + 1 }
            end += 1
        }
        return tag.extracting(start..<end).isEqual(to: name)
    }

    private static func unescapedXML(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        let entities: [(String, Character)] = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
        ]
        while let first = rest.first {
            if first == "&",
                let (entity, character) = entities.first(where: { rest.hasPrefix($0.0) })
            {
                result.append(character)
                rest = rest.dropFirst(entity.count)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
