import CommandSupport
import ODataProtocol
import OfflineOData
import OfflineResources

/// `open`: creates and loads a store, or opens it and loads what is new.
struct OpenCommand: Command {
    static let name = "open"
    static let syntax = CommandSyntax(
        name: name,
        summary:
            "Creates a store of a service and loads it; later loads only queries that are new.",
        forms: ["STORE --service URL [--query NAME=URL]... [--json]"],
        operands: 1...1,
        options: [
            .value(
                "service",
                placeholder: "URL",
                help: "service root; needed the first time, kept in the store"
            ),
            .list(
                "query",
                placeholder: "NAME=URL",
                help: "defining query: what of the service the store holds"
            ),
            .list(
                "streams",
                placeholder: "NAME",
                help: "also download the streams of this query's media entities"
            ),
            SyncSettings.uploadResponse, .json,
        ] + SyncSettings.configurationOptions + SyncSettings.userOptions + SyncSettings.formOptions
            + SyncSettings.downloadOptions
            + NetworkOptions.syntax,
        notes: [
            "A first load that is cut, by the network or by a signal, goes on where it stopped when the command is"
                + " called again. The store is one SQLite file; what stands beside it (-wal, -shm, -sync, -staging) belongs to it.",
            "--config keeps a configuration with the store, as `policy use` does; the path templates of its syncExpress make a plain REST"
                + " service known without --template.",
            "Exit status 5: opened, but the service refused changes of the user before; `errors STORE` lists them.",
        ],
        examples: [
            .init(
                "the first time",
                line: "open field.store --service https://example.org/odata/ \\\n"
                    + "      --query Orders='WorkOrders?$expand=Tasks' --query Parts=Parts"
            ),
            .init("with a token from a file", line: "open field.store --bearer @token.txt"),
            .init(
                "the next shift; what the one before has changed goes to the service first",
                line: "open field.store --current-user bo --force-upload-on-user-switch"
            ),
            .init(
                "behind a proxy, to a service that asks for a certificate",
                line: "open field.store --proxy http://proxy.example.org:3128 \\\n"
                    + "      --client-cert me.pem --client-key me.key"
            ),
        ]
    )

    private let settings: SyncSettings
    private let serviceRoot: String?
    private let queries: [OfflineODataDefiningQuery]
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        settings = try SyncSettings(arguments)
        isJSON = arguments.has("json")
        serviceRoot = arguments.value("service")
        let streams = arguments.all("streams")
        var queries: [OfflineODataDefiningQuery] = []
        for text in arguments.all("query") {
            var query = try DefiningQueryText.read(text)
            query.automaticallyRetrievesStreams = streams.contains(query.name)
            guard !queries.contains(where: { $0.name == query.name }) else {
                throw .usage("two queries are called \(query.name); give each a name of its own")
            }
            queries.append(query)
        }
        for name in streams where !queries.contains(where: { $0.name == name }) {
            throw .usage(
                "--streams \(name) names no query of this command line; give --query \(name)=URL as well"
            )
        }
        self.queries = queries
        guard serviceRoot != nil || FileBytes.exists(settings.store) else {
            throw .usage(
                "there is no store at \(settings.store)",
                advice: "A new store needs the service: --service URL --query NAME=URL"
            )
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let isNew = !FileBytes.exists(settings.store)
        let session = try settings.session(terminal, serviceRoot: serviceRoot, isCreating: true)
        do {
            return try await open(session, terminal, isNew: isNew)
        } catch {
            // What has failed at its beginning binds no file to a service that was misspelt.
            guard isNew, try await Self.isEmpty(session.provider, after: error) else { throw error }
            try? await session.provider.clear(force: true)
            throw failure(error, leavesNothing: true)
        }
    }

    /// What to say of an opening that has failed.
    private func failure(_ error: any Error, leavesNothing: Bool) -> CommandFailure {
        var failure = CommandFailure(error)
        if leavesNothing {
            if Self.isOwnFault(error) { failure.status = .invalid }
            failure.advice = "Nothing was loaded, and no store was made."
        } else if let error = error as? OfflineODataError, error.category != .communication,
            let name = error.download?.queries.first(where: { $0.error != nil })?.name
        {
            let store = ShellText.quoted(settings.store)
            failure.advice =
                "What was loaded stays. `query remove \(store) \(name)` gives the query up, `query add \(store) \(name)=URL`"
                + " corrects it."
        }
        return failure
    }

