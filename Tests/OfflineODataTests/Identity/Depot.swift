import OfflineOData
import ODataHTTP
import Testing

/// A store of `DepotModel` and its service, which answers with bytes that a test writes and takes no batches.
struct Depot {
    static let root = "http://service.test/odata/"
    let service: RecordedService
    let provider: OfflineODataProvider

    init(_ answers: [String: String] = [:], _ change: (OfflineODataParameters) -> Void = { _ in })
        async throws
    {
        service = try RecordedService(metadata: DepotModel.v4)
        for set in ["Orders", "Items", "Tags"] {
            service.set("GET \(set)", RecordedService.json(answers[set] ?? #"{"value":[]}"#))
        }
        provider = try await service.opened(["Orders", "Items", "Tags"], change)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.clearLog()
    }

    /// Sends a request to the store, which must take it.
    @discardableResult
    func send(_ method: String, _ url: String, _ body: String? = nil) async -> HTTPResponse {
        var request = HTTPRequest(method: method, url: url, body: Array((body ?? "").utf8))
        if body != nil { request.headers["Content-Type"] = "application/json" }
        let answer = await provider.respond(to: request)
        #expect(answer.isSuccess, "\(method) \(url): \(answer.text)")
        return answer
    }

    /// What the service was asked to change, as method and URL below the root.
    var changes: [String] {
        service.log.filter { $0.method != "GET" && !$0.url.hasSuffix("$batch") }
            .map { "\($0.method) \($0.url.dropFirst(Self.root.count))" }
    }

    /// What the service was asked to read.
    var reads: [String] { service.requests.filter { $0.hasPrefix("GET") } }

    func bodies(_ request: String) -> [String] { service.bodies(of: request) }

    /// The queue, as status, method and URL.
    func queue() async throws -> [String] {
        try await provider.requestQueue().map { "\($0.status.rawValue) \($0.method) \($0.url)" }
    }

    /// A set as the store has it.
    func text(_ url: String) async -> String {
        let answer = await provider.respond(
            to: HTTPRequest(
                method: "GET",
                url: url,
                headers: ["Accept": "application/json;odata.metadata=none"]
            )
        )
        return answer.text
    }

    /// A successful answer without a word about the entity.
    static let silent = HTTPResponse(status: 204)

    static func created(_ body: String) -> HTTPResponse { RecordedService.json(body, status: 201) }
}
