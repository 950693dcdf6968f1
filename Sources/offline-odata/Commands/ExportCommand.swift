import OfflineOData

/// `export`: the entities of a store as files.
struct ExportCommand: Command {
    static let syntax = CommandSyntax(
        name: "export",
        summary: "Writes the entities of a store into files, one for each entity set.",
        forms: ["STORE DIR [--json]"],
        operands: 2...2,
        options: [.json],
        notes: [
            "DIR gets metadata.xml (or .json), a file Set.json for each set that has entities, with their links and the entities"
                + " that they contain, and a directory Set.streams for each set with streams; `import` reads them again."
                + " What an earlier export left in DIR goes.",
            "The entities are as the store shows them, local changes included. What was created here and has no key yet is left"
                + " out, with the links to it: `queue export` takes it along.",
        ],
        examples: [.init("for another tool", "export field.store rows")]
    )

    private let store: String
    private let directory: String
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        store = arguments.operands[0]
        directory = arguments.operands[1]
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try StoreSession.local(store, terminal)
        let document = try await session.provider.metadataDocument()
        let directory = try ExportDirectory(directory)
        try directory.writeMetadata(document)
        let counts = try await session.run { provider in
            var counts = try await Self.writeEntities(of: provider, to: directory)
            counts.streams = try await Self.writeStreams(of: provider, to: directory)
            return counts
        }
        guard !isJSON else {
            try terminal.answer(counts.json + [0x0A])
            return .done
        }
        let sets = Words.amount(counts.sets, "entity set")
        try terminal.answer("exported: \(sets) to \(directory.path)\(counts.remark)")
        return .done
    }

    private static func writeEntities(
        of provider: OfflineODataProvider,
        to directory: ExportDirectory
    ) async throws -> DataCounts {
        var counts = DataCounts()
        let file = GrowingFile()
        counts.sets = try await provider.exportData(inPagesOf: 1_000) { piece in
            if piece.isFirst { try file.begin(directory.file(of: piece.entitySet)) }
            try file.append(piece.json + (piece.isLast ? [0x0A] : []))
            counts.entities += piece.entityCount
            counts.links += piece.linkCount
        }
        return counts
    }

    /// Writes the streams into files that are numbered in each set, and then the lists of them.
    private static func writeStreams(
        of provider: OfflineODataProvider,
        to directory: ExportDirectory
    ) async throws -> Int {
        var items: [String: [StreamFiles.Item]] = [:]
        let count = try await provider.exportStreams { set, url, stream in
            let files = directory.streams(of: set)
            let item = StreamFiles.Item(
                url: url,
                file: String(items[set, default: []].count + 1),
                contentType: stream.contentType,
                etag: stream.etag
            )
            try FileBytes.makeDirectory(files.directory)
            let file = GrowingFile()
            try file.begin(files.path(of: item))
            for try await piece in stream { try file.append(piece) }
            items[set, default: []].append(item)
        }
        for (set, items) in items { try directory.streams(of: set).write(items) }
        return count
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
