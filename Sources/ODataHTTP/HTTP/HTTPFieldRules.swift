/// What header fields may hold (RFC 9110 § 5).
package enum HTTPFieldRules {
    /// Whether a text can be the name of a field: a token.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(HTTPFieldScanner.isTokenByte)
    }

    /// Whether a text can be the value of a field: no control characters but tabs.
    package static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy(isOfValue) }

    /// Returns a text with a space in the place of each byte that no value may hold.
    package static func cleaned(_ text: String) -> String {
        guard !isValue(text) else { return text }
        return String(
            decoding: text.utf8.map { isOfValue($0) ? $0 : UInt8(ascii: " ") },
            as: UTF8.self
        )
    }

    private static func isOfValue(_ byte: UInt8) -> Bool {
        byte == 0x09 || byte >= 0x20 && byte != 0x7F
    }
}
