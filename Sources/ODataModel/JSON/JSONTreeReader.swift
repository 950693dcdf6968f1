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
    ) throws(CSDLError) -> JSONNode {
        var reader = JSONTreeReader(bytes, from: offset, line: line, maximumDepth: maximumDepth)
        let node = try reader.value(depth: 1)
        reader.skipSpace()
        if reader.position < bytes.count {
            throw reader.fault("the end of the document is expected")
        }
        return node
    }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func fault(_ message: String) -> CSDLError {
        CSDLError(
            .malformed,
            "Not well-formed JSON: \(message).",
            line: line,
            column: position - lineStart + 1
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

    private mutating func value(depth: Int) throws(CSDLError) -> JSONNode {
        guard depth <= maximumDepth else {
            throw CSDLError(.limit, "Values are nested deeper than the limits allow.", line: line)
        }
        skipSpace()
        let line = line
        switch byte {
        case UInt8(ascii: "{"): return JSONNode(value: try object(depth: depth), line: line)
        case UInt8(ascii: "["): return JSONNode(value: try array(depth: depth), line: line)
        case UInt8(ascii: "\""): return JSONNode(value: .string(try string()), line: line)
        case UInt8(ascii: "t"): return try word("true", value: .bool(true))
        case UInt8(ascii: "f"): return try word("false", value: .bool(false))
        case UInt8(ascii: "n"): return try word("null", value: .null)
        default: return JSONNode(value: .number(try number()), line: line)
        }
    }

    private mutating func word(_ word: String, value: JSONNode.Value) throws(CSDLError)
        -> JSONNode
    {
        guard bytes[position...].starts(with: word.utf8) else {
            throw fault("a value is expected")
        }
        position += word.utf8.count
        return JSONNode(value: value, line: line)
    }

    private mutating func object(depth: Int) throws(CSDLError) -> JSONNode.Value {
        position += 1
        var members: [JSONNode.Member] = []
        var names: Set<String> = []
        skipSpace()
        if byte == UInt8(ascii: "}") {
            position += 1
            return .object([])
        }
        while true {
            skipSpace()
            guard byte == UInt8(ascii: "\"") else { throw fault("a member name is expected") }
            let name = try string()
            guard names.insert(name).inserted else {
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

    private mutating func array(depth: Int) throws(CSDLError) -> JSONNode.Value {
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
    private mutating func number() throws(CSDLError) -> String {
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

    private mutating func digits() throws(CSDLError) {
        let start = position
        while let byte, byte >= 0x30, byte <= 0x39 { position += 1 }
        if position == start { throw fault("a value is expected") }
    }
}

// MARK: - Strings

extension JSONTreeReader {
    private mutating func string() throws(CSDLError) -> String {
        position += 1
        let start = position
        while let byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            position += 1
        }
        if byte == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try text(Array(bytes[start..<position]))
        }
        return try escapedString(Array(bytes[start..<position]))
    }

    private func text(_ bytes: [UInt8]) throws(CSDLError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw fault("a string is no UTF-8")
        }
        return text
    }

    private mutating func escapedString(_ beginning: [UInt8]) throws(CSDLError) -> String {
        var content = beginning
        while let byte {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(content)
            case UInt8(ascii: "\\"): try escape(into: &content)
            case 0..<0x20: throw fault("a control character stands in a string")
            default: content.append(byte)
            }
        }
        throw fault("a string has no end")
    }

    private mutating func escape(into content: inout [UInt8]) throws(CSDLError) {
        guard let byte else { throw fault("a string has no end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content.append(contentsOf: String(try scalar()).utf8)
        default: throw fault("'\\' stands before a character that needs none")
        }
    }

    /// Reads what follows `\u`, with the second half where the first one is a surrogate.
    private mutating func scalar() throws(CSDLError) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, byte == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw fault("half of a surrogate pair stands alone") }
        position += 2
        let second = try hexadecimal()
        guard second >= 0xDC00, second < 0xE000,
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw fault("half of a surrogate pair stands alone") }
        return scalar
    }

    private mutating func hexadecimal() throws(CSDLError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault("four hexadecimal digits are expected")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
