import CommandSupport
import OfflineOData

/// `resolve`: ends the conflict of an entity.
struct ResolveCommand: Command {
    static let name = "resolve"
    static let syntax = CommandSyntax(
        name: name,
        summary:
            "Ends the conflict of an entity: the local version stays, the service's, or both merged.",
        forms: ["STORE URL local|server|merge [BODY] [--json]"],
        operands: 3...4,
        options: [RequestAction.consent, .json],
        notes: [
            "local: the change is sent again, over the service's version; the creation of an entity that another client has created by now"
                + " becomes a change of theirs. server: the change is taken back. merge: the change"
                + " is sent with the values of BODY (JSON, - or @FILE) in the place of its own; what BODY does not name stays as it was"
                + " changed here, also where the service has another value."
        ],
        examples: [
            .init("first look", line: "conflict field.store 'WorkOrders(1001)'"),
            .init("then decide", line: "resolve field.store 'WorkOrders(1001)' server"),
            .init(
                "or both",
                line: "resolve field.store 'WorkOrders(1001)' merge '{\"Priority\": \"High\"}'"
            ),
        ]
    )

    private let store: String
    private let url: String
    private let side: String
    private let body: String?
    private let hasConsent: Bool
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        url = EntityAddress.relative(arguments.operands[1])
        side = arguments.operands[2]
        body = arguments.operands.count > 3 ? arguments.operands[3] : nil
        hasConsent = arguments.has("even-if-unknown")
        isJSON = arguments.has("json")
        guard ["local", "server", "merge"].contains(side) else {
            throw .usage("'\(side)' is no side: local, server or merge, behind the URL")
        }
        guard (side == "merge") == (body != nil) else {
            throw .usage(
                side == "merge"
                    ? "`merge` needs a body: the values that are to stand in the place of mine, as JSON or @FILE"
                    : "`\(side)` takes no body; only `merge` does"
            )
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let choice: OfflineODataConflictSide =
            switch side {
            case "local": .local
            case "server": .server
            default: .merge(body: try BodyText.text(body ?? ""))
            }
        let start = ContinuousClock.now
        let session = try StoreSession.local(store, on: terminal)
        try await session.provider.resolveConflict(
            session.local(url),
            with: choice,
            includingUnknownOutcome: hasConsent
        )
        try AffectedReport([url], time: ContinuousClock.now - start)
            .answer("resolved: \(url)", isJSON: isJSON, on: terminal)
        return .done
    }
}
