import CommandSupport
import ODataProtocol
import OfflineOData

/// `sets`: what a store can hold.
struct SetsCommand: Command {
    static let name = "sets"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Lists the entity sets of a store, or the properties and relations of one.",
        forms: ["STORE [SET] [--json]"],
        operands: 1...2,
        options: [.json],
        notes: [
            "--json: name, kind (entitySet or singleton), type, key, rows, properties (name, type, nullable, maxLength,"
                + " precision, scale) and navigationProperties (name, type, target, contained); an array of sets, or the"
                + " object of the one that is named."
        ],
        examples: [
            .init("what is in this store?", line: "sets field.store"),
            .init("what can be asked of a set?", line: "sets field.store WorkOrders"),
        ]
    )

    private let store: String
    private let set: String?
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        store = arguments.operands[0]
        set = arguments.operands.count > 1 ? arguments.operands[1] : nil
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let sets = try await StoreSession.local(store, on: terminal).provider.setDescriptions()
        if let set {
            let found = try Self.find(set, in: sets)
            try isJSON
                ? terminal.answer(SetListing.json(found) + [0x0A])
                : terminal.answer(SetListing.lines(found).joined(separator: "\n"))
        } else {
            try isJSON
                ? terminal.answer(SetListing.json(sets) + [0x0A])
                : terminal.answer(SetListing.lines(sets).joined(separator: "\n"))
        }
        return .done
    }

    private static func find(
        _ name: String,
        in sets: [OfflineODataSetDescription]
    ) throws(CommandFailure) -> OfflineODataSetDescription {
        if let found = sets.first(where: { $0.name == name }) { return found }
        throw CommandFailure(
            .notFound,
            "the store has no set '\(name)'" + NearestName.question(name, among: sets.map(\.name)),
            advice: "`\(CommandSyntax.program) sets STORE` lists them."
        )
    }
}
