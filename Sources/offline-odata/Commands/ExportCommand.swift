import OfflineOData

/// `export`: the entities of a store as files.
struct ExportCommand: Command {
    static let syntax = CommandSyntax(
        name: "export",
        summary: "Writes the entities of a store into files, one for each entity set.",
        forms: ["STORE DIR"],
        operands: 2...2,
        notes: [
            "DIR gets metadata.xml (or .json) and a file Set.json for each set that has entities; `import` reads them again."
                + " The entities are as the store shows them, local changes included."
        ],
        examples: [.init("for another tool", "export field.store rows")]
    )

    private let store: String
    private let directory: String

    init(_ arguments: Arguments) {
        store = arguments.operands[0]
        directory = arguments.operands[1]
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try StoreSession.local(store, terminal)
        let document = try await session.provider.metadataDocument()
        try FileBytes.makeDirectory(directory)
        let isJSON = document.first { $0 > 0x20 } == UInt8(ascii: "{")
        try FileBytes.write(document, to: "\(directory)/metadata.\(isJSON ? "json" : "xml")")
        let directory = directory
        let count = try await session.run { provider in
            try await provider.exportData { file in
                try FileBytes.write(
                    file.json + [0x0A],
                    to: "\(directory)/\(file.entitySet).json"
                )
            }
        }
        try terminal.answer("exported: \(Words.amount(count, "entity set")) to \(directory)")
        return .done
    }
}
