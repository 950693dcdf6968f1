import ODataHTTPServer
import ODataModel
import ODataProtocol
import ODataService
import OfflineStore

/// `serve`: a store, or a model with data, as an OData service on the loopback interface.
struct ServeCommand: Command {
    static let syntax = CommandSyntax(
        name: "serve",
        summary: "Runs an OData service on 127.0.0.1: over a store, or over a model of your own.",
        forms: [
            "STORE [--port N]",
            "--metadata FILE [--data DIR | --database FILE] [--port N] [--page-size N] [--delta]",
        ],
        operands: 0...1,
        options: options,
        notes: [
            "Prints `listening on http://127.0.0.1:PORT/` when it is ready, and runs until a signal ends it (status 8)."
                + " Changes made through the service of a STORE go to its queue, as those of `post` do.",
            "With --metadata, DIR holds a file Set.json ({\"value\":[…]} or […]) for each entity set that has data; the"
                + " entities live in a temporary file, or in the SQLite file of --database, which stays.",
            "--faults reads a JSON array of {\"match\":\"METHOD /path-prefix\", \"nth\":n, \"action\":\"drop-before|"
                + "drop-after-commit|truncate-body|status|delay|garbage\", \"status\":503, \"retryAfter\":1, \"bytes\":n,"
                + " \"milliseconds\":n}; each entry acts once, on the nth request that it matches.",
        ],
        examples: [
            .init(
                "a service to try things on",
                "serve --metadata v1.xml --data rows --port 8080 --delta"
            ),
            .init("let a browser read the store", "serve field.store --port 8081"),
            .init(
                "a service that fails now and then",
                "serve --metadata v1.xml --faults faults.json"
            ),
        ]
    )

    private static let options: [OptionSyntax] = [
        .value("port", "N", "port to listen on; 0 (default) takes a free one"),
        .value("metadata", "FILE", "the model of a service without store"),
        .value("data", "DIR", "its data, read at the start"),
        .value("database", "FILE", "its data, kept in this SQLite file"),
        .value("page-size", "N", "most entities in a page; whole results by default"),
        .flag("delta", "answer delta links where they are asked for"),
        .flag("csrf", "demand a token that is fetched before changes"),
        .flag("repeatable", "recognise requests that are repeated under their id"),
        .flag("no-batch", "offer no $batch"),
        .value("latency", "SECONDS", "time that each answer waits"),
        .value("token", "TOKEN", "bearer token that each request must carry"),
        .value("faults", "FILE", "failures on purpose"),
    ]

    private enum Source: Sendable {
        case store(String)
        case model(metadata: String, data: String?, database: String?)
    }

    private let source: Source
    private let port: UInt16
    private let service: ServiceOptions
    private let faultsFile: String?
    private let token: String?

    init(_ arguments: Arguments) throws(CommandFailure) {
        source = try Self.source(arguments)
        port = UInt16(try arguments.number("port", in: 0...65_535) ?? 0)
        faultsFile = arguments.value("faults")
        token = try arguments.value("token").map { value throws(CommandFailure) in
            try SecretText.read(value)
        }
        service = try Self.service(arguments)
    }

    private static func source(_ arguments: Arguments) throws(CommandFailure) -> Source {
        let metadata = arguments.value("metadata")
        let (data, database) = (arguments.value("data"), arguments.value("database"))
        if let store = arguments.operands.first {
            guard metadata == nil, data == nil, database == nil else {
                throw .usage(
                    "a store has its own metadata and data: give either STORE or --metadata"
                )
            }
            return .store(store)
        }
        guard let metadata else {
            throw .usage("there is nothing to serve", advice: "Give a STORE, or --metadata FILE.")
        }
        guard data == nil || database == nil else {
            throw .usage("--data and --database exclude each other")
        }
        return .model(metadata: metadata, data: data, database: database)
    }

    private static func service(_ arguments: Arguments) throws(CommandFailure) -> ServiceOptions {
        var options = ServiceOptions()
        options.pageSize = try arguments.number("page-size", in: 1...1_000_000)
        options.tracksChanges = arguments.has("delta")
        options.wantsCSRFToken = arguments.has("csrf")
        options.isRepeatable = arguments.has("repeatable")
        options.hasBatch = !arguments.has("no-batch")
        options.latency = try arguments.seconds("latency") ?? .zero
        return options
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let faults = try faultsFile.map { try FaultPlan(file: $0) } ?? []
        let store = try await entityStore(terminal)
        let handler = ODataServiceHandler(store: store, options: behaviour)
        let listener = try HTTPListener(
            answering: FaultyService(handler: handler, faults: faults),
            port: port,
            token: token
        )
        try terminal.answer("listening on http://127.0.0.1:\(listener.port)/")
        try? await SignalWatch.shared.cancellable {
            while true { try await Task.sleep(for: .seconds(86_400)) }
        }
        await listener.stop()
        return .cancelled
    }

    /// A store takes local changes without a precondition, and creates nothing by a PATCH.
    private var behaviour: ServiceOptions {
        guard case .store = source else { return service }
        var options = service
        options.demandsPreconditions = false
        options.allowsUpsert = false
        return options
    }

    private func entityStore(_ terminal: Terminal) async throws -> any EntityStore {
        switch source {
        case .store(let path):
            let store = try OpenStore.existing(path)
            _ = try await OpenStore.mapping { try await store.schema() }
            return store
        case .model(let metadata, let data, let database):
            let (bytes, document) = try MetadataFile(path: metadata).read()
            let files = try data.map { try DataFiles(directory: $0, model: document.model) }
            let store = try TableEntityStore(path: database, document: bytes, model: document.model)
            if let files { try await load(files, into: store, terminal) }
            return store
        }
    }

    private func load(_ files: DataFiles, into store: TableEntityStore, _ terminal: Terminal)
        async throws
    {
        let sources = files.files.map { DataImporter.Source(name: $0.set, json: $0.json) }
        do {
            let count = try await DataImporter(store).importAll(sources)
            terminal.remark("\(Words.amount(count, "entity", "entities")) in \(sources.count) sets")
        } catch let error as ImportError {
            throw CommandFailure(.invalid, "\(error.set).json: \(error.message)")
        }
    }
}
