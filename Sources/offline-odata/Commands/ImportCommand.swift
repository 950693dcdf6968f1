import CommandSupport
import ODataModel
import OfflineOData

/// `import`: a store without a service, from files.
struct ImportCommand: Command {
    static let name = "import"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Makes a store without a service from a metadata document and files of rows.",
        forms: ["STORE --metadata FILE DATA... [--as-served] [--complete] [--json]"],
        operands: 1...10_000,
        options: [
            .value("metadata", placeholder: "FILE", help: "the model; needed for a new store"),
            .flag(
                "as-served",
                help: "takes values that the model does not allow, as a download takes them"
            ),
            .flag(
                "complete",
                help: "refuses foreign keys that lead to no entity in a file or in the store"
            ),
            .json,
        ],
        notes: [
            "Each file is named after its entity set, Set.json, and holds {\"value\":[…]} or […] in OData JSON; a singleton's"
                + " holds the entity. Entities whose key is there already are replaced. The rows are data, not changes:"
                + " nothing is queued.",
            "Values are checked against the model, as local changes are. Services are at times looser than their metadata: with"
                + " --as-served longer texts, more digits, nulls and absent values are taken as a download takes them, so that"
                + " the export of a store of such a service can be imported. Keys, names, references and the form of the JSON"
                + " are checked all the same.",
            "Streams are read from the directory Set.streams beside the file, where `export` has written one.",
            "What an entity names by a reference (Name@odata.bind, @odata.id) has to be in a file or in the store. A foreign key"
                + " may lead to an entity that is in neither, since a store may hold a part of what a service has: the answer"
                + " counts such entities, and --complete refuses the first of their keys with its line and place.",
        ],
        examples: [
            .init(
                "a store to try queries on",
                line: "import trial.store --metadata v1.xml rows/*.json"
            ),
            .init("then", line: "get trial.store 'Parts?$filter=UnitPrice lt 10'"),
        ]
    )

    private let store: String
    private let metadata: String?
    private let paths: [String]
    private let takesServedValues: Bool
    private let isComplete: Bool
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        metadata = arguments.value("metadata")
        paths = Array(arguments.operands.dropFirst())
        takesServedValues = arguments.has("as-served")
        isComplete = arguments.has("complete")
        isJSON = arguments.has("json")
        guard metadata != nil || FileBytes.exists(store) else {
            throw .usage("a new store needs --metadata FILE")
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let document = try metadata.map { try MetadataFile(path: $0).read() }
        let isNew = !FileBytes.exists(store)
        let session = try StoreSession.local(store, on: terminal, isCreating: true)
        do {
            if !isNew { try await refuseService(session) }
            let start = ContinuousClock.now
            var counts = try await load(session, document: document)
            counts.time = ContinuousClock.now - start
            if isJSON {
                try terminal.answer(counts.json + [0x0A])
            } else {
                try terminal.answer(
                    "imported: \(Words.amount(counts.entities, of: "entity", plural: "entities"))"
                        + " from \(Words.amount(counts.sets, of: "file"))\(counts.remark())"
                )
                if let absent = counts.absentRemark { try terminal.answer(absent) }
            }
            return .done
        } catch {
            // What has failed leaves nothing behind; a signal has cancelled this task, not the removal.
            if isNew { try? await Task { try await session.provider.clear(force: true) }.value }
            throw error
        }
    }

    /// Entities that the service did not send would stay among its own, and take part in conflicts.
    private func refuseService(_ session: StoreSession) async throws {
        guard let root = try await session.run({ try await $0.status().serviceRoot }) else {
            return
        }
        throw CommandFailure(
            .invalid,
            "\(store) holds data of the service \(root): `import` fills stores without a service",
            advice: "Name a new store, with --metadata FILE."
        )
    }

    private func load(
        _ session: StoreSession,
        document: (bytes: [UInt8], document: CSDLDocument)?
    ) async throws -> DataCounts {
        let model =
            if let document { document.document.model } else {
                try await session.provider.metadata()
            }
        let files = try DataFiles(paths: paths, model: model)
        let streams = try files.files.map { ($0.path, try StreamFiles(besides: $0.path).items()) }
        let bytes = document?.bytes
        let values: OfflineODataImportedValues = takesServedValues ? .served : .declared
        do {
            return try await session.run { provider in
                let result = try await provider.importDataFiles(
                    files.files.map(\.data),
                    metadata: bytes,
                    values: values,
                    isComplete: isComplete
                )
                var counts = DataCounts()
                counts.sets = result.setCount
                counts.entities = result.entityCount
                counts.links = result.linkCount
                counts.absent = result.absentPrincipalCount
                for (path, items) in streams {
                    try await Self.load(items, of: StreamFiles(besides: path), into: provider)
                    counts.streams += items.count
                }
                return counts
            }
        } catch let error as OfflineODataError {
            guard let file = files.files.first(where: { $0.data.entitySet == error.place?.path })
            else { throw error }
            throw CommandFailure(
                .invalid,
                "\(file.path): \(error.message)",
                advice: error.code == .invalidValue
                    ? "Correct the value, or take the values as a service has sent them: --as-served."
                    : ""
            )
        }
    }

    /// Brings the streams of a file's entities, piece by piece.
    private static func load(
        _ items: [StreamFiles.Item],
        of files: StreamFiles,
        into provider: OfflineODataProvider
    ) async throws {
        for item in items {
            do {
                try await provider.importStream(
                    item.url,
                    content: FilePieces(path: files.path(of: item)),
                    contentType: item.contentType,
                    etag: item.etag
                )
            } catch let error as OfflineODataError {
                guard [.invalidInput, .notFound].contains(error.category) else { throw error }
                throw CommandFailure(.invalid, "\(files.path(of: item)): \(error.message)")
            }
        }
    }
}
