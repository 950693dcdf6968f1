import CommandSupport
import OfflineOData

/// `undo`: takes back changes that were not uploaded.
struct UndoCommand: Command {
    static let name = "undo"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Takes back the changes of entities that were not uploaded.",
        forms: ["STORE URL... [--json]", "STORE --all [--json]"],
        operands: 1...10_000,
        options: [
            .flag("all", help: "every change that was not uploaded"), RequestAction.consent, .json,
        ],
        notes: [
            "Created entities go, with what depends on them; changed ones are as they were, or as the service has them by"
                + " now; deleted ones come back. Refused changes are taken back too.",
            "--json: affected (URLs of the entities), requests (numbers of what was taken back), seconds.",
        ],
        examples: [
            .init("one entity", line: "undo field.store 'WorkOrders(1001)'"),
            .init("everything", line: "undo field.store --all"),
        ]
    )

    private let store: String
    private let urls: [String]
    private let hasConsent: Bool
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        urls = arguments.operands.dropFirst().map(EntityAddress.relative)
        hasConsent = arguments.has("even-if-unknown")
        isJSON = arguments.has("json")
        guard urls.isEmpty == arguments.has("all") else {
            throw .usage(
                urls.isEmpty
                    ? "the URL of an entity is missing" : "--all and URLs exclude each other",
                advice: "`undo STORE URL...` or `undo STORE --all`"
            )
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let start = ContinuousClock.now
        let session = try StoreSession.local(store, on: terminal)
        let (provider, urls) = (session.provider, try urls.map(session.local))
        let before = try await Self.changes(of: provider)
        let count =
            urls.isEmpty
            ? try await provider.undoAllPendingChanges(includingUnknownOutcome: hasConsent)
            : try await provider.undoPendingChanges(urls: urls, includingUnknownOutcome: hasConsent)
        let left = Set(try await Self.changes(of: provider).map(\.id))
        let gone = before.filter { !left.contains($0.id) }
        var seen: Set<String> = []
        let affected = gone.map(\.url).filter { seen.insert($0).inserted }
        let time = ContinuousClock.now - start
        try AffectedReport(affected, requests: gone.map(\.id), time: time).answer(
            count == 0
                ? "nothing to take back" : "taken back: \(Words.amount(count, of: "request"))",
            isJSON: isJSON,
            on: terminal
        )
        return .done
    }

    /// The requests that wait or were refused, each with the URL of its entity.
    private static func changes(
        of provider: OfflineODataProvider
    ) async throws -> [(id: Int64, url: String)] {
        let requests = try await provider.requestQueue() + provider.errorArchive()
        let links = try await provider.affectedEntities(of: requests)
        return requests.sorted { $0.id < $1.id }.map { ($0.id, links[$0.id] ?? $0.url) }
    }
}
