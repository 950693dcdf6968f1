public import CommandSupport

/// The program: finds the command, runs it, and ends with its exit status.
public enum OfflineODataTool {
    /// Runs the command line of this process and ends it.
    ///
    /// - Parameter urlSession: nil where the program has no `URLSession` linked: another one beside it has.
    public static func main(urlSession: URLSessionMaker? = nil) async {
        StandardStreams.keepPlaces()
        let words = Array(CommandLine.arguments.dropFirst())
        // A service answers many at once: each thread is better served by a heap of its own.
        if words.first != ServeCommand.name { ProcessMemory.useOneHeap() }
        let terminal = Terminal(urlSession: urlSession)
        if urlSession == nil, TransportOption.asksForURLSession(words) {
            // Returns only where it cannot be started.
            let failure = SiblingProgram.run("offline-odata-urlsession")
            ProcessEnd.exit(CommandRunner(terminal: terminal).report(failure))
        }
        SignalWatch.shared.begin()
        let status = await CommandRunner(terminal: terminal).run(words)
        ProcessEnd.exit(status)
    }
}
