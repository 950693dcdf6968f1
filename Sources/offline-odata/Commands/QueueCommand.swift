import ODataProtocol

/// `queue`: the changes that wait to be sent.
struct QueueCommand: Command {
    static let syntax = CommandSyntax(
        name: "queue",
        summary: "Lists the changes that wait to be uploaded, or shows one of them.",
        forms: ["STORE [--json]", "show STORE ID [--json]"],
        operands: 1...3,
        options: [.json],
        notes: [
            "Status: pending; sending (the answer is not known yet); parked (waits for a refused request);"
                + " unknownOutcome (the answer was lost and nothing could tell whether it took effect)."
        ],
        examples: [
            .init("what waits?", "queue field.store"),
            .init("one of them in full", "queue show field.store 12"),
            .init("the URLs of all", "queue field.store --json | jq -r '.[].RequestURL'"),
        ]
    )

    private let store: String
    private let id: Int64?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        let words = try StoreAction.split(arguments.operands, actions: ["show"], fallback: "list")
        store = words.store
        id = words.action == "show" ? try RequestID.read(words.rest) : nil
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let listing = try await QueueListing.read(QueueListing.waiting, of: store)
        if let id {
            try RequestID.show(listing.item(id, in: "queue"), isJSON: isJSON, terminal)
        } else if isJSON {
            try terminal.answer(listing.json() + [0x0A])
        } else {
            let lines =
                listing.items.isEmpty ? ["nothing is waiting"] : listing.queueTable().lines()
            try terminal.answer(lines.joined(separator: "\n"))
        }
        return .done
    }
}
