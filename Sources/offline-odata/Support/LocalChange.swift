import CommandSupport
import ODataProtocol
import OfflineOData
import OfflineResources

/// A change in OData form: what `post`, `patch`, `put` and `delete` have in common.
struct LocalChange: Sendable {
    private let store: String
    private let method: String
    private var url: String
    private let bodyWord: String?
    private let contentType: String?
    private let headers: HTTPHeaders
    private let isRemoved: Bool
    private let isUnmodifiable: Bool
    private let optimizes: Bool
    /// Whether JSON was asked for outright: then changes answer with what they have made, too.
    private let isJSON: Bool
    private let labels: OfflineODataRequestLabels
    private let category: String?
    private let transaction: String?
    private let templates: HTTPHeaders
    /// How the service is spoken to, where a policy of the store does not let the change wait.
    private let settings: SyncSettings

    static let options: [OptionSyntax] =
        [
            .flag(
                "remove-after-upload",
                help: "remove the created entity from the store once it is uploaded"
            ),
            .flag("unmodifiable", help: "never merge later changes into this request"),
            .optimize,
        ]
        + OfflineODataRequestLabel.allCases.map { label in
            .value(label.name, placeholder: "T", help: label.help)
        } + [
            .value(
                "category",
                placeholder: "C",
                help:
                    "upload category: `upload --category C` sends these alone; @new names it by the created entity"
            ),
            .list(
                "header-template",
                placeholder: "'N: v'",
                help:
                    "header field with {Property} or {URL/Property}, filled in when the request is sent"
            ),
            .value(
                "transaction",
                placeholder: "T",
                help:
                    "requests of one transaction take effect together or not at all; @new names it by the created entity"
            ),
            .list(
                "request-header",
                placeholder: "'N: V'",
                help: "header field that goes along with the upload"
            ),
            .value(
                "content-type",
                placeholder: "T",
                help: "media type of the body (application/json, of a stream the metadata's)"
            ),
            .answersJSON,
        ] + NetworkOptions.syntax

    /// Names a group by the entity that the request creates.
    private static let created = "@new"

    static let note =
        "BODY is JSON; - reads it from standard input, @FILE from a file. The change is applied to the store at once and"
        + " waits in the queue for the next upload. Where a policy that the store keeps (`policy use`, `policy set`) does not let it"
        + " wait, it is sent at once: UPDATE_IF_ONLINE takes it back where the service is not reached, noCache sends it past the store"
        + " (status 4; where the answer is lost the message says that it is not to be made again). The options for the network count then only."

    init(_ method: String, arguments: Arguments) throws(CommandFailure) {
        self.method = method
        settings = try SyncSettings(arguments)
        store = arguments.operands[0]
        url = arguments.operands[1]
        bodyWord = arguments.operands.count > 2 ? arguments.operands[2] : nil
        contentType = arguments.value("content-type")
        isRemoved = arguments.has("remove-after-upload")
        isUnmodifiable = arguments.has("unmodifiable")
        guard !(isRemoved && isUnmodifiable) else {
            throw .usage("--remove-after-upload and --unmodifiable exclude each other")
        }
        optimizes = arguments.has("optimize")
        isJSON = arguments.has("json")
        var labels = OfflineODataRequestLabels()
        for label in OfflineODataRequestLabel.allCases {
            labels[label] = arguments.value(label.name)
        }
        self.labels = labels
        category = arguments.value("category")
        transaction = arguments.value("transaction")
        headers = try HeaderText.fields(of: "request-header", in: arguments)
        templates = try HeaderText.fields(of: "header-template", in: arguments)
    }

