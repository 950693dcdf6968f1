import CommandSupport

/// `delete`: deletes an entity, a link or a value.
struct DeleteCommand: Command {
    static let name = "delete"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Deletes an entity, a link or a value and queues the change.",
        forms: ["STORE URL"],
        operands: 2...2,
        options: LocalChange.options,
        notes: [
            "The change is applied to the store at once and waits in the queue for the next upload."
        ],
        examples: [
            .init("an entity", line: "delete field.store 'WorkOrders(1001)'")
        ]
    )

    private let change: LocalChange

    init(_ arguments: Arguments) throws(CommandFailure) {
        change = try LocalChange("DELETE", arguments: arguments)
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus { try await change.run(terminal) }
}
