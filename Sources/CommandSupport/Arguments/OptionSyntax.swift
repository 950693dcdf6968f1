/// An option that a command understands.
public struct OptionSyntax: Sendable {
    /// Name without its two dashes.
    public var name: String
    /// What stands for the value in the help; nil for an option without value.
    public var placeholder: String?
    /// What it does, one line.
    var help: String
    /// Whether it can be given more than once.
    var isRepeatable: Bool
    /// The values that a shell offers, where the placeholder does not list them.
    public var values: [String] = []

    private init(_ name: String, placeholder: String?, help: String, isRepeatable: Bool) {
        self.name = name
        self.placeholder = placeholder
        self.help = help
        self.isRepeatable = isRepeatable
    }

    /// Returns the option with values that a shell offers.
    public func offering(_ values: [String]) -> OptionSyntax {
        var option = self
        option.values = values
        return option
    }

    /// An option without a value.
    public static func flag(_ name: String, help: String) -> OptionSyntax {
        OptionSyntax(name, placeholder: nil, help: help, isRepeatable: false)
    }

    /// An option with a value, given once.
    public static func value(_ name: String, placeholder: String, help: String) -> OptionSyntax {
        OptionSyntax(name, placeholder: placeholder, help: help, isRepeatable: false)
    }

    /// An option with a value that can be given several times.
    public static func list(_ name: String, placeholder: String, help: String) -> OptionSyntax {
        OptionSyntax(
            name,
            placeholder: placeholder,
            help: help + " (repeatable)",
            isRepeatable: true
        )
    }

    /// The option as the help shows it: `--name VALUE`.
    var form: String { "--" + name + (placeholder.map { " " + $0 } ?? "") }

    /// Asks that a change is merged into one of the same entity that waits.
    public static let optimize = flag(
        "optimize",
        help:
            "merge the change into a waiting one of the same entity; a deletion cancels a waiting creation"
    )

    /// Options whose value is a file that the command writes.
    static let writtenFiles: Set<String> = ["output", "har", "log", "report"]

    /// Asks for the answer as JSON.
    public static let json = flag(
        "json",
        help: "one JSON document on standard output, nothing else"
    )
    /// The same for commands whose answer is OData JSON anyway: a script may ask every command alike.
    public static let answersJSON = flag(
        "json",
        help: "OData JSON, which is answered anyway; null where there is no content"
    )
}
