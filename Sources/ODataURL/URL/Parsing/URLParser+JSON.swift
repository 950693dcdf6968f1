import ODataText

extension URLParser {
    /// Reads a JSON array or object (OData 4.01 ABNF, section 5); items may be any expression.
    mutating func json() throws(ODataURLError) -> WrittenExpression {
        let offset = scanner.offset
        return scanner.next == UInt8(ascii: "[")
            ? WrittenExpression(at: offset, .array(try jsonArray()))
            : WrittenExpression(at: offset, .object(try jsonObject()))
    }

    /// Reads an item of JSON: a string in double quotes, which is no expression anywhere else, or an expression.
    private mutating func jsonItem() throws(ODataURLError) -> WrittenExpression {
        guard scanner.next == Byte.doubleQuote else { return try expression() }
        let offset = scanner.offset
        height = 0
        return WrittenExpression(at: offset, .literal(WrittenLiteral(.json, try jsonString())))
    }

    private mutating func jsonArray() throws(ODataURLError) -> [WrittenExpression] {
        let closing = UInt8(ascii: "]")
        scanner.position += 1
        scanner.skipSpace()
        if scanner.take(closing) { return [] }
        var tallest = 0
        var items: [WrittenExpression] = []
        repeat {
            items.append(try jsonItem())
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
        var names: Set<[UInt8]> = []
        let members = try list { (parser) throws(ODataURLError) in
            let place = parser.scanner.position
            let name = try parser.jsonString()
            guard names.insert(Array(name.utf8)).inserted else {
                throw parser.scanner.fault(
                    .syntax,
                    "the object has two members '\(name)'",
                    at: place
                )
            }
            guard parser.scanner.takeSpaced(Byte.colon) else {
                throw parser.scanner.fault(expected: ["':'"])
            }
            let value = try parser.jsonItem()
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
        let start = scanner.position
        while let byte = scanner.next, byte != Byte.doubleQuote {
            scanner.position += byte == Byte.backslash && scanner.byte(1) != nil ? 2 : 1
        }
        let value = try unescaped(start..<scanner.position)
        guard scanner.take(Byte.doubleQuote) else {
            throw scanner.fault(
                .syntax,
                "the string has no end",
                at: opening,
                expected: ["a closing double quote"]
            )
        }
        return value
    }

    private mutating func unescaped(_ range: Range<Int>) throws(ODataURLError) -> String {
        let written = scanner.text.bytes[range]
        guard written.contains(Byte.backslash) else {
            return String(decoding: written, as: UTF8.self)
        }
        var value: [UInt8] = []
        if let offset = JSONString.unescape(written.span, into: &value) {
            scanner.position = range.lowerBound + offset + 1
            guard !scanner.isAtEnd else { throw scanner.fault(expected: ["an escape"]) }
            throw scanner.fault(.syntax, "unknown escape in a string", at: scanner.position)
        }
        return String(decoding: value, as: UTF8.self)
    }
}
