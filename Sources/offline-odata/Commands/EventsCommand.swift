import CommandSupport
import OfflineOData

/// `events`: the last things that happened to a store.
struct EventsCommand: Command {
    static let name = "events"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Lists the last things that happened to a store, newest first.",
        forms: ["STORE [--json]", "STORE --stream ID [--output FILE]"],
        operands: 1...1,
        options: [
            .json,
            .value(
                "stream",
                placeholder: "ID",
                help: "write the stream that lost in a conflict, kept with this event"
            ),
            .value("output", placeholder: "FILE", help: "write the stream into a file"),
        ],
        examples: [
            .init("what went wrong last night?", line: "events field.store"),
            .init(
                "the photo that was taken back",
                line: "events field.store --stream 12 --output old.jpg"
            ),
        ]
    )

    private let store: String
    private let isJSON: Bool
    private let stream: Int64?
    private let output: String

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        isJSON = arguments.has("json")
        output = arguments.value("output") ?? "-"
        stream = arguments.value("stream").flatMap { Int64($0) }
        guard arguments.value("stream") == nil || stream != nil else {
            throw CommandFailure(.invalid, "--stream wants the number of an event")
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try StoreSession.local(store, on: terminal)
        let events = try await session.run { try await $0.eventLog() }
        if let stream { return try await write(streamOf: stream, among: events, session) }
        guard isJSON else {
            let lines = events.isEmpty ? ["no events"] : EventListing.table(events).lines()
            try terminal.answer(lines.joined(separator: "\n"))
            return .done
        }
        try terminal.answer(EventListing.json(events) + [0x0A])
        return .done
    }

    private func write(
        streamOf id: Int64,
        among events: [OfflineODataEvent],
        _ session: StoreSession
    ) async throws -> ExitStatus {
        guard let event = events.first(where: { $0.id == id }),
            let content = try await session.run({ try await $0.stream(of: event) })
        else { throw CommandFailure(.notFound, "no stream is kept with an event \(id)") }
        let descriptor = try FileBytes.descriptor(writing: output)
        defer { FileBytes.close(descriptor) }
        for try await piece in content {
            try FileBytes.write(piece, to: descriptor, named: output)
        }
        return .done
    }
}
