import CommandSupport
import MetadataCommands
import OfflineOData

/// `check`: whether the store's file is sound, and whether it holds what the service has.
struct CheckCommand: Command {
    static let name = "check"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Checks the integrity of a store's file, or compares it with the service.",
        forms: ["STORE [--against-service] [--json]"],
        operands: 1...1,
        options: [
            .flag("against-service", help: "compare the store, entity by entity, with the service"),
            .flag(
                "json",
                help: "one JSON document: sound, differences, faults, compared, passedOver, seconds"
            ),
        ] + NetworkOptions.syntax,
        notes: [
            "Exit status 1: the file is damaged or holds what the engine did not make, or the store differs from the service; each difference is a line on standard output."
                + " --against-service loads the defining queries, and the reads that fetch policies have kept, into a second file beside the store, or among the temporary files where the store can be read only, which goes away again."
                + " Entities, singletons, streams and the links that queries expand are compared. Entities with changes that are not uploaded are passed over; so download first."
        ],
        examples: [
            .init("after a crash of the disk", line: "check field.store"),
            .init("is everything here?", line: "check field.store --against-service"),
        ]
    )

    private let settings: SyncSettings
    private let comparesService: Bool
    private let isJSON: Bool

    private var store: String { settings.store }

    init(_ arguments: Arguments) throws(CommandFailure) {
        settings = try SyncSettings(arguments)
        comparesService = arguments.has("against-service")
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let start = ContinuousClock.now
        let (session, faults) = try await checked(terminal)
        guard faults.isEmpty else {
            if isJSON {
                try answer(terminal, isSound: false, faults: faults, since: start)
            } else {
                for fault in faults { try terminal.answer(fault) }
            }
            throw CommandFailure(
                .failed,
                "\(store) is damaged",
                advice:
                    "`export` it if it can still be read, then `clear` the store and `open` it anew."
            )
        }
        if try await session.run({ try await $0.hasPendingImport() }) {
            terminal.remark("an import was broken off " + StatusText.brokenImport)
        }
        guard comparesService else {
            if isJSON {
                try answer(terminal, isSound: true, since: start)
            } else {
                try terminal.answer("sound")
            }
            return .done
        }
        return try await compare(session, since: start, on: terminal)
    }

    /// What is damaged; a file that is so damaged that it cannot be looked through is damaged as a whole.
    private func checked(_ terminal: Terminal) async throws -> (StoreSession, faults: [String]) {
        let start = ContinuousClock.now
        do {
            let session = try settings.session(terminal)
            return (session, try await session.provider.checkIntegrity().compactMap(\.message))
        } catch let error as OfflineODataError
            where error.code == .damagedStore || error.code == .notAStore
        {
            if isJSON {
                try answer(terminal, isSound: false, faults: [error.message], since: start)
            }
            throw error
        }
    }

    private func answer(
        _ terminal: Terminal,
        isSound: Bool,
        comparison: OfflineODataComparison? = nil,
        faults: [String] = [],
        since start: ContinuousClock.Instant
    ) throws {
        let json = DifferenceText.json(
            isSound: isSound,
            comparison: comparison,
            faults: faults,
            time: ContinuousClock.now - start
        )
        try terminal.answer(json + [0x0A])
    }

    // MARK: Comparing

    private func compare(
        _ session: StoreSession,
        since start: ContinuousClock.Instant,
        on terminal: Terminal
    ) async throws -> ExitStatus {
        let total = try await session.run { try await $0.compareWithService() }
        if isJSON {
            try answer(terminal, isSound: true, comparison: total, since: start)
        } else {
            for difference in total.differences {
                try terminal.answer(DifferenceText.line(difference))
            }
        }
        if total.passedOverCount > 0 {
            terminal.remark(
                "passed over: \(Words.amount(total.passedOverCount, of: "entity", plural: "entities")) with local changes"
            )
        }
        let compared = Words.amount(total.comparedCount, of: "entity", plural: "entities")
        guard total.differences.isEmpty else {
            throw CommandFailure(
                .failed,
                "\(Words.amount(total.differences.count, of: "difference")) in \(compared)",
                advice: "`download \(ShellText.quoted(store)) --full` brings the service's state."
                    + (session.engine == nil
                        ? ""
                        : " `policy refresh \(ShellText.quoted(store)) URL` brings what a read holds.")
            )
        }
        if !isJSON {
            let time = Words.time(ContinuousClock.now - start)
            try terminal.answer("the same as the service: \(compared), \(time)")
        }
        return .done
    }
}
