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
        notes: [
            "A line for each property that was changed on either side: before, mine, the service's, and who has changed it."
                + " --json: base, local, server and changedProperties."
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
        let properties = conflict.differences
        guard !properties.isEmpty else { return [headline(conflict), "nothing differs"] }
        var table = TextTable([
            ("property", .left), ("before", .left), ("mine", .left), ("service's", .left),
            ("", .left),
        ])
        for property in properties {
            table.add([
                property.path, Self.text(property.base), Self.text(property.local),
                Self.text(property.server), Self.remark(property),
            ])
        }
        return [headline(conflict), ""] + table.lines()
    }

    /// What has become of the entity as a whole.
    private func headline(_ conflict: OfflineODataConflict) -> String {
        let here =
            conflict.local == nil ? "deleted here" : conflict.base == nil ? "created here" : nil
        let there =
            conflict.isDeletedAtService
            ? "deleted at the service"
            : conflict.server == nil ? "nothing newer known of the service" : nil
        let parts = [here, there].compactMap { $0 }
        return url + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    }

    private static func remark(_ property: OfflineODataConflict.Property) -> String {
        if property.isContested { return "both" }
        return property.isChangedHere ? "mine" : "service's"
    }

    private static func text(_ value: ODataValue?) -> String {
        guard let value else { return "-" }
        return value.stringValue ?? value.json
    }
}
