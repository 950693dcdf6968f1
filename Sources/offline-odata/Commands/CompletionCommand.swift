import CommandSupport
import ODataProtocol

/// `completion`: scripts that complete command lines in bash and zsh.
struct CompletionCommand: Command {
    static let name = "completion"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Prints the script that completes command lines in bash or zsh.",
        forms: ["bash|zsh [--json]"],
        operands: 1...1,
        options: [.json],
        notes: [
            "Commands, actions, options and the values of options that have a fixed set are completed; everything else as files.",
            "--json: shell, script.",
        ],
        examples: [
            .init(
                "bash, for good",
                line: "completion bash > ~/.local/share/bash-completion/completions/offline-odata"
            ),
            .init("zsh, in a directory of fpath", line: "completion zsh > ~/.zfunc/_offline-odata"),
        ]
    )

    private let shell: String
    private let script: String
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        let completion = ShellCompletion(commands: CommandCatalog.commands.map { $0.syntax })
        shell = arguments.operands[0]
        isJSON = arguments.has("json")
        switch shell {
        case "bash": script = completion.bash
        case "zsh": script = completion.zsh
        default:
            throw .usage("must be bash or zsh, not '\(shell)'")
        }
    }

    func run(_ terminal: Terminal) throws -> ExitStatus {
        try terminal.answer(isJSON ? json : Array(script.utf8))
        return .done
    }

    private var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("shell", value: shell)
        writer.member("script", value: script)
        writer.endObject()
        return writer.bytes + [0x0A]
    }
}
