import ODataTables
import OfflineOData
import OfflineStore

/// `check`: whether the store's file is sound, and whether it holds what the service has.
struct CheckCommand: Command {
    static let syntax = CommandSyntax(
        name: "check",
        summary: "Checks the integrity of a store's file, or compares it with the service.",
        forms: ["STORE [--against-service]"],
        operands: 1...1,
        options: [.flag("against-service", "compare the store, entity by entity, with the service")]
            + NetworkOptions.syntax,
        notes: [
            "Exit status 1: the file is damaged, or differs from the service; each difference is a line on standard output."
                + " --against-service loads the defining queries into a second file beside the store, which goes away again."
                + " Entities with changes that are not uploaded are passed over; so download first."
        ],
        examples: [
            .init("after a crash of the disk", "check field.store"),
            .init("is everything here?", "check field.store --against-service"),
        ]
    )

    private let settings: SyncSettings
    private let comparesService: Bool

    private var store: String { settings.store }

    init(_ arguments: Arguments) throws(CommandFailure) {
        settings = try SyncSettings(arguments)
        comparesService = arguments.has("against-service")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try settings.session(terminal)
        let faults = try await session.provider.checkIntegrity()
        guard faults.isEmpty else {
            for fault in faults { try terminal.answer(fault) }
            throw CommandFailure(
                .failed,
                "\(store) is damaged",
                advice: "`export` what can be read, then `clear` the store and `open` it anew."
            )
        }
        guard comparesService else {
            try terminal.answer("sound")
            return .done
        }
        return try await compare(session, terminal)
    }

    // MARK: Comparing

    private func compare(_ session: StoreSession, _ terminal: Terminal) async throws -> ExitStatus {
        let status = try await session.provider.status()
        guard let root = status.serviceRoot else {
            throw CommandFailure(.failed, "the store belongs to no service")
        }
        let copyPath = store + "-check"
        try StoreFiles.remove(copyPath)
        defer { try? StoreFiles.remove(copyPath) }
        let copy = try settings.session(
            terminal,
            path: copyPath,
            serviceRoot: root,
            isCreating: true
        )
        for query in status.queries {
            try copy.provider.add(
                definingQuery: OfflineODataDefiningQuery(name: query.name, query: query.url)
            )
        }
        try await copy.run { try await $0.open() }
        let comparison = ServiceComparison(
            store: session.provider,
            copy: copy.provider,
            model: try await OpenStore.existing(store).schema().model
        )
        let names = Set(status.sets.map(\.name)).union(
            try await copy.provider.status().sets.map(\.name)
        )
        return try await report(comparison, names.sorted(), session, terminal)
    }

    private func report(
        _ comparison: ServiceComparison,
        _ names: [String],
        _ session: StoreSession,
        _ terminal: Terminal
    ) async throws -> ExitStatus {
        var total = ServiceComparison.Result()
        for name in names {
            let result = try await session.run { _ in try await comparison.compare(name) }
            for line in result.lines { try terminal.answer(line) }
            total.comparedCount += result.comparedCount
            total.passedOverCount += result.passedOverCount
            total.lines += result.lines
        }
        if total.passedOverCount > 0 {
            terminal.remark(
                "passed over: \(Words.amount(total.passedOverCount, "entity", "entities")) with local changes"
            )
        }
        let compared = Words.amount(total.comparedCount, "entity", "entities")
        guard total.lines.isEmpty else {
            throw CommandFailure(
                .failed,
                "\(Words.amount(total.lines.count, "difference")) in \(compared)",
                advice: "`download \(store)` brings the service's state."
            )
        }
        try terminal.answer("the same as the service: \(compared)")
        return .done
    }
}
