import CommandSupport
import OfflineOData

/// `conflict`: the versions of an entity side by side.
struct ConflictCommand: Command {
    static let name = "conflict"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Shows an entity as it was, as it is here, and as the service has it.",
        forms: ["STORE URL [--json]"],
        operands: 2...2,
        options: [.json],
        notes: [
            "A line for each property that was changed on either side: before, mine, the service's, and who has changed it."
                + " --json: base, local, server, changedProperties, and streams: those whose change was refused, since the service has"
                + " other content; links (property, mine): those that are changed here, where there are some."
        ],
        examples: [.init("who changed what?", line: "conflict field.store 'WorkOrders(1001)'")]
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
        let session = try StoreSession.local(store, on: terminal)
        let conflict = try await session.provider.conflict(for: session.local(url))
        let links = try await session.linkChanges(of: url)
        if isJSON {
            try terminal.answer(ConflictJSON.versions(conflict, links: links) + [0x0A])
        } else if try await session.hasOneVersion(conflict, of: url) {
            try terminal.answer(ConflictText.unchanged(url))
        } else {
            try terminal.answer(lines(conflict, links: links).joined(separator: "\n"))
        }
        return .done
    }

    private func lines(_ conflict: OfflineODataConflict, links: [ChangedLink]) -> [String] {
        let properties = conflict.differences
        let others =
            conflict.streams.map { ConflictText.line(ofStream: $0, of: url, in: store) }
            + links.map { ConflictText.line(ofLink: $0) }
        guard !properties.isEmpty else {
            let rest = others.isEmpty ? ["nothing differs"] : others
            return [ConflictText.headline(conflict, of: url)] + rest
        }
        var table = TextTable([
            ("property", .left), ("before", .left), ("mine", .left), ("service's", .left),
            ("changed by", .left),
        ])
        for property in properties {
            table.add([
                property.path, ConflictText.text(property.base), ConflictText.text(property.local),
                ConflictText.text(property.server), ConflictText.remark(property),
            ])
        }
        return [ConflictText.headline(conflict, of: url), ""] + table.lines() + others
    }
}
