/// Quotes names in SQL text; the only place that does.
enum SQLName {
    /// The name as a quoted identifier.
    static func quoted(_ name: String) -> String {
        // Hardly any name has a quotation mark, and names are quoted for every statement.
        guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
        var result = "\""
        for character in name.unicodeScalars {
            if character == "\"" {
                result += "\"\""
            } else {
                result.unicodeScalars.append(character)
            }
        }
        return result + "\""
    }
}

extension String {
    /// The name as a quoted SQL identifier.
    package var sqlQuoted: String { SQLName.quoted(self) }
    /// The name as a SQL text, where a table holds names.
    package var sqlText: String { "'" + replacing("'", with: "''") + "'" }
}
