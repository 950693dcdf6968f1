/// A failure that a command has found itself: how the process ends, what happened, and what to do.
struct CommandFailure: Error {
    var status: ExitStatus
    /// What happened, one line.
    var message: String
    /// One line for each reason, where there are several.
    var details: [String]
    /// What to do about it, one line; empty where the message says it.
    var advice: String

    init(_ status: ExitStatus, _ message: String, details: [String] = [], advice: String = "") {
        self.status = status
        self.message = message
        self.details = details
        self.advice = advice
    }

    /// Invalid use of a command.
    static func usage(_ message: String, advice: String = "") -> CommandFailure {
        CommandFailure(.invalid, message, advice: advice)
    }
}
