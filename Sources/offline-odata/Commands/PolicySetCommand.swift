import CommandSupport
import OfflineResources

/// `policy set`: sets policies of one resource of a store.
struct PolicySetCommand: Command {
    static let name = "policy set"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Sets policies of one resource, which stay with it in the store.",
        forms: ["STORE URL [NAME=VALUE]... [--pin high|normal|low] [--json]"],
        operands: 2...20,
        options: [
            .value(
                "pin",
                placeholder: "PRIORITY",
                help: "how early it is refreshed and its changes are sent"
            ), .json,
        ],
        notes: [
            "Names and values are those of configuration files. They come before the policies of the path, and replace those that"
                + " were set before; without any NAME=VALUE, those are taken away."
        ],
        examples: [
            .init(
                "fresh for an hour",
                line: "policy set field.store Parts expirationPolicy=EXPIRE_AFTER expireAfter=3600"
            ),
            .init("first of all", line: "policy set field.store 'WorkOrders?$top=20' --pin high"),
        ]
    )

    private let store: String
    private let url: String
    private let policy: ResourcePolicy?
    private let pin: PinPriority?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        url = arguments.operands[1]
        isJSON = arguments.has("json")
        let settings = Array(arguments.operands.dropFirst(2))
        let priorities = PinPriority.allCases.map { (name: $0.rawValue, value: $0) }
        pin = try arguments.choice("pin", of: priorities)
        policy = settings.isEmpty && pin != nil ? nil : try PolicySettings.read(settings)
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let engine = PolicyEngine(
            provider: try StoreSession.local(store, on: terminal, policies: .byCommand).provider
        )
        if let policy { try await engine.setPolicy(policy, for: url) }
        if let pin { try await engine.pin(url, priority: pin) }
        try AffectedReport([url]).answer("set: \(url)", isJSON: isJSON, on: terminal)
        return .done
    }
}
