/// Reads the JSON of answers for comparison; simple rather than fast.
struct JSONValueScanner {
    let bytes: [UInt8]
    var index = 0

    mutating func whole() throws -> JSONValue {
        let value = try value()
        skipSpace()
        guard index == bytes.count else { throw JSONValue.Malformed(offset: index) }
        return value
    }

    private mutating func value() throws -> JSONValue {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        default: return try word()
        }
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard peek == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws {
        guard take(character) else { throw JSONValue.Malformed(offset: index) }
    }

    private mutating func object() throws -> JSONValue {
        try expect("{")
        var members: [(name: String, value: JSONValue)] = []
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            let name = String(decoding: try string(), as: UTF8.self)
            try expect(":")
            members.append((name, try value()))
        } while take(",")
        try expect("}")
        return .object(members)
    }

    private mutating func array() throws -> JSONValue {
        try expect("[")
        var items: [JSONValue] = []
        if take("]") { return .array(items) }
        repeat { items.append(try value()) } while take(",")
        try expect("]")
        return .array(items)
    }

    private mutating func string() throws -> [UInt8] {
        try expect("\"")
        var result: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "\"") {
            index += 1
            if byte == UInt8(ascii: "\\") { try escape(into: &result) } else { result.append(byte) }
        }
        try expect("\"")
        return result
    }

    private mutating func escape(into result: inout [UInt8]) throws {
        guard let byte = peek else { throw JSONValue.Malformed(offset: index) }
        index += 1
        switch byte {
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "u"): try unicode(into: &result)
        default: result.append(byte)
        }
    }

    private mutating func unicode(into result: inout [UInt8]) throws {
        var code = try hexadecimal()
        if (0xD800..<0xDC00).contains(code) {
            index += 2
            code = 0x10000 + (code - 0xD800) << 10 + (try hexadecimal() - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw JSONValue.Malformed(offset: index) }
        result.append(contentsOf: String(Character(scalar)).utf8)
    }

    private mutating func hexadecimal() throws -> UInt32 {
        guard index + 4 <= bytes.count,
            let code = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else { throw JSONValue.Malformed(offset: index) }
        index += 4
        return code
    }

    private mutating func word() throws -> JSONValue {
        let start = index
        while let byte = peek, ![0x2C, 0x5D, 0x7D, 0x20, 0x0A].contains(byte) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let first = text.utf8.first else { throw JSONValue.Malformed(offset: start) }
        return first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
            ? .number(text) : .word(text)
    }
}
