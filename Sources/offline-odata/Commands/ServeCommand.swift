import CommandSupport
import ODataHTTPServer
import ODataModel
import ODataProtocol
import ODataService
import OfflineOData

/// `serve`: a store, or a model with data, as an OData service on the loopback interface.
struct ServeCommand: Command {
    static let name = "serve"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Runs an OData service on 127.0.0.1: over a store, or over a model of your own.",
        forms: [
            "STORE [--port N] [--token TOKEN] [--json]",
            "--metadata FILE [--data DIR] [--database FILE] [--port N] [--page-size N] [--delta] [--json]",
            "--replay FILE [--port N] [--json]",
        ],
        operands: 0...1,
        options: options,
        notes: [
            "Prints `listening on http://127.0.0.1:PORT/` when it is ready, or with --json `{\"url\":\"http://127.0.0.1:PORT/\"}`, and runs until a signal ends it (status 8)."
                + " Changes made through the service of a STORE go to its queue, as those of `post` do.",
            "The address shows a page in a browser: rows, relations, the model, and of a STORE also its queue, its errors and its"
                + " synchronisation, for which the options of `sync` about the network are given here. With --token the page asks"
                + " for the token, or takes it from the address: http://127.0.0.1:PORT/#token=TOKEN.",
            "With --metadata, DIR holds a file Set.json ({\"value\":[…]} or […]) for each entity set that has data, as `export`"
                + " writes it, with the streams in Set.streams; the entities live in a temporary file, or in the SQLite file of"
                + " --database, which stays. With both, DIR is read the first time only.",
            "--faults reads a JSON array of {\"match\":\"METHOD /path-prefix\", \"nth\":n, \"action\":\"drop-before|"
                + "drop-after-commit|truncate-body|status|delay|garbage\", \"status\":503, \"retryAfter\":1, \"bytes\":n,"
                + " \"milliseconds\":n}; each entry acts once, on the nth request that it matches.",
            "--replay answers from a recording that --har has made: each request as it was answered then, by method, path and query."
                + " Open a store with the path of the recorded service root: --service http://127.0.0.1:PORT/path/.",
        ],
        examples: [
            .init(
                "a service to try things on",
                line: "serve --metadata v1.xml --data rows --port 8080 --delta"
            ),
            .init("look at the store in a browser", line: "serve field.store --port 8081"),
            .init("what a store held", line: "serve --metadata rows/metadata.xml --data rows"),
            .init("what a recording of --har was answered", line: "serve --replay session.har"),
            .init(
                "a service that fails now and then",
                line: "serve --metadata v1.xml --faults faults.json"
            ),
        ]
    )

    private static let options: [OptionSyntax] =
        [
            .value(
                "port",
                placeholder: "N",
                help: "port to listen on; 0 (default) takes a free one"
            ),
            .value("metadata", placeholder: "FILE", help: "the model of a service without store"),
            .value(
                "data",
                placeholder: "DIR",
                help: "its data, read at the start; with --database the first time only"
            ),
            .value("database", placeholder: "FILE", help: "its data, kept in this SQLite file"),
            .value(
                "page-size",
                placeholder: "N",
                help: "most entities in a page; whole results by default"
            ),
            .flag(
                "delta",
                help: "answer delta links where they are asked for; a store always does"
            ),
            .flag("csrf", help: "with --metadata: demand a token that is fetched before changes"),
            .flag(
                "repeatable",
                help: "with --metadata: recognise requests that are repeated under their id"
            ),
            .flag("no-batch", help: "offer no $batch"),
            .value("latency", placeholder: "SECONDS", help: "time that each answer waits"),
            .value(
                "token",
                placeholder: "TOKEN",
                help: "bearer token that each request must carry"
            ),
            .value("faults", placeholder: "FILE", help: "failures on purpose"),
            .value(
                "replay",
                placeholder: "FILE",
                help: "answer from a recording (HAR) instead of a store or a model"
            ),
            .json,
        ] + NetworkOptions.syntax

    private enum Source: Sendable {
        case store(SyncSettings)
        case model(metadata: String, data: String?, database: String?)
        case recording(String)
    }

    private let source: Source
    private let port: UInt16
    private let options: StandaloneOptions
    private let faultsFile: String?
    private let token: String?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        source = try Self.source(arguments)
        port = UInt16(try arguments.number("port", in: 0...65_535) ?? 0)
        faultsFile = arguments.value("faults")
        token = try arguments.value("token").map { value throws(CommandFailure) in
            let token = try SecretText.read(value)
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw .usage(
                    token.isEmpty
                        ? "the --token is empty: nothing could be asked of the service"
                        : "--token takes printable ASCII characters without spaces: others cannot stand in a header field"
                )
            }
            return token
        }
        options = try Self.options(arguments)
        isJSON = arguments.has("json")
    }

    private static func source(_ arguments: Arguments) throws(CommandFailure) -> Source {
        let metadata = arguments.value("metadata")
        let (data, database) = (arguments.value("data"), arguments.value("database"))
        if let replay = arguments.value("replay") {
            guard arguments.operands.isEmpty, metadata == nil, data == nil, database == nil else {
                throw .usage("--replay FILE stands in the place of STORE and --metadata")
            }
            return .recording(replay)
        }
        if !arguments.operands.isEmpty {
            guard metadata == nil, data == nil, database == nil else {
                throw .usage(
                    "a store has its own metadata and data: give either STORE or --metadata"
                )
            }
            for name in ["csrf", "repeatable"] where arguments.has(name) {
                throw .usage("--\(name) is of services with --metadata, not of a store")
            }
            return .store(try SyncSettings(arguments, isServing: true))
        }
        for option in NetworkOptions.syntax where arguments.contains(option.name) {
            throw .usage("--\(option.name) is of a STORE, whose page synchronises it")
        }
        guard let metadata else {
            throw .usage("there is nothing to serve", advice: "Give a STORE, or --metadata FILE.")
        }
        return .model(metadata: metadata, data: data, database: database)
    }

    private static func options(_ arguments: Arguments) throws(CommandFailure) -> StandaloneOptions
    {
        var options = StandaloneOptions()
        options.service.pageSize = try arguments.number("page-size", in: 1...1_000_000)
        options.tracksChanges = arguments.has("delta")
        options.wantsCSRFToken = arguments.has("csrf")
        options.isRepeatable = arguments.has("repeatable")
        options.service.demandsContentType = true
        options.service.hasBatch = !arguments.has("no-batch")
        options.service.latency = try arguments.seconds("latency") ?? .zero
        return options
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let faults = try faultsFile.map { try FileBytes.read($0) }
        let served = try await served(terminal)
        let service = try FaultyService(
            handler: served.handler,
            faults: faults,
            named: faultsFile ?? ""
        )
        let listener = try HTTPListener(
            answering: served.page.map { PageAnswering(service: service, content: $0) } ?? service,
            port: port,
            token: token
        )
        do {
            // A program that reads this line may send the signal at once, and the page may have work to cancel.
            try await SignalWatch.shared.cancellable {
                let url = "http://127.0.0.1:\(listener.port)/"
                try terminal.answer(isJSON ? #"{"url":"\#(url)"}"# : "listening on \(url)")
                while true { try await Task.sleep(for: .seconds(86_400)) }
            }
        } catch is CancellationError {}
        await served.page?.stop()
        await listener.stop()
        try await served.standalone?.checkpoint()
        return .cancelled
    }

    /// What is served: a service, and the content of its page where it has one.
    private struct Served {
        let handler: any HTTPHandler
        var page: (any PageContent)?
        /// Set where the service is one of its own.
        var standalone: StandaloneService?
    }

    private func served(_ terminal: Terminal) async throws -> Served {
        switch source {
        case .recording(let file):
            do {
                return Served(handler: try OfflineODataReplay(har: FileBytes.read(file)))
            } catch let error as OfflineODataError {
                throw CommandFailure(.invalid, "\(file): \(error.message)")
            }
        case .store(let settings):
            let session = try settings.session(terminal)
            // A store without a model has nothing to answer.
            _ = try await session.provider.metadata()
            return Served(
                handler: session.provider.handler(options: options.service),
                page: StoreContent(store: settings.store, session: session)
            )
        case .model(let metadata, let data, let database):
            let (bytes, document) = try MetadataFile(path: metadata).read()
            let standalone = try StandaloneService(
                metadata: bytes,
                model: document.model,
                database: database,
                options: options
            )
            if let data, try await !standalone.isLoaded {
                let files = try DataFiles(directory: data, model: document.model)
                try await load(files, into: standalone, on: terminal)
            }
            let name = String(metadata.split(separator: "/").last ?? "")
            return Served(
                handler: standalone.handler,
                page: ModelContent(name: name, model: document.model),
                standalone: standalone
            )
        }
    }

    private func load(_ files: DataFiles, into service: StandaloneService, on terminal: Terminal)
        async throws
    {
        let json = files.files.map { ($0.data.entitySet, $0.data.json) }
        let streams = try files.files.flatMap { try Self.streams(besides: $0.path) }
        let count = try await service.load(
            Dictionary(json) { first, _ in first },
            streams: streams
        )
        let links = streams.isEmpty ? "" : ", " + Words.amount(streams.count, of: "stream")
        terminal.remark(
            "\(Words.amount(count, of: "entity", plural: "entities")) in \(Words.amount(json.count, of: "set"))\(links)"
        )
    }

    private static func streams(besides path: String) throws(CommandFailure) -> [StandaloneStream] {
        let files = StreamFiles(besides: path)
        return try files.items().map { item in
            StandaloneStream(
                url: item.url,
                contentType: item.contentType,
                content: FilePieces(path: files.path(of: item))
            )
        }
    }
}

extension FaultyService {
    /// Reads the faults of a file; none where there is no file.
    fileprivate convenience init(
        handler: any HTTPHandler,
        faults: [UInt8]?,
        named file: String
    ) throws(CommandFailure) {
        do {
            try self.init(handler: handler, faults: faults ?? Array("[]".utf8))
        } catch {
            throw CommandFailure(.invalid, "\(file): \(error)")
        }
    }
}
