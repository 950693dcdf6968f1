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
            let file = GrowingFile()
            return try await provider.exportData(inPagesOf: 1_000) { piece in
                if piece.isFirst { try file.begin("\(directory)/\(piece.entitySet).json") }
                try file.append(piece.json + (piece.isLast ? [0x0A] : []))
            }
        }
        try terminal.answer("exported: \(Words.amount(count, "entity set")) to \(directory)")
        return .done
    }
}

/// The file that is being written, closed when the next one begins.
private final class GrowingFile {
    private var descriptor: Int32?
    private var path = ""

    deinit { end() }

    func begin(_ path: String) throws(CommandFailure) {
        end()
        self.path = path
        descriptor = try FileBytes.descriptor(writing: path)
    }

    func append(_ bytes: [UInt8]) throws(CommandFailure) {
        guard let descriptor else { return }
        try FileBytes.write(bytes, to: descriptor, named: path)
    }

    private func end() {
        if let descriptor { FileBytes.close(descriptor) }
        descriptor = nil
    }
}
