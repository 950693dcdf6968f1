import CommandSupport
import ODataProtocol

/// Finds the command that the words name, runs it, and says what went wrong.
struct CommandRunner: Sendable {
    let terminal: Terminal

    /// Runs a command line and returns how the process ends.
    func run(_ words: [String]) async -> ExitStatus {
        terminal.hasAnswered = false
        let status = await SignalWatch.shared.saying {
            _ = report(CancellationError(), of: words)
        } during: {
            do {
                return try await runThrowing(words)
            } catch {
                return report(error, of: words)
            }
        }
        await OpenStores.shared.close()
        return status
    }

    private func report(_ error: any Error, of words: [String]) -> ExitStatus {
        let isJSON = ArgumentReader.asksForJSON(words[...]) && !terminal.hasAnswered
        return report(CommandFailure(error), isJSON: isJSON)
    }

    /// Prints a failure on standard error: what happened, the reasons, what to do.
    ///
    /// - Parameter isJSON: Whether the failure stands in the place of an answer too.
    func report(_ failure: CommandFailure, isJSON: Bool = false) -> ExitStatus {
        terminal.showLive("")
        // Where standard output itself is what has failed, the exit status says so.
        if isJSON { try? terminal.answer(failure.json + [0x0A]) }
        guard !failure.message.isEmpty else { return failure.status }
        let kind = failure.status == .cancelled ? "" : "error: "
        // A service's text may have several lines.
        let lines = failure.message.split(whereSeparator: \.isNewline)
        terminal.remark(kind + (lines.first ?? ""))
        for line in lines.dropFirst() { terminal.remark("  " + line) }
        for line in failure.details { terminal.remark("  " + line) }
        if !failure.advice.isEmpty { terminal.remark(failure.advice) }
        return failure.status
    }

    private func runThrowing(_ words: [String]) async throws -> ExitStatus {
        guard let first = words.first else {
            terminal.remark(CommandCatalog.overview)
            return .invalid
        }
        switch first {
        case "--help", "-h", "help": return try help(words.dropFirst())
        case "--version":
            let isJSON = ArgumentReader.asksForJSON(words[...])
            try terminal.answer(isJSON ? #"{"version":"1.0"}"# : "offline-odata 1.0")
            return .done
        default: return try await runCommand(words)
        }
    }

    private func help(_ words: ArraySlice<String>) throws -> ExitStatus {
        guard words.contains(where: { !$0.hasPrefix("-") }) else {
            let isJSON = ArgumentReader.asksForJSON(words)
            try terminal.answer(
                isJSON ? CommandCatalog.json + [0x0A] : Array((CommandCatalog.overview + "\n").utf8)
            )
            return .done
        }
        try terminal.answer(CommandCatalog.help(for: Array(words)))
        return .done
    }

    private func runCommand(_ words: [String]) async throws -> ExitStatus {
        if ArgumentReader.asksForHelp(words[...]) {
            try terminal.answer(CommandCatalog.help(for: words))
            return .done
        }
        let found = try CommandCatalog.find(words)
        let arguments = try ArgumentReader.read(found.rest, syntax: found.command.syntax)
        // A line of the shell goes on with the shell's log.
        if let log = try LogFile(arguments) { terminal.logger = log }
        // And with the shell's store, whose key it is.
        if let key = try StoreKeyOption.key(arguments) { terminal.storeKey = key }
        return try await found.command.init(arguments).run(terminal)
    }
}
