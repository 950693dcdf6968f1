import CommandSupport

/// `post`: creates an entity, a link or a stream, or calls an action.
struct PostCommand: Command {
    static let name = "post"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Creates an entity in the store and queues its upload; prints the entity.",
        forms: ["STORE URL BODY"],
        operands: 2...3,
        options: LocalChange.options,
        notes: [LocalChange.note],
        examples: [
            .init(
                "a new entity",
                line: "post field.store WorkOrders '{\"Title\": \"Leaking pump\"}'"
            ),
            .init(
                "a log entry that need not stay",
                line: "post field.store TimeEntries @entry.json --remove-after-upload"
            ),
            .init(
                "a child of it",
                line: "post field.store 'WorkOrders(1001)/Tasks' '{\"Title\": \"Drain\"}'"
            ),
        ]
    )

    private let change: LocalChange

    init(_ arguments: Arguments) throws(CommandFailure) {
        change = try LocalChange("POST", arguments: arguments)
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus { try await change.run(terminal) }
}
