import ODataText

/// An operator as other languages write it, where one of OData is wanted.
enum ForeignOperator {
    /// Longest word that is looked at.
    private static let longestWord = 8

    private static let words: [String: String] = [
        "=": "eq", "==": "eq", "===": "eq", "!=": "ne", "!==": "ne", "<>": "ne",
        ">": "gt", ">=": "ge", "=>": "ge", "<": "lt", "<=": "le", "=<": "le",
        "&": "and", "&&": "and", "|": "or", "||": "or",
        "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod",
        "is": "eq", "equals": "eq", "not": "ne", "like": "contains(…)", "xor": "ne",
    ]

    private static let names = [
        "and", "or", "eq", "ne", "gt", "ge", "lt", "le", "has", "in", "add", "sub", "mul", "div",
        "divby", "mod",
    ]

    /// Returns what OData has for the word or the signs that a text begins with; nil where nothing is near.
    static func meaning(of text: ArraySlice<UInt8>) -> String? {
        guard let first = text.first, first > 0x20 else { return nil }
        let isWord = ASCII.isLetter(first)
        let end =
            text.firstIndex {
                isWord ? !ASCII.isLetter($0) : !"=!<>&|+-*/%".utf8.contains($0)
            } ?? text.endIndex
        guard end > text.startIndex, end - text.startIndex <= longestWord else { return nil }
        let word = String(decoding: text[..<end], as: UTF8.self).lowercased()
        return words[word] ?? (isWord ? NearestName.of(word, among: names) : nil)
    }
}
