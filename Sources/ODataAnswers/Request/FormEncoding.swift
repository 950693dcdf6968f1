/// Queries as web forms encode them: `+` for a space (`application/x-www-form-urlencoded`).
///
/// In a URL a plus sign is a plus sign (RFC 3986 § 2.2), and is read as one first. Many HTTP libraries encode query
/// options as forms, though; a real plus sign is then `%2B`.
enum FormEncoding {
    /// Returns the URL with each `+` of its query as a space; nil where the query is not encoded as a form.
    static func spaces(in url: String) -> String? {
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let query = url.utf8[mark...]
        // A form never has `%20`.
        guard query.contains(UInt8(ascii: "+")), !Substring(query).contains("%20") else {
            return nil
        }
        var text = Array(url.utf8[..<mark])
        for byte in query {
            if byte == UInt8(ascii: "+") { text += Array("%20".utf8) } else { text.append(byte) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the place in a URL of what stands at an offset in it with its spaces encoded.
    static func offset(of place: Int, in url: String) -> Int {
        let bytes = Array(url.utf8)
        let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        var encoded = 0
        for (offset, byte) in bytes.enumerated() {
            guard encoded < place else { return offset }
            encoded += offset >= mark && byte == UInt8(ascii: "+") ? "%20".utf8.count : 1
        }
        return bytes.count
    }
}
