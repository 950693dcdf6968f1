/// One thing that the program can be asked for.
public protocol Command: Sendable {
    /// What it is called, takes and does.
    static var syntax: CommandSyntax { get }

    /// Checks the arguments, before anything is done.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where they make no sense.
    init(_ arguments: Arguments) throws

    /// Does it.
    func run(_ terminal: Terminal) async throws -> ExitStatus
}