    /// Makes the change and prints the answer.
    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try StoreSession.local(store, on: terminal, optimizes: optimizes)
        var change = self
        change.url = try session.local(url)
        return try await change.run(session, on: terminal)
    }

    private func run(_ session: StoreSession, on terminal: Terminal) async throws -> ExitStatus {
        if let engine = session.engine, try await engine.mustNotWait(url) {
            guard transaction == nil else {
                throw CommandFailure(
                    .invalid,
                    "the policies of \(url) do not let the change wait (UPDATE_IF_ONLINE or noCache), and the members of a transaction wait for each other: make it without --transaction"
                )
            }
            return try await runAtOnce(terminal)
        }
        if let status = try await runStream(session, on: terminal) { return status }
        let (sent, change) = (try request(), self)
        let response = try await session.run {
            await $0.respond(to: sent, options: change.requestOptions())
        }
        try answer(response, on: terminal)
        return .done
    }

    private func answer(_ response: HTTPResponse, on terminal: Terminal) throws(CommandFailure) {
        do {
            try terminal.answer(LocalAnswer(response: response, isJSON: isJSON, url: url).body())
        } catch {
            var failure = error
            if method == "PUT", response.status == 400, failure.advice.isEmpty {
                failure.advice =
                    "`put` replaces the entity as a whole; `patch` changes what its body names."
            }
            throw failure
        }
    }

    private func request() throws(CommandFailure) -> HTTPRequest {
        let body = try body()
        var request = HTTPRequest(method: method, url: url, headers: headers, body: body)
        // Without a type the body is JSON, and a stream what the metadata says (`Core.MediaType`).
        if !body.isEmpty, let contentType { request.headers["Content-Type"] = contentType }
        if isJSON, method != "DELETE", headers["Prefer"] == nil {
            request.headers["Prefer"] = "return=representation"
        }
        return request
    }

    // MARK: At once

    /// Makes a change that must not wait, and prints the answer.
    private func runAtOnce(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try settings.session(terminal)
        guard let engine = session.engine else { return .failed }
        var request = try request()
        if try await engine.passesStore(url) {
            if !request.body.isEmpty, contentType == nil {
                request.headers["Content-Type"] = "application/json"
            }
            let sent = request
            let response = try await session.run { _ in try await engine.sendPastStore(sent) }
            try answer(response, on: terminal)
            return .done
        }
        let (sent, change) = (request, self)
        let (response, state) = try await session.run { _ in
            try await engine.sendAtOnce(change.url) {
                await $0.respond(to: sent, options: change.requestOptions())
            }
        }
        let isConflict = state == .conflict
        try answer(isConflict ? response : await renewed(response, by: session), on: terminal)
        guard isConflict else { return .done }
        terminal.remark("The service has another version; `errors` and `conflict` show it.")
        return .requestsRefused
    }

    /// What the store answers now that the service has carried the change out: with the values, the key and the ETag that it has given.
    private func renewed(
        _ response: HTTPResponse,
        by session: StoreSession
    ) async throws -> HTTPResponse {
        guard response.isSuccess, !response.body.isEmpty else { return response }
        let options = url.firstIndex(of: "?").map { String(url[$0...]) } ?? ""
        let entity = response.headers["Location"].map { $0 + options } ?? url
        let read = try await session.run {
            await $0.respond(to: HTTPRequest(method: "GET", url: entity))
        }
        return read.status == 200 ? read : response
    }

    /// Makes a change whose body is the content of a stream, read piece by piece; nil where it is another change.
    private func runStream(
        _ session: StoreSession,
        on terminal: Terminal
    ) async throws -> ExitStatus? {
        guard let bodyWord, bodyWord == "-" || bodyWord.hasPrefix("@"),
            let type = contentType, !type.hasPrefix("application/json")
        else { return nil }
        let pieces = FilePieces(path: bodyWord == "-" ? "-" : String(bodyWord.dropFirst()))
        let (change, url) = (self, url)
        switch method {
        case "PUT":
            return try await session.run { provider in
                guard (try? await provider.addressesStream(url)) == true else { return nil }
                try await provider.setStream(
                    url,
                    content: pieces,
                    contentType: type,
                    options: change.requestOptions()
                )
                if change.isJSON { try terminal.answer("null") }
                return .done
            }
        case "POST":
            let created = try await session.run { provider in
                try await provider.createMedia(
                    in: url,
                    content: pieces,
                    contentType: type,
                    options: change.requestOptions()
                )
            }
            let link = created.readLink ?? ""
            let answer = try await session.run {
                await $0.respond(to: HTTPRequest(method: "GET", url: link))
            }
            try self.answer(answer, on: terminal)
            return .done
        default: return nil
        }
    }

    private func body() throws(CommandFailure) -> [UInt8] {
        guard let bodyWord else { return [] }
        return try BodyText.read(bodyWord)
    }

    private func requestOptions() -> OfflineODataRequestOptions {
        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = isRemoved
        options.unmodifiableRequest = isUnmodifiable
        options.labels = labels
        if category == Self.created {
            options.uploadCategoryEntity = .createdEntity
        } else {
            options.uploadCategory = category
        }
        if transaction == Self.created {
            options.transactionEntity = .createdEntity
        } else {
            options.transactionID = transaction
        }
        options.customHeaders = headers
        options.customHeaderFormatTemplate = templates
        return options
    }
}
