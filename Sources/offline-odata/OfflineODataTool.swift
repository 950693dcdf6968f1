/// The executable: finds the command, runs it, and ends with its exit status.
@main
struct OfflineODataTool {
    static func main() async {
        let terminal = Terminal()
        SignalWatch.shared.begin()
        let status = await run(Array(CommandLine.arguments.dropFirst()), terminal)
        ProcessEnd.exit(status)
    }

    private static func run(_ words: [String], _ terminal: Terminal) async -> ExitStatus {
        await CommandRunner(terminal: terminal).run(words)
    }
}