    /// Whether what was asked for makes no sense to the service's model.
    private static func isOwnFault(_ error: any Error) -> Bool {
        guard let category = (error as? OfflineODataError)?.category else { return false }
        return [.invalidInput, .notSupported].contains(category)
    }

    /// Whether a store has nothing that calling again could go on from.
    private static func isEmpty(
        _ provider: OfflineODataProvider,
        after error: any Error
    ) async throws -> Bool {
        let status = try await provider.status()
        guard status.odataVersion != nil else { return true }
        // The network failed in the middle, or a person stopped it: pages may be there already.
        let failure = error as? OfflineODataError
        let isCut = failure?.category == .communication && failure?.download == nil
        if OfflineODataError.isCancellation(error) || isCut { return false }
        return status.entitySets.allSatisfy { $0.entityCount == 0 }
            && status.queries.allSatisfy { $0.lastDownload == nil }
    }

    private func open(
        _ session: StoreSession,
        _ terminal: Terminal,
        isNew: Bool
    ) async throws -> ExitStatus {
        try await DefiningQueryText.check(queries, in: session.provider)
        for query in queries { try await session.provider.addDefiningQuery(query) }
        let refusedBefore = try await session.provider.status().errorCount
        let start = ContinuousClock.now
        var failure: OfflineODataError?
        var loaded: OfflineODataDownloadResult?
        do {
            loaded = try await session.run { try await $0.open() }
        } catch let error as OfflineODataError where error.download != nil {
            (failure, loaded) = (error, error.download)
        }
        if let configuration = settings.configuration {
            let engine = session.engine ?? PolicyEngine(provider: session.provider)
            try await engine.keep(configuration: configuration)
        }
        let status = try await session.provider.status()
        let rows = status.entityCount
        let time = ContinuousClock.now - start
        // What the user before has changed was uploaded first.
        let refused = max(0, status.errorCount - refusedBefore)
        var (said, leavesNothing) = (CommandFailure?.none, false)
        if let failure {
            let isEmpty = try await Self.isEmpty(session.provider, after: failure)
            leavesNothing = isNew && isEmpty
            said = self.failure(failure, leavesNothing: leavesNothing)
        }
        if isJSON {
            let json = json(
                status.queries.count,
                entities: rows,
                refused: refused,
                loaded: loaded,
                time: time,
                failure: said
            )
            try terminal.answer(json + [0x0A])
        } else if !leavesNothing {
            let counts = [
                Words.amount(status.queries.count, of: "query", plural: "queries"),
                Words.amount(rows, of: "entity", plural: "entities"),
                Words.amount(loaded?.requestCount ?? 0, of: "request"), Words.time(time),
            ]
            try terminal.answer(
                (failure == nil ? "opened: " : "opened in part: ") + counts.joined(separator: ", ")
            )
        }
        // What leaves nothing is cleared away by the caller, which knows the error.
        if leavesNothing, let failure { throw failure }
        if let said { throw said }
        guard refused > 0 else { return .done }
        terminal.remark("`offline-odata errors \(settings.store)` shows why they were refused.")
        return .requestsRefused
    }

    private func json(
        _ queries: Int,
        entities: Int,
        refused: Int,
        loaded: OfflineODataDownloadResult?,
        time: Duration,
        failure: CommandFailure?
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("queries", value: queries)
        writer.member("entities", value: entities)
        if refused > 0 { writer.member("refused", value: refused) }
        if failure != nil, let loaded {
            writer.name("loaded")
            DownloadReport.write(loaded.queries, to: &writer)
        }
        writer.member("requests", value: loaded?.requestCount ?? 0)
        writer.member("seconds", seconds: time)
        failure?.write(to: &writer)
        writer.endObject()
        return writer.bytes
    }
}
