import ODataURL

/// What the parser refuses although the grammar allows it.
enum ParserRestriction {
    /// An option or a name of an object given twice, bytes that are no UTF-8, half of a surrogate pair: the protocol's prose forbids
    /// them.
    case prose
    /// An ampersand inside a string or a media type, which ends the option.
    case ampersand
    /// The name of a system option without `$`: the grammar takes any value, as of a custom option.
    case plainName
    /// A plain `+`, which is a space.
    case plus
    /// An `@` in a path: it begins an alias or an annotation of an entity, never a key; annotations of properties are not read.
    case at
    /// A semicolon or quotation mark inside words of `$search`; the former ends an option inside parentheses.
    case search
    /// A key as a segment inside an expression; it stands in the path of a request only.
    case keySegment

    /// Returns the name of a difference, where the parser has found an error and the grammar has not; nil for a fault.
    static func of(_ text: String, _ error: ODataURLError) -> ParserRestriction? {
        // With the byte, or the escape, at the error.
        let read = String(decoding: text.utf8.prefix(error.offset + 3), as: UTF8.self)
        if error.code == .encoding || error.message.hasSuffix("given twice")
            || error.message.hasPrefix("unknown escape")
            || error.message.hasPrefix("the object has two members")
        {
            return .prose
        }
        if hasQuotedAmpersand(text) { return .ampersand }
        if read.contains("format="), text.contains(#/format=[^\/&]*&[^\/]*\//#) {
            return .ampersand
        }
        if read.contains(#/[?&](?:apply|compute|expand|filter|orderby|search|select)=[^&]*$/#) {
            return .plainName
        }
        if read.contains("+") { return .plus }
        if read.contains("@") || read.contains("%40") { return .at }
        if read.contains("$search="), read.contains("%3b") || read.contains("%22") {
            return .search
        }
        return read.contains(#/\)/[0-9%]/#) ? .keySegment : nil
    }

    private static func hasQuotedAmpersand(_ text: String) -> Bool {
        let plain = text.replacing("%27", with: "'").replacing("%22", with: "\"")
        return plain.indices.contains { place in
            plain[place] == "&"
                && ["'", "\""].contains { quote in
                    !plain[..<place].count { $0 == quote }.isMultiple(of: 2)
                }
        }
    }
}
