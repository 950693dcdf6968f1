/// A failure that a command has found itself: how the process ends, what happened, and what to do.
public struct CommandFailure: Error {
    /// How the process ends.
    public var status: ExitStatus
    /// What happened, one line.
    public var message: String
    /// One line for each reason, where there are several.
    public var details: [String]
    /// What to do about it, one line; empty where the message says it.
    public var advice: String

    /// A failure with its exit status, its message, further reasons (a line each) and advice.
    public init(
        _ status: ExitStatus,
        _ message: String,
        details: [String] = [],
        advice: String = ""
    ) {
        self.status = status
        self.message = message
        self.details = details
        self.advice = advice
    }

    /// Invalid use of a command.
    public static func usage(_ message: String, advice: String = "") -> CommandFailure {
        CommandFailure(.invalid, message, advice: advice)
    }
}
