import OfflineOData

/// `check`: whether the store's file is sound.
struct CheckCommand: Command {
    static let syntax = CommandSyntax(
        name: "check",
        summary: "Checks the integrity of a store's file.",
        forms: ["STORE"],
        operands: 1...1,
        notes: ["Exit status 1: the file is damaged; what is wrong is listed."],
        examples: [.init("after a crash of the disk", "check field.store")]
    )

    private let store: String

    init(_ arguments: Arguments) {
        store = arguments.operands[0]
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let faults = try await StoreSession.local(store, terminal).provider.checkIntegrity()
        guard faults.isEmpty else {
            for fault in faults { try terminal.answer(fault) }
            throw CommandFailure(
                .failed,
                "\(store) is damaged",
                advice: "`export` what can be read, then `clear` the store and `open` it anew."
            )
        }
        try terminal.answer("sound")
        return .done
    }
}
