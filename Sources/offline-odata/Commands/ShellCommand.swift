/// `shell`: commands on one store, line by line.
struct ShellCommand: Command {
    static let syntax = CommandSyntax(
        name: "shell",
        summary: "Reads commands on one store from the keyboard or from standard input.",
        forms: ["STORE"],
        operands: 1...1,
        notes: [
            "A line is a command without the store: `get Parts?$filter=Price lt 10`, `patch Parts(4) {\"Price\": 5}`,"
                + " `queue`, `upload`. .help lists them, .quit or the end of the input ends. The exit status is that of the"
                + " last line that failed, 0 where none did."
        ],
        examples: [
            .init("by hand", line: "shell field.store"),
            .init("from a file", line: "shell field.store < steps.txt"),
        ]
    )

    private let store: String

    init(_ arguments: Arguments) {
        store = arguments.operands[0]
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        _ = try StoreSession.local(store, on: terminal)
        var status = ExitStatus.done
        if terminal.isInteractive {
            terminal.remark("\(store). `.help` lists the commands, `.quit` ends.")
        }
        while let line = prompt(terminal) {
            let words = ShellLine.words(of: line)
            switch words.first {
            case nil: continue
            case ".quit", ".exit": return status
            case ".help": try help(words.dropFirst(), on: terminal)
            default:
                let outcome = await run(words, on: terminal)
                if outcome != .done { status = outcome }
            }
        }
        return status
    }

    private func prompt(_ terminal: Terminal) -> String? {
        if terminal.isInteractive { terminal.ask("odata> ") }
        return readLine()
    }

    private func help(_ words: ArraySlice<String>, on terminal: Terminal) throws {
        guard words.isEmpty else {
            return try terminal.answer(CommandCatalog.help(for: Array(words)))
        }
        let commands = ShellLine.commands
        let width = commands.map { $0.syntax.name.count }.max() ?? 0
        for command in commands {
            let name = command.syntax.name
            let space = String(repeating: " ", count: width - name.count)
            try terminal.answer("  \(name)\(space)  \(command.syntax.summary)")
        }
        try terminal.answer("  .help COMMAND, .quit")
    }

    /// Runs a line as a command line of its own, the store put in its place.
    private func run(_ words: [String], on terminal: Terminal) async -> ExitStatus {
        let name = words[0]
        guard ShellLine.commands.contains(where: { $0.syntax.name == name }) else {
            return CommandRunner(terminal: terminal).report(
                .usage("'\(name)' is no command of the shell", advice: "`.help` lists them.")
            )
        }
        let line = [name] + ShellLine.operands(Array(words.dropFirst()), of: name, store: store)
        return await CommandRunner(terminal: terminal).run(line)
    }
}
