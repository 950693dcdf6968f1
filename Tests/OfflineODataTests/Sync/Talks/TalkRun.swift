import ODataHTTP
import OfflineOData
import Testing

/// The run of one conversation script.
struct TalkRun {
    private let service: RecordedService
    private var provider: OfflineODataProvider?
    /// The request whose answers are being given, and they.
    private var answers: (request: String, list: [HTTPResponse]) = ("", [])

    /// Header fields that a transcript shows of a request.
    private static let shown = ["If-Match", "If-None-Match", "Range", "If-Range", "X-HTTP-Method"]

    init() throws {
        service = try RecordedService(metadata: TalkModel.document)
        service.set("POST $batch", HTTPResponse(status: 404))
    }

    /// Runs one event; returns what it prints.
    mutating func run(_ line: String) async throws -> [String] {
        var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let settings = words.prefix { Self.isSetting($0) }
        words.removeFirst(settings.count)
        let verb = words.removeFirst()
        switch verb {
        case "on":
            answers = (words.prefix(2).joined(separator: " "), [])
            add(Array(words.dropFirst(2)))
        case "then": add(words)
        case "open": try await open(words)
        default: return try await perform(verb, words, Array(settings))
        }
        return []
    }

    private mutating func add(_ words: [String]) {
        answers.list.append(Self.response(words))
        service.set(answers.request, answers.list)
    }

    /// An answer: status, header fields, body.
    private static func response(_ words: [String]) -> HTTPResponse {
        var words = words[...]
        let status = words.popFirst() ?? ""
        guard status != "lost" else { return RecordedService.lost }
        var response = HTTPResponse(status: Int(status) ?? 0)
        while let field = words.first, !field.hasPrefix("{"), !field.hasPrefix("<"),
            let colon = field.firstIndex(of: ":")
        {
            let value = field[field.index(after: colon)...].replacing("_", with: " ")
            response.headers.add(String(field[..<colon]), String(value))
            words.removeFirst()
        }
        let body = words.joined(separator: " ")
        if body.hasPrefix("{"), response.headers["Content-Type"] == nil {
            response.headers["Content-Type"] = "application/json"
        }
        response.body = Array(body.utf8)
        return response
    }

    private static func isSetting(_ word: String) -> Bool {
        word.hasPrefix("tx=") || word.hasPrefix("header=")
    }

    private static func options(_ settings: [String]) -> OfflineODataRequestOptions {
        let options = OfflineODataRequestOptions()
        for setting in settings {
            let sides = setting.split(separator: "=", maxSplits: 1).map(String.init)
            let field = sides[1].split(separator: ":", maxSplits: 1).map(String.init)
            if sides[0] == "tx" {
                options.transactionID = sides[1]
            } else {
                options.customHeaders.add(field[0], field[1])
            }
        }
        return options
    }

    private mutating func open(_ queries: [String]) async throws {
        // Batches under way at the same time would be written down in any order.
        let provider = try service.provider { $0.parallelBatchCount = 1 }
        for (number, query) in queries.enumerated() {
            let isWithStreams = query.hasPrefix("+")
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(
                    name: "Q\(number)",
                    query: String(query.drop { $0 == "+" }),
                    automaticallyRetrievesStreams: isWithStreams
                )
            )
        }
        try await provider.open()
        service.clearLog()
        self.provider = provider
    }

    // MARK: Events

    private func perform(
        _ verb: String,
        _ words: [String],
        _ settings: [String]
    ) async throws -> [String] {
        let provider = try #require(provider, "the store is not open")
        let first = words.first ?? ""
        let rest = words.dropFirst().joined(separator: " ")
        switch verb {
        case "POST", "PATCH", "PUT", "DELETE":
            return await change(provider, verb, first, rest, settings)
        case "upload":
            return await talk(isSorted: first == "sorted") {
                Self.text(try await provider.upload())
            }
        case "download": return await talk { Self.text(try await provider.download()) }
        case "retry": try await provider.retryRequest(Int64(first) ?? 0)
        case "resolve":
            try await provider.resolveConflict(first, with: rest == "local" ? .local : .server)
        case "rows": return await rows(provider, first)
        case "stream": return [try await stream(provider, first)]
        case "queue":
            return try await (provider.requestQueue() + provider.errorArchive()).map(Self.line)
        case "events":
            return try await provider.eventLog().filter { $0.type == "Conflict" }
                .map { $0.details ?? "" }
        default: Issue.record("unknown event \(verb)")
        }
        return []
    }

    private func change(
        _ provider: OfflineODataProvider,
        _ method: String,
        _ url: String,
        _ body: String,
        _ settings: [String]
    ) async -> [String] {
        var request = HTTPRequest(method: method, url: url, body: Array(body.utf8))
        let isObject = body.hasPrefix("{")
        if !body.isEmpty {
            request.headers["Content-Type"] = isObject ? "application/json" : "text/plain"
        }
        let answer = await provider.respond(to: request, options: Self.options(settings))
        return answer.isSuccess ? [] : ["\(answer.status)"]
    }

    /// Runs an exchange with the service; prints what was asked for and what came of it.
    ///
    /// - Parameter isSorted: Whether the requests are printed in alphabetical order: what is read of one entity and what is sent of
    ///   another may go at the same time.
    private func talk(isSorted: Bool = false, _ work: () async throws -> String) async -> [String] {
        service.clearLog()
        var result: String
        do {
            result = try await work()
        } catch let error as OfflineODataError {
            result = "error: \(error.message)"
        } catch {
            result = "error: \(error)"
        }
        let asked = service.log.filter {
            !$0.url.hasSuffix("$metadata") && !$0.url.hasSuffix("$batch")
        }
        let lines = asked.map(line)
        return (isSorted ? lines.sorted() : lines) + ["-> " + result]
    }

    private func line(_ request: HTTPRequest) -> String {
        let fields = Self.shown.compactMap { name in
            request.headers[name].map { "\(name): \($0)" }
        }
        let url = String(request.url.dropFirst(service.root.count))
        let body = String(decoding: request.body, as: UTF8.self)
        return ([request.method, url] + fields + (body.isEmpty ? [] : [body]))
            .joined(separator: " ")
    }

    private static func text(_ result: OfflineODataUploadResult) -> String {
        "\(result.succeededCount) done, \(result.failedCount) refused, \(result.waitingCount) waiting,"
            + " \(result.parkedCount) parked, \(result.unknownCount) unknown"
    }

    private static func text(_ result: OfflineODataDownloadResult) -> String {
        let remarks = result.queries.flatMap(\.remarks)
        return
            "\(result.insertedCount) new, \(result.updatedCount) changed, \(result.removedCount) removed"
            + remarks.map { "; " + $0 }.joined()
    }

    private static func line(_ request: OfflineODataRequest) -> String {
        let parts = [
            "\(request.id)", request.status.rawValue, request.method, request.url,
            request.failure.map { "(\($0.httpStatus)) \($0.message)" },
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }

    private func rows(_ provider: OfflineODataProvider, _ url: String) async -> [String] {
        let answer = await provider.respond(
            to: HTTPRequest(
                method: "GET",
                url: url,
                headers: ["Accept": "application/json;odata.metadata=none"]
            )
        )
        return [answer.status == 200 ? answer.text : "\(answer.status)"]
    }

    private func stream(_ provider: OfflineODataProvider, _ url: String) async throws -> String {
        guard let stream = try await provider.stream(url) else { return "none" }
        return String(decoding: try await stream.bytes(), as: UTF8.self)
    }
}
