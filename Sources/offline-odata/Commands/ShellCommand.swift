import CommandSupport
import ODataProtocol
import OfflineOData

/// `shell`: commands on one store, line by line.
struct ShellCommand: Command {
    static let name = "shell"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Reads commands on one store from the keyboard or from standard input.",
        forms: ["STORE [--json]"],
        operands: 1...1,
        options: [.json] + NetworkOptions.syntax,
        notes: [
            "A line is a command without the store: `get Parts?$filter=Price lt 10`, `patch Parts(4) {\"Price\": 5}`,"
                + " `queue`, `upload`. .help lists them, .quit or the end of the input ends. The exit status is that of the"
                + " last line that failed, 0 where none did.",
            "Options of the network are those of every line that uses it; a line may give its own. --json: so is every answer.",
            "On a terminal lines are edited, with a history in ~/.offline-odata_history, search by Ctrl-R, and completion of commands,"
                + " options, sets, properties and keys by the tabulator; Ctrl-C drops the line. This needs libedit (libedit2).",
        ],
        examples: [
            .init("by hand", line: "shell field.store"),
            .init("from a file", line: "shell field.store < steps.txt"),
            .init(
                "all exchanges in one recording",
                line: "shell field.store --har session.har < steps.txt"
            ),
        ]
    )

    private let store: String
    /// What the commands of the shell are given that use the network.
    private let arguments: Arguments

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        self.arguments = arguments
        _ = try NetworkOptions(arguments)
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try StoreSession.local(store, on: terminal)
        terminal.recording = try arguments.value("har").map { path throws(CommandFailure) in
            try HARFile(path)
        }
        var status = ExitStatus.done
        if terminal.isInteractive {
            terminal.remark("\(store). `.help` lists the commands, `.quit` ends.")
        }
        let editor = await editor(session, terminal)
        defer { editor?.close() }
        var number = 0
        while let line = prompt(terminal, editor) {
            number += 1
            let words = ShellLine.words(of: line)
            switch words.first {
            case nil: continue
            case ".quit", ".exit", "quit", "exit": return status
            case ".help", "help", "?":
                if let failed = help(words.dropFirst(), on: terminal) { status = failed }
            default:
                let outcome = await run(words, on: terminal)
                if outcome != .done {
                    status = outcome
                    // The line itself may hold a token.
                    if !terminal.isInteractive { terminal.remark("  in line \(number)") }
                }
                guard !FileBytes.hasLostItsReader else { return status }
                guard goesOn(after: outcome, on: terminal) else { return .cancelled }
            }
        }
        return status
    }

    /// Whether the next line is read: Ctrl-C ends the work of a line where a person types the next one, and a script as a whole.
    private func goesOn(after outcome: ExitStatus, on terminal: Terminal) -> Bool {
        !SignalWatch.shared.hasTerminated && (terminal.isInteractive || outcome != .cancelled)
    }

    /// Edits lines where a person types them; nil where lines come from a file, and where libedit is missing.
    private func editor(_ session: StoreSession, _ terminal: Terminal) async -> LineEditor? {
        guard terminal.isInteractive, terminal.showsAnswers else { return nil }
        let store = store
        let sets = (try? await session.provider.setDescriptions()) ?? []
        let queries = (try? await session.provider.definingQueries().map(\.name)) ?? []
        let completion = ShellWords(
            commands: ShellLine.commands.map { $0.syntax },
            sets: sets,
            keys: { Self.keys(of: $0, in: store, terminal) },
            operands: { command, action in
                if command == "query" { return action == "remove" ? queries : [] }
                return Self.requestIDs(of: command, action, in: store, terminal)
            }
        )
        return LineEditor(prompt: "odata> ", completion: completion)
    }

    /// Keys of some entities of a set, as they stand in URLs.
    private static func keys(
        of set: String,
        in store: String,
        _ terminal: Terminal
    ) -> [String] {
        // The store is opened anew: each command closes what is open when it ends.
        let provider = try? StoreSession.local(store, on: terminal).provider
        let entities = (try? provider?.executeQuery("\(set)?$top=50")) ?? []
        return entities.compactMap(\.readLink)
    }

    /// The numbers of requests that an action of `queue` or `errors` can be about.
    private static func requestIDs(
        of command: String,
        _ action: String,
        in store: String,
        _ terminal: Terminal
    ) -> [String] {
        let sets = ["queue": "RequestQueue", "errors": "ErrorArchive"]
        guard let set = sets[command], !["export", "import"].contains(action) else { return [] }
        let provider = try? StoreSession.local(store, on: terminal).provider
        let requests = (try? provider?.executeQuery("\(set)?$select=RequestID&$top=500")) ?? []
        return requests.compactMap { $0["RequestID"]?.integerValue }.map(String.init)
    }

    private func prompt(_ terminal: Terminal, _ editor: LineEditor?) -> String? {
        if terminal.isInteractive, editor == nil { terminal.ask("odata> ") }
        let line = if let editor { editor.line() } else { readLine() }
        // The end of the input leaves the prompt where it stands.
        if line == nil, terminal.isInteractive { terminal.ask("\n") }
        return line
    }

    /// Explains the commands, or one; a word that is none is a mistake of its line, as others are.
    private func help(_ words: ArraySlice<String>, on terminal: Terminal) -> ExitStatus? {
        do {
            guard words.isEmpty else {
                try terminal.answer(CommandCatalog.help(for: Array(words)))
                return nil
            }
            let rows = ShellLine.commands.map { ($0.name, $0.syntax.summary) }
            try terminal.answer(HelpText.table(rows).joined(separator: "\n"))
            try terminal.answer("  .help COMMAND, .quit")
            return nil
        } catch {
            var failure = CommandFailure(error)
            failure.advice = "`.help` lists the commands."
            return report(failure, on: terminal)
        }
    }

    private func report(_ failure: CommandFailure, on terminal: Terminal) -> ExitStatus {
        CommandRunner(terminal: terminal).report(failure, isJSON: arguments.has("json"))
    }

    /// Runs a line as a command line of its own, the store put in its place.
    private func run(_ words: [String], on terminal: Terminal) async -> ExitStatus {
        let name = words[0]
        guard let command = ShellLine.commands.first(where: { $0.name == name }) else {
            let known = ShellLine.commands.map { $0.name } + ShellLine.ownWords
            let nearest = NearestName.of(name, among: known)
            let question = nearest.map { "; did you mean `\($0)`?" } ?? ""
            return report(
                .usage(
                    "'\(name)' is no command of the shell" + question,
                    advice: "`.help` lists them."
                ),
                on: terminal
            )
        }
        let line = [name] + ShellLine.operands(Array(words.dropFirst()), of: name, store: store)
        var shared = NetworkOptions.words(arguments, for: command.syntax.options, besides: line)
        if arguments.has("json"), !line.contains("--json") { shared.append("--json") }
        return await CommandRunner(terminal: terminal).run(line + shared)
    }
}
