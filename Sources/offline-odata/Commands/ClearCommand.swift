import CommandSupport
import OfflineOData

/// `clear`: removes a store with everything that belongs to it.
struct ClearCommand: Command {
    static let name = "clear"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Removes a store; refuses while changes wait to be uploaded.",
        forms: ["STORE [--force] [--json]"],
        operands: 1...1,
        options: [
            .json,
            .flag(
                "force",
                help: "also with changes that were never uploaded, and where the store is damaged"
            ),
            .value(
                "wait",
                placeholder: "SECONDS",
                help: "time that another process's synchronisation is waited for (0)"
            ),
        ],
        examples: [
            .init(
                "begin anew",
                line: "clear field.store --force && offline-odata open field.store \\\n"
                    + "      --service https://example.org/odata/ --query Parts=Parts"
            )
        ]
    )

    private let store: String
    private let isForced: Bool
    private let wait: Duration
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        isForced = arguments.has("force")
        isJSON = arguments.has("json")
        wait = try arguments.seconds("wait") ?? .zero
        guard FileBytes.exists(store) else { throw .usage("there is no store at \(store)") }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let (path, isForced, wait, key) = (store, isForced, wait, terminal.storeKey)
        let start = ContinuousClock.now
        do {
            try await SignalWatch.shared.cancellable {
                try await OfflineODataProvider.removeStore(
                    at: path,
                    key: key,
                    force: isForced,
                    wait: wait
                )
            }
        } catch let error as OfflineODataError {
            var failure = CommandFailure(error)
            switch error.code {
            case .preconditionFailed:
                failure.details = []
                failure.advice =
                    "`upload` them, decide about refused ones (`errors`), or give --force."
            case .storage where !isForced, .damagedStore where !isForced:
                failure.advice = "--force removes it all the same."
            case .notAStore: failure.advice = "Remove it by other means if it has to go."
            default: break
            }
            throw failure
        }
        try AffectedReport([path], time: ContinuousClock.now - start)
            .answer("cleared \(path)", isJSON: isJSON, on: terminal)
        return .done
    }
}
