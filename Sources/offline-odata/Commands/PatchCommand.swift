import CommandSupport

/// `patch`: changes properties of an entity.
struct PatchCommand: Command {
    static let name = "patch"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Changes properties of an entity and queues the change.",
        forms: ["STORE URL BODY"],
        operands: 2...3,
        options: LocalChange.options,
        notes: [LocalChange.note],
        examples: [
            .init(
                "a new value",
                line: "patch field.store 'WorkOrders(1001)' '{\"Priority\": \"Urgent\"}'"
            )
        ]
    )

    private let change: LocalChange

    init(_ arguments: Arguments) throws(CommandFailure) {
        change = try LocalChange("PATCH", arguments: arguments)
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus { try await change.run(terminal) }
}
