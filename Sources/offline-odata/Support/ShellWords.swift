import CommandSupport
import OfflineOData

/// What a word of the shell's line can become: commands and their options, sets, properties, keys.
struct ShellWords: Sendable {
    let commands: [CommandSyntax]
    let sets: [OfflineODataSetDescription]
    /// Read links of some entities of a set.
    let keys: @Sendable (String) -> [String]

    /// Returns what of the last word is typed, and the words that begin with it.
    func candidates(for line: String) -> (typed: String, candidates: [String]) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let last = words.last ?? ""
        guard words.count > 1, let name = words.first else {
            let all = commands.map(\.name) + [".help", ".quit"]
            return matches(last, all)
        }
        if name == ".help" { return matches(last, commands.map(\.name)) }
        guard let command = commands.first(where: { $0.name == name }) else { return (last, []) }
        if last.hasPrefix("-") { return matches(last, command.allOptions.map { "--" + $0.name }) }
        return matchesInURL(last, in: words, command)
    }

    private func matches(_ typed: String, _ all: [String]) -> (String, [String]) {
        (typed, all.filter { $0.hasPrefix(typed) && $0 != typed }.sorted())
    }

    // MARK: URLs

    /// The name at the end of a URL: a set at its beginning, else a property of the set; keys behind a parenthesis.
    private func matchesInURL(
        _ word: String,
        in words: [String],
        _ command: CommandSyntax
    ) -> (String, [String]) {
        let isFirst = words.count == 2
        if isFirst, !word.contains(where: { "(/?".contains($0) }) {
            return matches(word, ShellCompletion.actions(of: command) + sets.map(\.name))
        }
        if isFirst, let open = word.firstIndex(of: "("), !word.contains(")") {
            return matches(word, keys(String(word[..<open])))
        }
        let typed = String(
            word.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
                .reversed()
        )
        guard let set = set(of: words[1]) else { return (typed, []) }
        let names = set.properties.map(\.name) + set.navigationProperties.map(\.name)
        return matches(typed, typed.hasPrefix("$") ? Self.options : Array(Set(names)))
    }

    private func set(of word: String) -> OfflineODataSetDescription? {
        let name = word.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return sets.first { $0.name == name }
    }

    private static let options = [
        "$apply", "$compute", "$count", "$expand", "$filter", "$orderby", "$search", "$select",
        "$skip", "$top", "$value",
    ]
}
