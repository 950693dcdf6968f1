package import ODataSQL
import ODataText

/// Finds local ids in the texts of requests.
package enum LocalIDText {
    private static let start = "($local='"
    private static let end = "')"

    /// Whether a text holds a local id, percent-encoded or not; that it speaks of local ids is no reason to keep it back.
    package static func isIn(_ text: String) -> Bool {
        ["$local=", "%24local="].contains { isIn(text, behind: $0) }
    }

    private static func isIn(_ text: String, behind name: String) -> Bool {
        var rest = text[...]
        while let end = rest.firstRange(ofASCII: name)?.upperBound {
            rest = rest[end...]
            let id = rest.hasPrefix("%27") ? rest.dropFirst("%27".count) : rest.dropFirst()
            if LocalID(text: String(id.prefix(32))) != nil { return true }
        }
        return false
    }

    /// The parenthesis that stands for a key.
    package static func predicate(_ id: LocalID) -> String { start + id.text + end }

    /// The local ids in a text, each once, in their order.
    package static func ids(in text: String) -> [LocalID] {
        var found: [LocalID] = []
        var rest = text[...]
        while let mark = rest.firstRange(ofASCII: start) {
            rest = rest[mark.upperBound...]
            guard let id = LocalID(text: String(rest.prefix(32))), !found.contains(id) else {
                continue
            }
            found.append(id)
        }
        return found
    }
}
