import CommandSupport
import ODataProtocol
import OfflineOData

/// `status`: a store at a glance.
struct StatusCommand: Command {
    static let name = "status"
    static let syntax = CommandSyntax(
        name: name,
        summary:
            "Shows a store at a glance: service, queries, entities, what waits, what went wrong.",
        forms: ["STORE [--json]"],
        operands: 1...1,
        options: [.json],
        examples: [
            .init("how is the store?", line: "status field.store"),
            .init("how many changes wait?", line: "status field.store --json | jq .queue"),
        ]
    )

    private let store: String
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        store = arguments.operands[0]
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let provider = try StoreSession.local(store, on: terminal).provider
        let status = try await provider.status()
        let events = Array(try await provider.eventLog().prefix(3))
        if isJSON {
            try terminal.answer(StatusJSON.json(status, events) + [0x0A])
        } else {
            let lines = StatusText(status: status, events: events, store: store).lines
            try terminal.answer(lines.joined(separator: "\n"))
        }
        return .done
    }
}
