import CommandSupport
import OfflineOData

/// `why`: what the store knows of an entity.
struct WhyCommand: Command {
    static let name = "why"
    static let syntax = CommandSyntax(
        name: name,
        summary:
            "Shows why an entity is in the store: queries, versions, what waits, what refers to it.",
        forms: ["STORE URL [--json]"],
        operands: 2...2,
        options: [.json],
        notes: [
            "An entity that no query and no stored read holds, and no change, goes with the next download."
                + " --json: url, entitySet, type, etag, state, fromLastDownload, queries, collections, base, local, server,"
                + " changedProperties, conflict, requests, referringRequests, references."
        ],
        examples: [.init("where does it come from?", line: "why field.store 'WorkOrders(1001)'")]
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
        let url = try session.local(url)
        let report = ProvenanceReport(
            found: try await session.run { try await $0.provenance(of: url) },
            hasService: try await session.run { try await $0.status().serviceRoot != nil }
        )
        if isJSON {
            try terminal.answer(report.json() + [0x0A])
        } else {
            try terminal.answer(report.lines.joined(separator: "\n"))
        }
        return .done
    }
}
