import ODataProtocol

/// Reads the words after a command's name.
///
/// `--name value` and `--name=value`; `--` ends the options; a single dash is an operand (standard input).
public struct ArgumentReader: Sendable {
    private let syntax: CommandSyntax
    private var words: ArraySlice<String>
    private var result = Arguments()

    private init(_ words: ArraySlice<String>, syntax: CommandSyntax) {
        self.words = words
        self.syntax = syntax
    }

    /// Returns what the words say.
    ///
    /// - Throws: ``CommandFailure`` (invalid) that names the word and the nearest one that is known.
    public static func read(_ words: ArraySlice<String>, syntax: CommandSyntax)
        throws(CommandFailure)
        -> Arguments
    {
        var reader = ArgumentReader(words, syntax: syntax)
        try reader.readAll()
        try reader.checkCount()
        try reader.checkFiles()
        return reader.result
    }

    /// Whether the words ask for help, before any `--`.
    public static func asksForHelp(_ words: ArraySlice<String>) -> Bool {
        words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    /// Whether the words ask for JSON, before any `--`; also those of a command that does not know the option, or of none.
    public static func asksForJSON(_ words: ArraySlice<String>) -> Bool {
        words.prefix { $0 != "--" }.contains("--json")
    }

    private mutating func readAll() throws(CommandFailure) {
        while let word = words.popFirst() {
            if word == "--" {
                result.operands += words
                return
            }
            if word.hasPrefix("--") {
                try readOption(word)
            } else if word.hasPrefix("-"), word.utf8.count > 1, !syntax.operandsMayBeginWithDash {
                throw .usage(
                    "unknown option \(word)",
                    advice: "Options have two dashes; see \(hint)."
                )
            } else {
                result.operands.append(word)
            }
        }
    }

    /// Refuses to write a file over a store that the command opens; the mark of an encrypted one is not in its file.
    private func checkFiles() throws(CommandFailure) {
        guard syntax.opensStore else { return }
        let files = syntax.allOptions.map(\.name).filter(OptionSyntax.writtenFiles.contains)
        for name in files {
            guard let path = result.value(name),
                result.operands.contains(where: { FileBytes.isSameFile($0, path) })
            else { continue }
            throw .usage("--\(name) would write over \(path), which the command works on")
        }
        for (place, operand) in result.operands.enumerated()
        where result.operands[..<place].contains(where: { FileBytes.isSameFile($0, operand) }) {
            throw .usage("\(operand) is named twice")
        }
    }

    private mutating func readOption(_ word: String) throws(CommandFailure) {
        let body = word.dropFirst(2)
        let equals = body.firstIndex(of: "=")
        let name = String(body[..<(equals ?? body.endIndex)])
        guard let option = syntax.option(named: name) else { throw unknown(name) }
        let attached = equals.map { String(body[body.index(after: $0)...]) }
        guard option.placeholder != nil else {
            guard attached == nil else { throw .usage("--\(name) takes no value") }
            return result.set(name)
        }
        guard let value = attached ?? words.popFirst() else {
            throw .usage("--\(name) needs a value: \(option.form)")
        }
        guard option.isRepeatable || result.value(name) == nil else {
            throw .usage("--\(name) is given twice")
        }
        result.append(value, to: name)
    }

    private func unknown(_ name: String) -> CommandFailure {
        let nearest = NearestName.of(name, among: syntax.allOptions.map(\.name))
        let question = nearest.map { "; did you mean --\($0)?" } ?? ""
        return .usage("unknown option --\(name)\(question)", advice: "See \(hint).")
    }

    private func checkCount() throws(CommandFailure) {
        let count = result.operands.count
        guard !syntax.operands.contains(count) else { return }
        let usage = syntax.forms.map { "\(CommandSyntax.program) \(syntax.name) \($0)" }
        let what =
            count < syntax.operands.lowerBound
            ? "missing argument" + (missing.map { ": \($0)" } ?? "")
            : "unexpected '\(result.operands[syntax.operands.upperBound])'"
        throw .usage(what, advice: "Usage: " + usage.joined(separator: "\n       "))
    }

    /// The name of the first operand that was not given, as the first form of the command writes it; all where it is an action.
    private var missing: String? {
        let names = syntax.operandNames
        guard names.indices.contains(result.operands.count) else { return nil }
        let name = names[result.operands.count]
        guard result.operands.isEmpty, name == name.lowercased() else { return name }
        let actions = syntax.forms.compactMap { $0.split(separator: " ").first.map(String.init) }
        return "one of " + actions.joined(separator: ", ")
    }

    private var hint: String { "`\(CommandSyntax.program) \(syntax.name) --help`" }
}
