import OfflineOData
import OfflineStore

/// `clear`: removes a store with everything that belongs to it.
struct ClearCommand: Command {
    static let syntax = CommandSyntax(
        name: "clear",
        summary: "Removes a store; refuses while changes wait to be uploaded.",
        forms: ["STORE [--force]"],
        operands: 1...1,
        options: [
            .flag(
                "force",
                "also with changes that were never uploaded, and where the store is damaged"
            ),
            .value(
                "wait",
                "SECONDS",
                "time that another process's synchronisation is waited for (0)"
            ),
        ],
        examples: [
            .init("begin anew", "clear field.store && offline-odata open field.store --service URL")
        ]
    )

    private let store: String
    private let isForced: Bool
    private let wait: Duration

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        isForced = arguments.has("force")
        wait = try arguments.seconds("wait") ?? .zero
        guard FileBytes.exists(store) else { throw .usage("there is no store at \(store)") }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let (path, wait) = (store, wait)
        try StoreFiles.check(path)
        let lock = try await SignalWatch.shared.cancellable {
            try await SyncLock(besides: path, waiting: wait)
        }
        defer { withExtendedLifetime(lock) {} }
        if !isForced { try await checkNothingWaits(terminal) }
        try StoreFiles.remove(path)
        try terminal.answer("cleared \(path)")
        return .done
    }

    private func checkNothingWaits(_ terminal: Terminal) async throws {
        let status = try await StoreSession.local(store, terminal).provider.storeStatus()
        let count = status.queueCount + status.errorCount
        guard count == 0 else {
            throw CommandFailure(
                .failed,
                "\(store) holds \(Words.amount(count, "change")) that the service does not have",
                advice: "`upload` them first, or give --force."
            )
        }
    }
}
