import OfflineOData

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
                + " nothing is queued.",
            "What an entity names by a reference (Name@odata.bind, @odata.id) has to be in a file or in the store. A foreign key"
                + " may lead to an entity that is in neither.",
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
        let document = try metadata.map { try MetadataFile(path: $0).read() }
        let isNew = !FileBytes.exists(store)
        let session = try StoreSession.local(store, terminal, isCreating: true)
        do {
            let count = try await load(session, document)
            try terminal.answer(
                "imported: \(Words.amount(count, "entity", "entities"))"
                    + " from \(Words.amount(paths.count, "file"))"
            )
            return .done
        } catch {
            // What has failed at its beginning leaves nothing behind.
            if isNew { try? await session.provider.clear(force: true) }
            throw error
        }
    }

    private func load(
        _ session: StoreSession,
        _ document: (bytes: [UInt8], document: CSDLDocument)?
    ) async throws -> Int {
        let model =
            if let document { document.document.model } else {
                try await session.provider.metadata()
            }
        let files = try DataFiles(paths: paths, model: model)
        let bytes = document?.bytes
        do {
            return try await session.run {
                try await $0.importData(files.files.map(\.data), metadata: bytes)
            }
        } catch let error as OfflineODataError {
            guard let file = files.files.first(where: { $0.data.entitySet == error.place?.path })
            else { throw error }
            throw CommandFailure(.invalid, "\(file.path): \(error.message)")
        }
    }
}
