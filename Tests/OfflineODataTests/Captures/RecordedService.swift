import OfflineOData
import ODataHTTP
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A service that answers with what was recorded from a real one; what was not recorded is not there.
final class RecordedService: HTTPTransport {
    let folder: String
    /// The service root in the recordings.
    let root: String
    private let state: Mutex<State>
    private let directory: TemporaryDirectory

    private struct State {
        var answers: [String: [HTTPResponse]]
        var requests: [HTTPRequest] = []
    }

    /// - Parameter files: Recorded answers by method and URL below the root.
    init(_ folder: String, root: String, _ files: [String: String]) throws {
        self.folder = folder
        self.root = root
        directory = try TemporaryDirectory()
        var answers: [String: [HTTPResponse]] = [:]
        for (request, file) in files { answers[request] = [try Self.recorded(folder, file)] }
        answers["GET $metadata"] = [try Self.recorded(folder, "01_metadata")]
        state = Mutex(State(answers: answers))
    }

    /// A service that answers with what a test writes.
    init(metadata: String, root: String = "http://service.test/odata/") throws {
        folder = ""
        self.root = root
        directory = try TemporaryDirectory()
        let document = HTTPResponse(
            status: 200,
            headers: ["Content-Type": "application/xml"],
            body: Array(metadata.utf8)
        )
        state = Mutex(State(answers: ["GET $metadata": [document]]))
    }

    /// Every request, whole.
    var log: [HTTPRequest] { state.guarded { $0.requests } }

    /// Forgets what was asked.
    func clearLog() { state.guarded { $0.requests = [] } }

    /// What was asked, as method and URL below the root.
    var requests: [String] {
        state.guarded { $0.requests }.map { "\($0.method) \($0.url.dropFirst(root.count))" }
    }

    /// The bodies of the requests of a kind.
    func bodies(of request: String) -> [String] {
        state.guarded { $0.requests }
            .filter { "\($0.method) \($0.url.dropFirst(root.count))" == request }
            .map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// Answers a request with one answer after the other; the last stays.
    func set(_ request: String, _ answers: HTTPResponse...) {
        set(request, answers)
    }

    /// Answers a request with the answers of a list in turn; the last stays.
    func set(_ request: String, _ answers: [HTTPResponse]) {
        state.guarded { $0.answers[request] = answers }
    }

    /// Answers a request with a recording.
    func set(_ request: String, file: String) throws {
        set(request, try Self.recorded(folder, file))
    }

    static func json(_ body: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json"],
            body: Array(body.utf8)
        )
    }

    /// A recorded answer as it came over the wire.
    static func recorded(_ folder: String, _ file: String) throws -> HTTPResponse {
        let path = "captures/\(folder)/\(file).http"
        let body = try SharedFolder.body(path)
        let head = String(
            decoding: try SharedFolder.bytes(path).dropLast(body.count),
            as: UTF8.self
        )
        let lines = head.split(whereSeparator: \.isNewline)
        let status = try #require(lines.first?.split(separator: " ").dropFirst().first)
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers.add(
                String(line[..<colon]),
                String(line[line.index(after: colon)...].drop { $0 == " " })
            )
        }
        return HTTPResponse(status: try #require(Int(status)), headers: headers, body: body)
    }

    /// A recorded batch answer without the answer to its first request, a read that no upload sends.
    static func batchAnswer(_ folder: String, _ file: String) throws -> HTTPResponse {
        var answer = try recorded(folder, file)
        let text = String(decoding: answer.body, as: UTF8.self)
        let start = try #require(text.firstRange(of: "--"))
        let line = text[start.lowerBound...].prefix { !$0.isNewline }
        let rest = text[start.upperBound...]
        let second = try #require(rest.firstRange(of: line))
        answer.body = Array(rest[second.lowerBound...].utf8)
        return answer
    }

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        let key = "\(request.method) \(request.url.dropFirst(root.count))"
        let answer = state.guarded { state -> HTTPResponse in
            state.requests.append(request)
            guard var answers = state.answers[key], let first = answers.first else {
                return HTTPResponse(status: 404)
            }
            if answers.count > 1 { answers.removeFirst() }
            state.answers[key] = answers
            return first
        }
        if answer.status == 0 {
            throw HTTPTransportError(
                answer.headers["Sent"] == nil ? .notConnected : .connectionLost,
                "the connection broke"
            )
        }
        let cut = answer.headers["Cut"].flatMap { Int($0) }
        return HTTPStreamingResponse(
            status: answer.status,
            headers: answer.headers,
            body: cut.map { CutBody.body(Array(answer.body.prefix($0))) } ?? HTTPBody(answer.body)
        )
    }

    /// A provider of this service's one store.
    func provider(
        delegate: (any OfflineODataDelegate)? = nil,
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory.path)
        parameters.transport = self
        parameters.retryPolicy = .never
        // So the log tells which request led to which.
        parameters.parallelQueryCount = 1
        parameters.parallelBatchCount = 1
        change(parameters)
        return try OfflineODataProvider(
            serviceRoot: root,
            parameters: parameters,
            delegate: delegate
        )
    }

    /// A provider with a store of its own that holds some queries.
    func opened(
        _ queries: [String],
        delegate: (any OfflineODataDelegate)? = nil,
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) async throws -> OfflineODataProvider {
        let provider = try provider(delegate: delegate, change)
        for (number, query) in queries.enumerated() {
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(name: "Q\(number)", query: query)
            )
        }
        try await provider.open()
        return provider
    }

    /// A provider with a store of its own that holds the photos with their streams, and some queries besides.
    func openedWithPhotos(
        _ queries: [String] = [],
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) async throws -> OfflineODataProvider {
        let provider = try await opened(queries, change)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "Photos",
                query: "Photos",
                automaticallyRetrievesStreams: true
            )
        )
        try await provider.download()
        return provider
    }
}

extension RecordedService {
    /// No connection.
    static let unreachable = HTTPResponse(status: 0)
    /// The request has left, no answer came.
    static let lost = HTTPResponse(status: 0, headers: ["Sent": "yes"])

    /// An answer whose body breaks off.
    static func cut(_ body: String, after count: Int) -> HTTPResponse {
        HTTPResponse(status: 200, headers: ["Cut": String(count)], body: Array(body.utf8))
    }
}

/// A body that breaks off after some bytes.
private actor CutBody {
    private var bytes: [UInt8]?

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func body(_ bytes: [UInt8]) -> HTTPBody {
        let cut = CutBody(bytes)
        return HTTPBody { try await cut.next() }
    }

    private func next() throws -> [UInt8]? {
        defer { bytes = nil }
        guard let bytes else { throw HTTPTransportError(.connectionLost, "the body was cut") }
        return bytes
    }
}

extension RecordedService {
    static let pysletRoot = "http://127.0.0.1:19082/"
    static let olingo2Root = "http://127.0.0.1:19083/ReferenceScenario.svc/"
    static let olingo4Root = "http://127.0.0.1:19080/odata-server-tecsvc/odata.svc/"
    static let lodataRoot = "http://127.0.0.1:19088/odata/"
}
