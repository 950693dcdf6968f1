import ODataModel
import ODataProtocol
import ODataTables
import OfflineStore

/// `import`: a store without a service, from files.
struct ImportCommand: Command {
    static let syntax = CommandSyntax(
        name: "import",
        summary: "Makes a store without a service from a metadata document and files of rows.",
        forms: ["STORE --metadata FILE DATA..."],
        operands: 1...10_000,
        options: [.value("metadata", "FILE", "the model; needed for a new store")],
        notes: [
            "Each file is named after its entity set, Set.json, and holds {\"value\":[…]} or […] in OData JSON; a singleton's"
                + " holds the entity. Entities whose key is there already are replaced. The rows are data, not changes:"
                + " nothing is queued."
        ],
        examples: [
            .init("a store to try queries on", "import trial.store --metadata v1.xml rows/*.json"),
            .init("then", "get trial.store 'Parts?$filter=Price lt 10'"),
        ]
    )

    private let store: String
    private let metadata: String?
    private let paths: [String]

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        metadata = arguments.value("metadata")
        paths = Array(arguments.operands.dropFirst())
        guard metadata != nil || FileBytes.exists(store) else {
            throw .usage("a new store needs --metadata FILE")
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let file = try metadata.map { try MetadataFile(path: $0).read() }
        let isNew = !FileBytes.exists(store)
        let local = try LocalStore(path: store, isCreating: true)
        do {
            let count = try await load(local, file?.bytes)
            try terminal.answer(
                "imported: \(Words.amount(count, "entity", "entities"))"
                    + " from \(Words.amount(paths.count, "file"))"
            )
            return .done
        } catch {
            // What has failed at its beginning leaves nothing behind.
            if isNew { try? StoreFiles.remove(store) }
            throw error
        }
    }

    private func load(_ local: LocalStore, _ document: [UInt8]?) async throws -> Int {
        let work = StoreImport(local)
        if let document { try await work.take(document) }
        let files = try DataFiles(paths: paths, model: try await local.schema().model)
        var count = 0
        for file in files.files {
            do {
                count += try await SignalWatch.shared.cancellable {
                    try await work.load(file.json, into: file.set)
                }
            } catch let error as PayloadError {
                throw CommandFailure(.invalid, "\(file.path): \(error)")
            }
        }
        try await work.finish()
        return count
    }
}
