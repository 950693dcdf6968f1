import ODataURL

/// What the parser refuses although the grammar allows it.
enum ParserRestriction {
    /// Returns whether a refusal is one on purpose.
    ///
    /// The protocol's prose forbids an option given twice, bytes that are no UTF-8, half of a surrogate pair, and an ampersand inside a
    /// string. A plain `+` is a space to us. A semicolon ends an option inside parentheses, also inside words of `$search`. An `@` in a
    /// path begins an alias or an annotation of an entity, never a key, and annotations of properties are not read. A key as a segment
    /// stands in the path of a request, not inside expressions.
    static func explains(_ error: ODataURLError, _ text: String) -> Bool {
        if error.code == .encoding || error.message.hasSuffix("given twice")
            || error.message.hasPrefix("unknown escape")
        {
            return true
        }
        if ["&", "+", "@", "%40"].contains(where: text.contains) { return true }
        if text.contains("$search=") { return text.contains("%3b") || text.contains("%22") }
        return text.contains(#/\)/[0-9%]/#)
    }
}
