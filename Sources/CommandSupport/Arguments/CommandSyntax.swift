/// What a command is called, takes and does: the argument reader and the help are made of it.
public struct CommandSyntax: Sendable {
    /// A command line and what it is for.
    public struct Example: Sendable {
        var purpose: String
        /// What follows the program's name.
        var line: String

        /// A command line that serves a purpose; `line` is what follows the program's name.
        public init(_ purpose: String, line: String) {
            self.purpose = purpose
            self.line = line
        }
    }

    /// One or two words.
    public var name: String
    /// What it does, one sentence.
    public var summary: String
    /// What can follow the name, one line each.
    public var forms: [String]
    /// How many operands it takes.
    public var operands: ClosedRange<Int>
    /// Whether an operand may begin with one dash, as negative numbers do.
    var operandsMayBeginWithDash = false
    /// The options that it takes.
    public var options: [OptionSyntax] = []
    /// What one should know besides, a paragraph each.
    public var notes: [String] = []
    /// Command lines that work as they stand, with what they do.
    public var examples: [Example]

    /// The syntax of one command.
    public init(
        name: String,
        summary: String,
        forms: [String],
        operands: ClosedRange<Int>,
        operandsMayBeginWithDash: Bool = false,
        options: [OptionSyntax] = [],
        notes: [String] = [],
        examples: [Example]
    ) {
        self.name = name
        self.summary = summary
        self.forms = forms
        self.operands = operands
        self.operandsMayBeginWithDash = operandsMayBeginWithDash
        self.options = options
        self.notes = notes
        self.examples = examples
    }

    /// Options of this command and those that it has in common with others.
    public var allOptions: [OptionSyntax] {
        options + (opensStore ? [StoreKeyOption.syntax] : []) + LogFile.options
    }

    /// Whether the command opens a store: its forms name one.
    var opensStore: Bool { forms.contains { $0.split(separator: " ").contains("STORE") } }

    /// The names of the operands in the first form, without options and what may be left out.
    var operandNames: [String] {
        var names: [String] = []
        var depth = 0
        for word in (forms.first ?? "").split(separator: " ") {
            let isOptional = depth > 0 || word.hasPrefix("[")
            depth += word.count { $0 == "[" } - word.count { $0 == "]" }
            guard !isOptional else { continue }
            names.append(String(word))
        }
        // An option takes the word behind it.
        while let option = names.firstIndex(where: { $0.hasPrefix("--") }) {
            names.removeSubrange(option..<min(option + 2, names.count))
        }
        return names.map { $0.replacing("...", with: "") }
    }

    /// Returns the option of a name.
    public func option(named name: String) -> OptionSyntax? {
        allOptions.first { $0.name == name }
    }
}

// MARK: - Help

extension CommandSyntax {
    /// The program's name.
    public static let program = "offline-odata"

    /// Everything that a person needs to use the command.
    public var help: String {
        var lines = forms.flatMap {
            HelpText.wrapped("\(Self.program) \(name) \($0)", indent: 8)
        }
        lines += [""] + HelpText.wrapped(summary)
        for note in notes { lines += [""] + HelpText.wrapped(note) }
        lines += ["", "Options:"] + optionLines
        lines += ["", examples.count == 1 ? "Example:" : "Examples:"]
        for example in examples {
            lines += ["  # \(example.purpose)", "  \(Self.program) \(example.line)"]
        }
        return lines.joined(separator: "\n")
    }

    private var optionLines: [String] {
        HelpText.table(allOptions.map { ($0.form, $0.help) })
    }
}
