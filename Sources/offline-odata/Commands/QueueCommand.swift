import CommandSupport
import ODataProtocol
import OfflineOData

/// `queue`: the changes that wait to be sent.
struct QueueCommand: Command {
    static let name = "queue"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Lists the changes that wait to be uploaded; shows, drops, edits or moves one.",
        forms: [
            "STORE [--json]",
            "show|drop|retry|split STORE ID",
            "edit STORE ID BODY",
            "move STORE ID before|after ID",
            "export|import STORE FILE",
        ],
        operands: 1...5,
        options: [
            .json, RequestAction.consent, .optimize,
            .value(
                "file-key",
                placeholder: "@FILE|env:NAME",
                help:
                    "key of the exported file; without it the file is plain text, whatever the store is"
            ),
        ],
        notes: [
            "Status: pending; sending (the answer is not known yet); parked (waits for a refused request);"
                + " unknownOutcome (the answer was lost and its effect could not be found out).",
            "drop takes the change back in the store, with the requests that depend on it and the other members of its transaction;"
                + " split dissolves the transaction, so that its members are sent each by itself. edit replaces the body, JSON,"
                + " - for standard input or @FILE, and the entity in the store follows. retry lets a request with unknown"
                + " outcome be sent again. An exported file holds the contents of streams; import repeats its requests in this"
                + " store, and keeps their transactions, categories and headers.",
        ],
        examples: [
            .init("what waits?", line: "queue field.store"),
            .init("one of them in full", line: "queue show field.store 2"),
            .init("take one back", line: "queue drop field.store 2"),
            .init(
                "correct one before it is sent",
                line: "queue edit field.store 2 '{\"Priority\": \"Low\"}'"
            ),
            .init("the URLs of all", line: "queue field.store --json | jq -r '.[].RequestURL'"),
        ]
    )

    private enum Action: Sendable {
        case list
        case one(RequestAction)
        case export(String)
        case `import`(String)
    }

    private let store: String
    private let action: Action
    private let isJSON: Bool
    private let hasConsent: Bool
    private let optimizes: Bool
    private let fileKey: OfflineODataEncryptionKey?

    init(_ arguments: Arguments) throws(CommandFailure) {
        let actions = ["show", "drop", "retry", "split", "edit", "move", "export", "import"]
        let words = try StoreAction.split(arguments.operands, actions: actions, fallback: "list")
        store = words.store
        isJSON = arguments.has("json")
        hasConsent = arguments.has("even-if-unknown")
        optimizes = arguments.has("optimize")
        fileKey = try StoreKeyOption.key(arguments, option: "file-key")
        action = try Self.action(words)
    }

    private static func action(_ words: StoreAction) throws(CommandFailure) -> Action {
        switch words.action {
        case "list": return .list
        case "export", "import":
            guard words.rest.count == 1, let file = words.rest.first else {
                throw .usage("`\(words.action)` takes one file")
            }
            return words.action == "export" ? .export(file) : .import(file)
        default: return .one(try RequestAction(words.action, words: words.rest))
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        switch action {
        case .list: try await list(terminal)
        case .one(.show(let id)):
            let listing = try await QueueListing.queue(of: store, terminal)
            try RequestID.show(listing.item(id, in: "queue"), isJSON: isJSON, on: terminal)
        case .one(let action):
            let provider = try StoreSession.local(store, on: terminal).provider
            try await action.run(provider, consent: hasConsent, isJSON: isJSON, on: terminal)
        case .export(let file):
            let count = try await export(file, on: terminal)
            if file != "-" { try answer(count, verb: "exported", on: terminal) }
        case .import(let file):
            let count = try await `import`(file, on: terminal)
            try answer(count, verb: "imported", on: terminal)
        }
        return .done
    }

    private func answer(_ count: Int, verb: String, on terminal: Terminal) throws {
        guard isJSON else {
            return try terminal.answer("\(verb): \(Words.amount(count, of: "request"))")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("requests", value: count)
        writer.endObject()
        try terminal.answer(writer.bytes + [0x0A])
    }

    private func export(_ file: String, on terminal: Terminal) async throws -> Int {
        let session = try StoreSession.local(store, on: terminal)
        if let fileKey {
            return try await session.run { try await $0.exportQueue(toFile: file, key: fileKey) }
        }
        let descriptor = try FileBytes.descriptor(writing: file)
        defer { FileBytes.close(descriptor) }
        return try await session.run { provider in
            try await provider.exportQueue {
                try FileBytes.write($0, to: descriptor, named: file)
            }
        }
    }

    private func `import`(_ file: String, on terminal: Terminal) async throws -> Int {
        let json = fileKey == nil ? try FileBytes.read(file) : []
        let session = try StoreSession.local(store, on: terminal, optimizes: optimizes)
        do {
            if let fileKey {
                return try await session.run {
                    try await $0.importQueue(fromFile: file, key: fileKey)
                }
            }
            return try await session.run { try await $0.importQueue(json) }
        } catch let error as OfflineODataError where error.code == .invalidPayload {
            let isText = fileKey != nil || String(validating: json, as: UTF8.self) != nil
            throw CommandFailure(
                .invalid,
                "\(file): \(error.message)",
                advice: isText ? "" : "--file-key gives the key of an encrypted export."
            )
        }
    }

    private func list(_ terminal: Terminal) async throws {
        let listing = try await QueueListing.queue(of: store, terminal)
        guard !isJSON else { return try terminal.answer(listing.json() + [0x0A]) }
        let lines = listing.items.isEmpty ? ["nothing is waiting"] : listing.queueTable().lines()
        try terminal.answer(lines.joined(separator: "\n"))
    }
}
