import ODataProtocol
import OfflineOData

/// `events`: the last things that happened to a store.
struct EventsCommand: Command {
    static let syntax = CommandSyntax(
        name: "events",
        summary: "Lists the last things that happened to a store, newest first.",
        forms: ["STORE [--json]"],
        operands: 1...1,
        options: [.json],
        examples: [.init("what went wrong last night?", "events field.store")]
    )

    private let store: String
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        store = arguments.operands[0]
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let events = try await StoreSession.local(store, terminal).provider.eventLog()
        guard isJSON else {
            let lines = events.isEmpty ? ["no events"] : EventText.table(events).lines()
            try terminal.answer(lines.joined(separator: "\n"))
            return .done
        }
        var writer = JSONWriter()
        writer.beginArray()
        for event in events {
            writer.beginObject()
            writer.member("ID", Int(event.id))
            writer.member("Type", event.type)
            writer.optional("Details", event.details)
            writer.member("Time", event.time)
            writer.endObject()
        }
        writer.endArray()
        try terminal.answer(writer.bytes + [0x0A])
        return .done
    }
}
