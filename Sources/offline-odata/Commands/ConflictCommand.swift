import ODataProtocol
import OfflineOData

/// `conflict`: the versions of an entity side by side.
struct ConflictCommand: Command {
    static let syntax = CommandSyntax(
        name: "conflict",
        summary: "Shows an entity as it was, as it is here, and as the service has it.",
        forms: ["STORE URL [--json]"],
        operands: 2...2,
        options: [.json],
        examples: [.init("who changed what?", "conflict field.store 'WorkOrders(1001)'")]
    )

    private let store: String
    private let url: String
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        store = arguments.operands[0]
        url = EntityAddress.relative(arguments.operands[1])
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try StoreSession.local(store, terminal)
        let conflict = try await session.provider.conflict(for: session.local(url))
        if isJSON {
            try terminal.answer(json(conflict) + [0x0A])
        } else {
            try terminal.answer(lines(conflict).joined(separator: "\n"))
        }
        return .done
    }

    private func json(_ conflict: OfflineODataConflict) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, version) in versions(conflict) {
            writer.name(name)
            if let version { writer.raw(Array(version.utf8).span) } else { writer.null() }
        }
        writer.name("changedProperties")
        writer.beginArray()
        for path in conflict.changedProperties { writer.string(path) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    private func versions(_ conflict: OfflineODataConflict) -> [(String, String?)] {
        [
            ("base", conflict.base?.json), ("local", conflict.local?.json),
            ("server", conflict.server?.json),
        ]
    }

    private func lines(_ conflict: OfflineODataConflict) -> [String] {
        let changed = conflict.changedProperties
        return versions(conflict).map { name, version in
            name + String(repeating: " ", count: 8 - name.count) + (version ?? "-")
        } + ["changed " + (changed.isEmpty ? "-" : changed.joined(separator: ", "))]
    }
}
