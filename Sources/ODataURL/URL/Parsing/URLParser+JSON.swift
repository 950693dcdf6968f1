import ODataText

extension URLParser {
    /// Reads a JSON array, object or string (OData 4.01 ABNF, section 5); items may be any expression.
    mutating func json() throws(ODataURLError) -> WrittenExpression {
        let offset = scanner.offset
        switch scanner.next {
        case Byte.doubleQuote:
            return WrittenExpression(at: offset, .literal(WrittenLiteral(.json, try jsonString())))
        case UInt8(ascii: "["): return WrittenExpression(at: offset, .array(try jsonArray()))
        default: return WrittenExpression(at: offset, .object(try jsonObject()))
        }
    }

    private mutating func jsonArray() throws(ODataURLError) -> [WrittenExpression] {
        let closing = UInt8(ascii: "]")
        scanner.position += 1
        scanner.skipSpace()
        if scanner.take(closing) { return [] }
        var tallest = 0
        var items: [WrittenExpression] = []
        repeat {
            items.append(try expression())
            tallest = max(tallest, height)
        } while scanner.takeSpaced(Byte.comma)
        scanner.skipSpace()
        guard scanner.take(closing) else { throw scanner.fault(expected: ["','", "']'"]) }
        height = tallest
        try grow()
        return items
    }

    private mutating func jsonObject() throws(ODataURLError) -> [WrittenExpression.Member] {
        let closing = UInt8(ascii: "}")
        scanner.position += 1
        scanner.skipSpace()
        if scanner.take(closing) { return [] }
        var tallest = 0
        let members = try list { (parser) throws(ODataURLError) in
            let name = try parser.jsonString()
            guard parser.scanner.takeSpaced(Byte.colon) else {
                throw parser.scanner.fault(expected: ["':'"])
            }
            let value = try parser.expression()
            tallest = max(tallest, parser.height)
            return WrittenExpression.Member(name: name, value: value)
        }
        scanner.skipSpace()
        guard scanner.take(closing) else { throw scanner.fault(expected: ["','", "'}'"]) }
        height = tallest
        try grow()
        return members
    }

    /// Reads a string in double quotes and undoes its escapes (RFC 8259 § 7).
    mutating func jsonString() throws(ODataURLError) -> String {
        let opening = scanner.position
        guard scanner.take(Byte.doubleQuote) else {
            throw scanner.fault(expected: ["a string in double quotes"])
        }
        var value: [UInt8] = []
        while let byte = scanner.next {
            scanner.position += 1
            if byte == Byte.doubleQuote { return String(decoding: value, as: UTF8.self) }
            if byte == Byte.backslash {
                value += try escaped()
            } else {
                value.append(byte)
            }
        }
        throw scanner.fault(
            .syntax,
            "the string has no end",
            at: opening,
            expected: ["a closing double quote"]
        )
    }

    private mutating func escaped() throws(ODataURLError) -> [UInt8] {
        let place = scanner.position
        guard let mark = scanner.next else { throw scanner.fault(expected: ["an escape"]) }
        scanner.position += 1
        switch mark {
        case Byte.doubleQuote, Byte.backslash, Byte.slash: return [mark]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            if let scalar = unicodeEscape() { return Array(String(scalar).utf8) }
        default: break
        }
        throw scanner.fault(.syntax, "unknown escape in a string", at: place)
    }

    /// Reads four hexadecimal digits, and the second half of a surrogate pair.
    private mutating func unicodeEscape() -> Unicode.Scalar? {
        guard let high = fourDigits() else { return nil }
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard (0xD800...0xDBFF).contains(high), scanner.take(Byte.backslash),
            scanner.take(UInt8(ascii: "u")), let low = fourDigits(), (0xDC00...0xDFFF).contains(low)
        else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func fourDigits() -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = scanner.next.flatMap(ASCII.hexDigit) else { return nil }
            value = value << 4 | UInt32(digit)
            scanner.position += 1
        }
        return value
    }
}
