extension URLParser {
    /// Reads one segment of a resource path; what is no name is kept as text, since it may be a key.
    mutating func segment(isFirst: Bool) throws(ODataURLError) -> WrittenSegment {
        let offset = scanner.offset
        let text = scanner.string(0..<scanner.text.bytes.count)
        var segment = WrittenSegment(offset: offset, text: text, groups: [], crossjoin: [])
        do throws(ODataURLError) {
            try read(into: &segment)
        } catch {
            // A key as a segment may look like anything, except that it must not begin with a dollar sign.
            let isReserved = text.utf8.first == Byte.dollar
            guard !isFirst, !isReserved, error.code == .syntax else {
                throw isFirst && Self.isScheme(text) ? Self.absoluteURL(error) : error
            }
            segment.name = nil
            segment.groups = []
            segment.fault = error
        }
        return segment
    }

    private static func isScheme(_ text: String) -> Bool {
        ["http:", "https:"].contains(text.lowercased())
    }

    private static func absoluteURL(_ error: ODataURLError) -> ODataURLError {
        ODataURLError(
            error.code,
            at: error.offset,
            "a URL below the service root is expected, relative to it and without the root itself"
        )
    }

    private mutating func read(into segment: inout WrittenSegment) throws(ODataURLError) {
        var name = scanner.take(Byte.dollar) ? "$" : ""
        name += try scanner.qualifiedName()
        segment.name = name
        if name == "$crossjoin" {
            segment.crossjoin = try crossjoin()
        } else {
            while scanner.next == Byte.open { segment.groups.append(try arguments()) }
        }
        guard scanner.isAtEnd else { throw scanner.fault(expected: ["'/'", "the end"]) }
    }

    private mutating func crossjoin() throws(ODataURLError) -> [WrittenPathName] {
        try scanner.expect(Byte.open)
        let names = try list { (parser) throws(ODataURLError) in
            let offset = parser.scanner.offset
            return WrittenPathName(name: try parser.scanner.identifier(), offset: offset)
        }
        try scanner.expect(Byte.close)
        return names
    }
}
