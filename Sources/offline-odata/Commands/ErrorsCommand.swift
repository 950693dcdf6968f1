import ODataProtocol
import OfflineStore

/// `errors`: the requests that the service refused.
struct ErrorsCommand: Command {
    static let syntax = CommandSyntax(
        name: "errors",
        summary: "Lists the requests that the service refused, or shows one of them.",
        forms: ["STORE [--json]", "show STORE ID [--json]"],
        operands: 1...3,
        options: [.json],
        notes: ["`conflict STORE URL` shows the versions of the entity side by side."],
        examples: [
            .init("what was refused?", "errors field.store"),
            .init("why?", "errors show field.store 12"),
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
        let listing = try await QueueListing.read([.failed], of: store)
        if let id {
            try RequestID.show(listing.item(id, in: "error archive"), isJSON: isJSON, terminal)
        } else if isJSON {
            try terminal.answer(listing.json() + [0x0A])
        } else {
            let lines =
                listing.items.isEmpty ? ["nothing was refused"] : listing.errorTable().lines()
            try terminal.answer(lines.joined(separator: "\n"))
        }
        return .done
    }
}
