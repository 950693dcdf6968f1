import CommandSupport
import ODataProtocol
import OfflineOData

/// `errors`: the requests that the service refused.
struct ErrorsCommand: Command {
    static let name = "errors"
    static let syntax = CommandSyntax(
        name: name,
        summary:
            "Lists the requests that the service refused; shows, repeats, corrects or discards them.",
        forms: [
            "STORE [--json]", "show|retry|split|discard STORE ID", "edit STORE ID BODY",
            "discard STORE --all",
        ],
        operands: 1...4,
        options: [.json, .flag("all", help: "discard: every refused request")],
        notes: [
            "discard takes the change back in the store, with the requests that depend on it and the other members of its"
                + " transaction; split dissolves the transaction, so that its members are sent each by itself. edit replaces the body (JSON, -"
                + " or @FILE) and lets the request wait again; retry does so as it is. `conflict STORE URL` shows the versions"
                + " of the entity side by side. A refusal caused by another client, which has changed the entity (412) or deleted it"
                + " (404), is settled by `resolve`: retry and edit say so instead of being refused once more."
        ],
        examples: [
            .init("what was refused?", line: "errors field.store"),
            .init("why?", line: "errors show field.store 1"),
            .init("give it up", line: "errors discard field.store 1"),
            .init("correct it", line: "errors edit field.store 1 @corrected.json"),
        ]
    )

    private enum Action: Sendable {
        case list
        case one(RequestAction)
        case discardAll
    }

    private let store: String
    private let action: Action
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        let words = try StoreAction.split(
            arguments.operands,
            actions: ["show", "retry", "split", "discard", "edit"],
            fallback: "list"
        )
        store = words.store
        isJSON = arguments.has("json")
        if arguments.has("all"), words.action != "discard" {
            throw .usage("--all goes with `discard` only")
        }
        switch words.action {
        case "list": action = .list
        case "discard" where arguments.has("all"):
            guard words.rest.isEmpty else {
                throw .usage("--all and the number of a request exclude each other")
            }
            action = .discardAll
        default: action = .one(try RequestAction(words.action, words: words.rest))
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        switch action {
        case .list: try await list(terminal)
        case .one(let action): try await run(action, on: terminal)
        case .discardAll:
            let ids = try await StoreSession.local(store, on: terminal).provider.discardAllErrors()
            try AffectedReport(requests: ids)
                .answer(RequestAction.sentence(ids), isJSON: isJSON, on: terminal)
        }
        return .done
    }

    private func run(_ action: RequestAction, on terminal: Terminal) async throws {
        let listing = try await QueueListing.archive(of: store, terminal)
        let item = try listing.item(action.id, in: "error archive")
        if case .show = action { return try RequestID.show(item, isJSON: isJSON, on: terminal) }
        let provider = try StoreSession.local(store, on: terminal).provider
        try await checkHelps(action, with: item, of: provider)
        try await action.run(provider, consent: false, isJSON: isJSON, on: terminal)
    }

    /// A change of an entity that another client has changed or deleted would be refused again for ever.
    private func checkHelps(
        _ action: RequestAction,
        with item: QueueListing.Item,
        of provider: OfflineODataProvider
    ) async throws {
        let isEditing: Bool
        switch action {
        case .retry: isEditing = false
        case .edit: isEditing = true
        default: return
        }
        guard let obstacle = try await ArchivedObstacle.read(item, of: provider) else { return }
        throw obstacle.failure(item, store: store, isEditing: isEditing)
    }

    private func list(_ terminal: Terminal) async throws {
        let listing = try await QueueListing.archive(of: store, terminal)
        guard !isJSON else { return try terminal.answer(listing.json() + [0x0A]) }
        let lines = listing.items.isEmpty ? ["nothing was refused"] : listing.errorTable().lines()
        try terminal.answer(lines.joined(separator: "\n"))
    }
}
