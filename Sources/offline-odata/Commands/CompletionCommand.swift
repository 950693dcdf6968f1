import CommandSupport

/// `completion`: scripts that complete command lines in bash and zsh.
struct CompletionCommand: Command {
    static let syntax = CommandSyntax(
        name: "completion",
        summary: "Prints the script that completes command lines in bash or zsh.",
        forms: ["bash|zsh"],
        operands: 1...1,
        notes: [
            "Commands, actions, options and the values of options that have a fixed set are completed; everything else as files."
        ],
        examples: [
            .init(
                "bash, for good",
                line: "completion bash > ~/.local/share/bash-completion/completions/offline-odata"
            ),
            .init("zsh, in a directory of fpath", line: "completion zsh > ~/.zfunc/_offline-odata"),
        ]
    )

    private let script: String

    init(_ arguments: Arguments) throws(CommandFailure) {
        let completion = ShellCompletion(commands: CommandCatalog.commands.map { $0.syntax })
        switch arguments.operands[0] {
        case "bash": script = completion.bash
        case "zsh": script = completion.zsh
        default:
            throw .usage("must be bash or zsh, not '\(arguments.operands[0])'")
        }
    }

    func run(_ terminal: Terminal) throws -> ExitStatus {
        try terminal.answer(Array(script.utf8))
        return .done
    }
}
