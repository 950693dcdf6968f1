/// Text of XML documents.
package enum XMLText {
    /// Returns a text as it stands between tags and in attributes in double quotation marks (XML 1.0 § 2.4).
    ///
    /// White space that readers would change is written as references (§§ 2.11, 3.3.3). XML 1.0 has no other control characters:
    /// in what is read as text by people they are replaced, in data they stay and the reader refuses them.
    package static func escaped(
        _ text: some StringProtocol,
        replacesControls: Bool = false
    ) -> String {
        guard text.utf8.contains(where: mustBeEscaped) else { return String(text) }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case _ where scalar.value < 0x20:
                result += replacesControls ? "\u{FFFD}" : "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<")
            || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"")
    }
}
