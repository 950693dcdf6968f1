import CommandSupport
import OfflineOData

/// `identify`: says which entity of the service one is that was created here.
struct IdentifyCommand: Command {
    static let name = "identify"
    static let syntax = CommandSyntax(
        name: name,
        summary:
            "Names the service's entity for one that was created here without learning its key.",
        forms: ["STORE URL SERVICE-URL [--json]"],
        operands: 3...3,
        options: [.json],
        notes: [
            "Some services do not return the key of an entity that they create. Requests that name such an entity are parked until its key is"
                + " known; a download finds it by its values, this command sets it.",
            "Where the answer to a creation was lost (unknownOutcome), a download does not decide: an entity of the same values may be"
                + " another client's, and both are shown. This command says that it was carried out: nothing is sent again, and the"
                + " two become one. `queue retry` sends it again, `queue drop --even-if-unknown` takes it back.",
        ],
        examples: [
            .init(
                "the order is number 77",
                line: "identify field.store \"WorkOrders(\\$local='…')\" 'WorkOrders(77)'"
            )
        ]
    )

    private let store: String
    private let url: String
    private let name: String
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        url = arguments.operands[1]
        name = arguments.operands[2]
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let provider = try StoreSession.local(store, on: terminal).provider
        try await provider.identifyEntity(url, as: name)
        try AffectedReport([url])
            .answer("\(url) is \(name) at the service", isJSON: isJSON, on: terminal)
        return .done
    }
}
