/// One thing that the program can be asked for.
public protocol Command: Sendable {
    /// What it is called: one word or two. It stands beside the syntax, which takes time to make, so that to find one command is not to
    /// make all.
    static var name: String { get }

    /// What it takes and does.
    static var syntax: CommandSyntax { get }

    /// Checks the arguments, before anything is done.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where they make no sense.
    init(_ arguments: Arguments) throws

    /// Does it.
    func run(_ terminal: Terminal) async throws -> ExitStatus
}
