import CommandSupport

/// `put`: replaces an entity, a property or a stream.
struct PutCommand: Command {
    static let name = "put"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Replaces an entity, a property or a stream and queues the change.",
        forms: ["STORE URL BODY"],
        operands: 2...3,
        options: LocalChange.options,
        notes: [LocalChange.note, "Properties that BODY leaves out get their default values."],
        examples: [
            .init("all of it", line: "put field.store \"Parts('PMP-1000')\" @part.json"),
            .init(
                "a stream",
                line:
                    "put field.store 'Attachments(461a6ea6-d55e-47af-ad5e-1684c8f2fb9a)/$value' @photo.jpg --content-type image/jpeg"
            ),
        ]
    )

    private let change: LocalChange

    init(_ arguments: Arguments) throws(CommandFailure) {
        change = try LocalChange("PUT", arguments: arguments)
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus { try await change.run(terminal) }
}
