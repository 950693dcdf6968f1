import ODataTables

/// Finds local ids in the texts of requests.
enum LocalIDText {
    private static let start = "($local='"
    private static let end = "')"

    /// Whether a text may hold a local id, percent-encoded or not.
    static func isIn(_ text: String) -> Bool {
        text.contains("$local=") || text.contains("%24local=")
    }

    /// The parenthesis that stands for a key.
    static func predicate(_ id: LocalID) -> String { start + id.text + end }

    /// The local ids in a text, each once, in their order.
    static func ids(in text: String) -> [LocalID] {
        var found: [LocalID] = []
        var rest = text[...]
        while let mark = rest.firstRange(of: start) {
            rest = rest[mark.upperBound...]
            guard let id = LocalID(text: String(rest.prefix(32))), !found.contains(id) else {
                continue
            }
            found.append(id)
        }
        return found
    }
}
