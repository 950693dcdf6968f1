import CommandSupport
import ODataProtocol
import OfflineOData
import OfflineResources

/// `get`: answers an OData request from the store, or from the service where a fetch policy says so.
struct GetCommand: Command {
    static let name = "get"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Answers an OData request from the store, as the service would.",
        forms: [
            "STORE URL [--format json|table|csv|ndjson]",
            "STORE URL --fetch-policy P [--policy NAME=VALUE]... [--offline]",
        ],
        operands: 2...2,
        options: [
            .list("header", placeholder: "'N: V'", help: "header field of the request"),
            .list(
                "prefer",
                placeholder: "P",
                help: "preference of the request, such as odata.maxpagesize=10"
            ),
            .value("accept", placeholder: "TYPE", help: "media type of the answer"),
            .value(
                "odata-version",
                placeholder: "V",
                help: "answer in this version of OData, not in the service's own"
            ).offering(["2.0", "3.0", "4.0", "4.01"]),
            .value("output", placeholder: "FILE", help: "write the answer into a file"),
            AnswerFormat.syntax, .answersJSON,
        ] + PolicyOptions.reading + NetworkOptions.syntax.filter { $0.name != "header" },
        notes: [
            PolicyOptions.note,
            "URL is relative to the service root; ~/ before it is allowed, spaces need not be encoded. Also RequestQueue,"
                + " ErrorArchive and EventLog can be asked for. Exit status 6: there is no such entity.",
            "--format table fits a terminal's width and is whole in a pipe; NO_COLOR turns its colours off. In csv and table, values"
                + " within values have columns of their own (Address/City), null is empty and \"\" an empty text.",
        ],
        examples: [
            .init(
                "a query",
                line:
                    "get field.store \"WorkOrders?\\$filter=Status eq FieldService.Status'Open'&\\$expand=Tasks&\\$top=5\""
            ),
            .init("one entity", line: "get field.store 'WorkOrders(1001)'"),
            .init(
                "for a spreadsheet",
                line: "get field.store Parts --format csv --output parts.csv"
            ),
            .init("how many?", line: "get field.store 'WorkOrders/$count'"),
            .init(
                "from the service, and from the store without a network",
                line: "get field.store 'Parts?$top=20' --fetch-policy FETCH_FROM_SERVICE_IF_ONLINE"
            ),
            .init(
                "a stream",
                line:
                    "get field.store 'Attachments(461a6ea6-d55e-47af-ad5e-1684c8f2fb9a)/$value' --output photo.jpg"
            ),
        ]
    )

    private let store: String
    private let request: HTTPRequest
    private let output: String
    private let format: AnswerFormat
    private let isJSON: Bool
    /// How the service is spoken to, where a policy decides about the read.
    private let policies: (options: PolicyOptions, settings: SyncSettings)?

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        output = arguments.value("output") ?? "-"
        format = try AnswerFormat.read(arguments)
        isJSON = arguments.has("json")
        guard !isJSON || format == .json else {
            throw .usage(
                "--json and --format \(arguments.value("format") ?? "") exclude each other"
            )
        }
        let settings = try SyncSettings(arguments)
        policies = try PolicyOptions(reading: arguments, settings).map { ($0, settings) }
        var headers = try HeaderText.fields(of: "header", in: arguments)
        if let accept = arguments.value("accept") { headers["Accept"] = accept }
        for preference in arguments.all("prefer") { headers.add("Prefer", preference) }
        if let version = arguments.value("odata-version") {
            try Self.ask(for: version, in: &headers)
        }
        request = HTTPRequest(method: "GET", url: arguments.operands[1], headers: headers)
    }

    /// Asks for an answer in a version; those before 4 have a field of their own (OData 3.0 § 5.2.1).
    private static func ask(
        for version: String,
        in headers: inout HTTPHeaders
    ) throws(CommandFailure) {
        switch version {
        case "4.0", "4.01":
            headers["OData-MaxVersion"] = version
            headers["OData-Version"] = version
        case "1.0", "2.0", "3.0": headers["MaxDataServiceVersion"] = version
        default: throw .usage("--odata-version takes one of 2.0, 3.0, 4.0, 4.01, not '\(version)'")
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        guard let (options, settings) = policies else { return try await runLocally(terminal) }
        return try await run(
            options,
            in: settings.session(terminal, policies: .byCommand),
            on: terminal
        )
    }

    /// Answers from the store.
    private func runLocally(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try StoreSession.local(store, on: terminal)
        var local = request
        local.url = try session.local(request.url)
        let request = local
        if request.headers["Range"] == nil,
            let content = try await content(request.url, in: session)
        {
            return try await write(content)
        }
        let response = try await session.run { await $0.respond(to: request) }
        if let old = request.headers["MaxDataServiceVersion"],
            response.headers["OData-Version"] != nil
        {
            throw CommandFailure(
                .invalid,
                "the service is of version 4: there is no answer in version \(old)"
            )
        }
        if response.status == 204 {
            terminal.remark("there is nothing here (null)")
            // A file stays as it is: what it would be given is no content.
            guard output == "-" else { return .done }
        }
        try await write(response, from: session, on: terminal)
        return .done
    }

    /// Writes the answer where it is wanted; where that is a file, JSON on standard output names it.
    private func write(_ bytes: [UInt8], _ terminal: Terminal) throws {
        try FileBytes.write(bytes, to: output)
        guard isJSON, output != "-" else { return }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("output", value: output)
        writer.endObject()
        try terminal.answer(writer.bytes + [0x0A])
    }

    /// Writes the answer in the format that is asked for; JSON on a terminal with a line for each member.
    private func write(
        _ response: HTTPResponse,
        from session: StoreSession,
        on terminal: Terminal
    ) async throws {
        let answer = LocalAnswer(response: response, isJSON: isJSON, url: request.url)
        guard format == .json else {
            let model = try await session.provider.metadata()
            return try write(format.bytes(of: answer, model: model, terminal), terminal)
        }
        let body = try answer.body()
        let isShown = output == "-" && terminal.showsAnswers && answer.isOfType("application/json")
        try write(isShown ? IndentedJSON.text(of: body) + [0x0A] : body, terminal)
    }

    /// Answers by policies, and says on standard error where the answer comes from.
    private func run(
        _ options: PolicyOptions,
        in session: StoreSession,
        on terminal: Terminal
    ) async throws -> ExitStatus {
        let request = request
        if try await isStream(session) {
            return try await runFile(options, in: session, on: terminal)
        }
        let engine = options.engine(session.provider)
        let (response, read) = try await session.run { _ in
            let answer = await engine.respond(to: request, policy: options.policy)
            try Task.checkCancellation()
            return answer
        }
        if !response.isSuccess, let failure = read.failure { throw failure }
        guard read.origin.place != .nowhere else {
            // What is missing now may be fetched for the next read.
            try await finish(engine, in: session, on: terminal)
            throw Self.missing(read.policy?.fetchPolicy.value, status: engine.networkStatus)
        }
        terminal.remark(OriginText.sentence(read.origin))
        try await write(response, from: session, on: terminal)
        try await finish(engine, in: session, on: terminal)
        return .done
    }

    /// Why there is no answer.
    private static func missing(
        _ asked: FetchPolicy?,
        status: NetworkStatus,
        otherwise: String = "the store has no copy, and the service has none or was not to be asked"
    ) -> CommandFailure {
        guard status != .online, let policy = asked, !policy.usesStaleCopies else {
            return CommandFailure(.notFound, otherwise)
        }
        return CommandFailure(
            .communication,
            policy == .fromService
                ? "\(policy.rawValue) takes no copy of the store, and there is no network to ask the service over"
                : "there is no copy that is not stale, and no network to ask the service over (\(policy.rawValue))"
        )
    }

    /// Waits for what is fetched in the background, once the answer is out.
    private func finish(
        _ engine: PolicyEngine,
        in session: StoreSession,
        on terminal: Terminal
    ) async throws {
        try await session.run { _ in await engine.finishRefreshes() }
        PolicyOptions.remark(on: engine, store: store, terminal)
    }

    private func isStream(_ session: StoreSession) async throws -> Bool {
        let url = request.url
        return try await session.run { (try? await $0.addressesStream(url)) ?? false }
    }

    /// Answers a file by policies.
    private func runFile(
        _ options: PolicyOptions,
        in session: StoreSession,
        on terminal: Terminal
    ) async throws -> ExitStatus {
        let request = request
        let engine = options.engine(session.provider)
        let answer = try await session.run { _ in
            try await engine.readFile(
                request.url,
                policy: options.policy,
                headers: request.headers
            )
        }
        guard let content = answer.content else {
            if let failure = answer.failure { throw failure }
            throw Self.missing(
                answer.policy?.fetchPolicy.value,
                status: engine.networkStatus,
                otherwise: "neither the store nor the service has the file"
            )
        }
        terminal.remark(OriginText.sentence(answer.origin))
        let status = try await write(content)
        try await finish(engine, in: session, on: terminal)
        return status
    }

    /// The content of the stream that the URL addresses; nil where it addresses something else, or the stream has no content.
    private func content(
        _ url: String,
        in session: StoreSession
    ) async throws -> OfflineODataStream? {
        try await session.run { provider in
            guard (try? await provider.addressesStream(url)) == true else { return nil }
            return try await provider.stream(url)
        }
    }

    /// Writes a content piece by piece, however long it is.
    private func write(_ content: OfflineODataStream) async throws -> ExitStatus {
        let descriptor = try FileBytes.descriptor(writing: output)
        defer { FileBytes.close(descriptor) }
        for try await piece in content {
            try FileBytes.write(piece, to: descriptor, named: output)
        }
        return .done
    }
}
