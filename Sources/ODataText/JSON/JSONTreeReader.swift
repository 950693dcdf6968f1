/// Reads a JSON text (RFC 8259) into nodes, strictly, with the line of each.
///
/// Nothing is repaired: a byte that the grammar does not allow, a name that comes twice in an object, a value nested too
/// deep or anything behind the document ends the reading.
package struct JSONTreeReader {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position: Int
    private var line: Int
    private var lineStart: Int

    private init(_ bytes: [UInt8], from offset: Int, line: Int, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.line = line
        position = offset
        lineStart = offset
    }

    /// Reads the whole text from an offset on.
    package static func read(
        _ bytes: [UInt8],
        from offset: Int,
        line: Int,
        maximumDepth: Int
    ) throws(JSONFault) -> JSONNode {
        var reader = JSONTreeReader(bytes, from: offset, line: line, maximumDepth: maximumDepth)
        let node = try reader.value(depth: 1)
        reader.skipSpace()
        if reader.position < bytes.count {
            throw reader.fault("the end of the document is expected")
        }
        return node
    }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func fault(_ message: String) -> JSONFault {
        JSONFault(
            message: "Not well-formed JSON: \(message).",
            line: line,
            column: position - lineStart + 1,
            isLimit: false
        )
    }

    private mutating func skipSpace() {
        while let byte {
            switch byte {
            case 0x0A:
                line += 1
                lineStart = position + 1
            case 0x20, 0x09, 0x0D: break
            default: return
            }
            position += 1
        }
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONNode {
        guard depth <= maximumDepth else {
            throw JSONFault(
                message: "Values are nested deeper than the limits allow.",
                line: line,
                column: nil,
                isLimit: true
            )
        }
        skipSpace()
        let (line, start) = (line, position)
        let value = try content(depth: depth)
        return JSONNode(value: value, line: line, range: start..<position)
    }

    private mutating func content(depth: Int) throws(JSONFault) -> JSONNode.Value {
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", value: .bool(true))
        case UInt8(ascii: "f"): return try word("false", value: .bool(false))
        case UInt8(ascii: "n"): return try word("null", value: .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: String, value: JSONNode.Value) throws(JSONFault)
        -> JSONNode.Value
    {
        guard bytes[position...].starts(with: word.utf8) else {
            throw fault("a value is expected")
        }
        position += word.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSONNode.Value {
        position += 1
        var members: [JSONNode.Member] = []
        // Not of `String`, to which a composed and a decomposed letter are one.
        var names: Set<[UInt8]> = []
        skipSpace()
        if byte == UInt8(ascii: "}") {
            position += 1
            return .object([])
        }
        while true {
            skipSpace()
            guard byte == UInt8(ascii: "\"") else { throw fault("a member name is expected") }
            let name = try string()
            guard names.insert(Array(name.utf8)).inserted else {
                throw fault("the member '\(name)' comes twice in one object")
            }
            skipSpace()
            guard byte == UInt8(ascii: ":") else { throw fault("a ':' is expected") }
            position += 1
            members.append(JSONNode.Member(name: name, value: try value(depth: depth + 1)))
            skipSpace()
            if byte == UInt8(ascii: "}") { break }
            guard byte == UInt8(ascii: ",") else { throw fault("a ',' or '}' is expected") }
            position += 1
        }
        position += 1
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONFault) -> JSONNode.Value {
        position += 1
        var items: [JSONNode] = []
        skipSpace()
        if byte == UInt8(ascii: "]") {
            position += 1
            return .array([])
        }
        while true {
            items.append(try value(depth: depth + 1))
            skipSpace()
            if byte == UInt8(ascii: "]") { break }
            guard byte == UInt8(ascii: ",") else { throw fault("a ',' or ']' is expected") }
            position += 1
        }
        position += 1
        return .array(items)
    }
}

// MARK: - Numbers

extension JSONTreeReader {
    private mutating func number() throws(JSONFault) -> String {
        let start = position
        if byte == UInt8(ascii: "-") { position += 1 }
        if byte == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if byte == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONFault) {
        let start = position
        while let byte, byte >= 0x30, byte <= 0x39 { position += 1 }
        if position == start { throw fault("a value is expected") }
    }
}

// MARK: - Strings

extension JSONTreeReader {
    private mutating func string() throws(JSONFault) -> String {
        position += 1
        let start = position
        var hasEscapes = false
        while let byte, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw fault("a control character stands in a string") }
            let isEscape = byte == UInt8(ascii: "\\")
            hasEscapes = hasEscapes || isEscape
            position += isEscape ? 2 : 1
        }
        guard position < bytes.count else { throw fault("a string has no end") }
        let content = bytes[start..<position]
        defer { position += 1 }
        return try text(hasEscapes ? unescaped(content) : Array(content))
    }

    private func text(_ bytes: [UInt8]) throws(JSONFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw fault("a string is no UTF-8")
        }
        return text
    }

    private func unescaped(_ content: ArraySlice<UInt8>) throws(JSONFault) -> [UInt8] {
        var plain: [UInt8] = []
        if let offset = JSONString.unescape(content.span, into: &plain) {
            throw JSONFault(
                message: "Not well-formed JSON: an escape stands for no character.",
                line: line,
                column: content.startIndex + offset - lineStart + 1,
                isLimit: false
            )
        }
        return plain
    }
}
