public import OfflineOData

/// What a word of the shell's line can become: commands and their options, sets, properties, keys.
public struct ShellWords: Sendable {
    private let commands: [CommandSyntax]
    private let sets: [OfflineODataSetDescription]
    private let keys: @Sendable (String) -> [String]
    private let operands: @Sendable (_ command: String, _ action: String) -> [String]

    /// Takes what words can be.
    ///
    /// - Parameters:
    ///   - keys: Gives read links of some entities of a set.
    ///   - operands: Gives what an action of a command can be about, such as numbers of requests; none where that is something else.
    public init(
        commands: [CommandSyntax],
        sets: [OfflineODataSetDescription],
        keys: @escaping @Sendable (String) -> [String],
        operands: @escaping @Sendable (_ command: String, _ action: String) -> [String] = { _, _ in
            []
        }
    ) {
        (self.commands, self.sets, self.keys) = (commands, sets, keys)
        self.operands = operands
    }

    /// What a word can become.
    public struct Completion: Sendable, Equatable {
        /// What of it is typed.
        public var typed: String
        /// The words that begin with it.
        public var candidates: [String]
        /// What stands behind the only candidate: a space where the word is complete, nothing where it may go on.
        public var ending = ""
    }

    /// Returns what the last word of a line can become.
    public func candidates(for line: String) -> Completion {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let last = words.last ?? ""
        guard words.count > 1, let name = words.first else {
            return matches(last, commands.map(\.name) + [".help", ".quit"], ending: " ")
        }
        if name == ".help" { return matches(last, commands.map(\.name), ending: " ") }
        guard let command = commands.first(where: { $0.name == name }) else {
            return Completion(typed: last, candidates: [])
        }
        if last.hasPrefix("-") {
            return matches(last, command.allOptions.map { "--" + $0.name }, ending: " ")
        }
        if let option = command.allOptions.first(where: { "--" + $0.name == words.dropLast().last }
        ),
            option.placeholder != nil
        {
            return matches(last, ShellCompletion.values(of: option), ending: " ")
        }
        return matchesInOperand(last, in: words, command)
    }

    private func matches(_ typed: String, _ all: [String], ending: String = "") -> Completion {
        Completion(
            typed: typed,
            candidates: all.filter { $0.hasPrefix(typed) && $0 != typed }.sorted(),
            ending: ending
        )
    }

    // MARK: Operands

    /// An action, or the name at the end of a URL: a set at its beginning, else a property of the set; keys behind a parenthesis.
    private func matchesInOperand(
        _ word: String,
        in words: [String],
        _ command: CommandSyntax
    ) -> Completion {
        let isFirst = words.count == 2
        let actions = ShellCompletion.actions(of: command)
        if isFirst, !actions.isEmpty { return matches(word, actions, ending: " ") }
        if isFirst, !word.contains(where: { "(/?".contains($0) }) {
            return matches(word, sets.map(\.name))
        }
        if isFirst, let open = word.firstIndex(of: "("), !word.contains(")") {
            return matches(word, keys(String(word[..<open])))
        }
        if words.count == 3, !actions.isEmpty {
            let known = operands(command.name, words[1])
            if !known.isEmpty { return matches(word, known, ending: " ") }
        }
        let choices = ShellCompletion.choices(of: command)
        if !isFirst, !choices.isEmpty { return matches(word, choices, ending: " ") }
        // Files are not looked at.
        guard !word.hasPrefix("@") else { return Completion(typed: word, candidates: []) }
        return matchesInURL(word, of: words[1])
    }

    private func matchesInURL(_ word: String, of url: String) -> Completion {
        let typed = String(
            word.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
                .reversed()
        )
        guard let set = set(of: url) else { return Completion(typed: typed, candidates: []) }
        if typed.hasPrefix("$") {
            let isInPath = !word.contains("?")
            return matches(
                typed,
                isInPath ? ["$count", "$value"] : Self.options,
                ending: isInPath ? "" : "="
            )
        }
        let names = Set(set.properties.map(\.name) + set.navigationProperties.map(\.name))
        // The name of a member of a body stands in quotation marks.
        let isMember = word.dropLast(typed.count).last == "\""
        return matches(typed, Array(names), ending: isMember ? "\":" : "")
    }

    private func set(of word: String) -> OfflineODataSetDescription? {
        let name = word.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return sets.first { $0.name == name }
    }

    private static let options = [
        "$apply", "$compute", "$count", "$expand", "$filter", "$orderby", "$search", "$select",
        "$skip", "$top",
    ]
}
