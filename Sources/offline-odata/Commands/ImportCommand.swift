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
        // A new store is made when all that it is made of has been read.
        let files = try document.map { try DataFiles(paths: paths, model: $0.document.model) }
        let isNew = !FileBytes.exists(store)
        let session = try StoreSession.local(store, on: terminal, isCreating: true)
        do {
            if !isNew { try await refuseService(session) }
            let start = ContinuousClock.now
            var counts = try await load(files, into: session, document: document?.bytes)
            counts.time = ContinuousClock.now - start
            try answer(counts, on: terminal)
            return .done
        } catch {
            // What has failed leaves nothing behind; a signal has cancelled this task, not the removal.
            if isNew { try? await Task { try await session.provider.clear(force: true) }.value }
            var failure = CommandFailure(error)
            guard failure.status == .cancelled else { throw error }
            failure.advice =
                isNew
                ? "No store was made; call the command again."
                : "The entities are as they were; call the command again."
            throw failure
        }
    }

    private func answer(_ counts: DataCounts, on terminal: Terminal) throws {
        guard !isJSON else { return try terminal.answer(counts.json + [0x0A]) }
        try terminal.answer(
            "imported: \(Words.amount(counts.entities, of: "entity", plural: "entities"))"
                + " from \(Words.amount(counts.sets, of: "file"))\(counts.remark())"
        )
        if let absent = counts.absentRemark { try terminal.answer(absent) }
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
        _ read: DataFiles?,
        into session: StoreSession,
        document: [UInt8]?
    ) async throws -> DataCounts {
        let files: DataFiles =
            if let read { read } else {
                try DataFiles(paths: paths, model: try await session.provider.metadata())
            }
        let contents = try files.files.flatMap { try StreamFiles(besides: $0.path).contents() }
        let values: OfflineODataImportedValues = takesServedValues ? .served : .declared
        do {
            return try await session.run { provider in
                let result = try await provider.importDataFiles(
                    files.files.map(\.data),
                    contents: contents,
                    metadata: document,
                    values: values,
                    isComplete: isComplete
                )
                var counts = DataCounts()
                counts.sets = result.setCount
                counts.entities = result.entityCount
                counts.links = result.linkCount
                counts.streams = result.streamCount
                counts.absent = result.absentPrincipalCount
                return counts
            }
        } catch let error as OfflineODataError {
            let place = error.place?.path
            guard
                let file = files.files.first(where: { $0.data.entitySet == place })?.path
                    ?? contents.first(where: { $0.place == place })?.place
            else { throw error }
            throw CommandFailure(
                .invalid,
                "\(file): \(error.message)",
                advice: error.code == .invalidValue
                    ? "Correct the value, or take the values as a service has sent them: --as-served."
                    : ""
            )
        }
    }
}
