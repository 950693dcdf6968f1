import CommandSupport
import OfflineOData

/// `export`: the entities of a store as files.
struct ExportCommand: Command {
    static let name = "export"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Writes the entities of a store into files, one for each entity set.",
        forms: ["STORE DIR [--format json|csv|ndjson] [--json]"],
        operands: 2...2,
        options: [ExportFormat.syntax, .json],
        notes: [
            "DIR gets metadata.xml (or .json), a file Set.json for each set that has entities, with their links and the entities"
                + " that they contain, and a directory Set.streams for each set with streams; `import` reads them again."
                + " What an earlier export left in DIR goes.",
            "The entities are as the store shows them, local changes included. What was created here and has no key yet is left"
                + " out, with the links to it: `queue export` takes it along.",
            "--format csv and ndjson are for people and pipelines: Set.csv has a column for each property, complex ones as"
                + " Address/City; streams are left out, and links from csv; `import` reads neither.",
        ],
        examples: [
            .init("for another tool", line: "export field.store rows"),
            .init("for a spreadsheet", line: "export field.store tables --format csv"),
        ]
    )

    private let store: String
    private let directory: String
    private let format: ExportFormat
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        directory = arguments.operands[1]
        format = try ExportFormat.read(arguments)
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try StoreSession.local(store, on: terminal)
        let (directory, format) = (directory, format)
        let start = ContinuousClock.now
        var counts = try await session.run { provider in
            try await ExportDirectory.write(provider, to: directory, as: format)
        }
        counts.time = ContinuousClock.now - start
        guard !isJSON else {
            try terminal.answer(counts.json + [0x0A])
            return .done
        }
        let sets = Words.amount(counts.sets, of: "entity set")
        try terminal.answer(
            "exported: \(sets) to \(directory)\(counts.remark(sayingEntities: true))"
        )
        return .done
    }
}
