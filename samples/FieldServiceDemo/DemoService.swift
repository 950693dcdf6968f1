import ODataValues
import FieldService
import ODataHTTPServer
import ODataModel
import ODataHTTP
import ODataAnswers
import ODataService
import Synchronization

/// The sample service: its database in a file, its model in one of several versions, a real listener on the loopback interface.
final class DemoService {
    let path: String
    private(set) var port: UInt16 = 0
    private var listener: HTTPListener?
    private var tables: TableEntityStore?
    private let counter = RequestCounter()

    init(path: String) {
        self.path = path
    }

    var root: String { "http://127.0.0.1:\(port)/" }

    /// Starts with a model; the first time the sample data is loaded.
    ///
    /// The port stays the same from then on.
    ///
    /// - Parameter hasData: Whether it serves its database; else it has a model and no data.
    func start(_ document: [UInt8], hasData: Bool = true) async throws {
        let isNew = tables == nil && port == 0
        let tables = try TableEntityStore(
            path: hasData ? path : nil,
            document: document,
            model: try CSDLDocument(reading: document).model
        )
        if isNew {
            _ = try await DataImporter(tables).importAll(
                FieldServiceData.setNames.map {
                    .init(name: $0, json: FieldServiceData.json(forSet: $0))
                }
            )
        }
        var options = StandaloneOptions()
        options.service.pageSize = 500
        options.tracksChanges = true
        let handler = StandaloneHandler(store: tables, options: options)
        listener = try HTTPListener(handler: CountingHandler(handler, counter), port: port)
        port = listener?.port ?? 0
        self.tables = tables
    }

    /// Stops the service and closes its port.
    func stop() async {
        await listener?.stop()
        listener = nil
        tables = nil
    }

    /// How many requests of a method and path have come.
    func requestCount(_ method: String, _ path: String) -> Int {
        counter.count(method, path)
    }

    /// Sends a colleague's request directly to the service, not through a store.
    func office(
        _ method: String,
        _ url: String,
        _ body: String = "",
        headers: HTTPHeaders = [:]
    ) async throws -> HTTPResponse {
        guard let tables else { throw DemoFailure("the service is not running") }
        var headers = headers
        headers["Host"] = "127.0.0.1:\(port)"
        headers["Content-Type"] = "application/json"
        return await StandaloneHandler(store: tables).respond(
            to: HTTPRequest(
                method: method,
                url: "/" + url,
                headers: headers,
                body: Array(body.utf8)
            )
        )
    }
}

/// Counts requests by method and path.
final class RequestCounter: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func add(_ request: HTTPRequest) {
        let path = request.url.prefix { $0 != "?" }
        counts.guarded { $0["\(request.method) \(path)", default: 0] += 1 }
    }

    func count(_ method: String, _ path: String) -> Int {
        counts.guarded { $0["\(method) \(path)"] ?? 0 }
    }
}

/// Passes requests on and counts them.
struct CountingHandler: HTTPHandler {
    private let handler: any HTTPHandler
    private let counter: RequestCounter

    init(_ handler: any HTTPHandler, _ counter: RequestCounter) {
        self.handler = handler
        self.counter = counter
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        counter.add(request)
        return await handler.respond(to: request)
    }
}

/// An effect that the demonstration expected and did not see.
public struct DemoFailure: Error, CustomStringConvertible {
    /// What is missing.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
