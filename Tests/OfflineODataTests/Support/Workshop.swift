import ODataSQLite
import ODataHTTP
import ODataAnswers
import ODataService
import OfflineOData
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A service of `WorkshopModel` in this process, and a store that is loaded from it.
struct Workshop {
    let service: SampleService
    let transport: HandlerTransport
    let rules = Refusals()
    let directory: TemporaryDirectory
    let provider: OfflineODataProvider

    static let queries = [
        ("People", "People?$expand=Friends,Rival,Notes"), ("Tools", "Tools"), ("Jobs", "Jobs"),
        ("Photos", "Photos"), ("Logs", "Logs"), ("Me", "Me"),
    ]

    init(
        queries: [(String, String)] = Self.queries,
        parameters adjust: (OfflineODataParameters) -> Void = { _ in },
        options change: (inout StandaloneOptions) -> Void = { _ in }
    ) async throws {
        service = try await SampleService(Array(WorkshopModel.metadata.utf8), sets: [])
        for (set, json) in WorkshopModel.data {
            _ = try await DataImporter(service.tables).importAll([
                .init(name: set, json: Array(json.utf8))
            ])
        }
        var options = StandaloneOptions()
        options.service.serviceRoot = SampleService.root
        options.tracksChanges = true
        change(&options)
        transport = HandlerTransport(
            StandaloneHandler(store: rules.store(service.tables), options: options)
        )
        directory = try TemporaryDirectory()
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory.path)
        parameters.transport = transport
        parameters.storeKey = TestKey.store
        adjust(parameters)
        provider = try OfflineODataProvider(
            serviceRoot: SampleService.root,
            parameters: parameters
        )
        for (name, query) in queries {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: name, query: query))
        }
        try await provider.open()
    }

    // MARK: Local requests

    /// Sends a request to the store and answers what it says.
    @discardableResult
    func send(
        _ method: String,
        _ url: String,
        _ body: String? = nil,
        _ headers: HTTPHeaders = [:],
        options: sending OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async -> HTTPResponse {
        var request = HTTPRequest(
            method: method,
            url: url,
            headers: headers,
            body: Array((body ?? "").utf8)
        )
        if body != nil, request.headers["Content-Type"] == nil {
            request.headers["Content-Type"] = "application/json"
        }
        return await provider.respond(to: request, options: options)
    }

    /// Text of what the store answers to a reading request.
    func get(_ url: String) async -> String { await send("GET", url).text }

    /// The text of a raw value, `Name/$value`.
    func value(_ url: String) async -> String { await send("GET", url + "/$value").text }

    /// The waiting requests as lines of method and URL.
    func queue() async throws -> [String] {
        try await provider.requestQueue().map { "\($0.method) \($0.url)" }
    }

    /// What requests the service has seen that change something, as lines of method and target.
    var sent: [String] {
        transport.requests.filter { $0.method != "GET" }.map { "\($0.method) \($0.url)" }
    }

    /// How many rows a table of the store's file has.
    func count(of table: String) throws -> Int64 {
        let connection = try SQLiteConnection(
            path: directory.path + "/localstore.sqlite",
            mode: .readOnly,
            key: TestKey.connection
        )
        return try connection.integer("SELECT count(*) FROM \(table.sqlQuoted)") ?? -1
    }

    /// A dump of everything that the application can see, a line for each entity, and the queue.
    func dump() async throws -> [String] {
        var lines: [String] = []
        for url in [
            "People?$expand=Friends,Rival,Notes,Staff,Boss", "Tools?$expand=Owner",
            "Jobs?$expand=Person",
            "Photos", "Logs", "Me?$expand=Notes", "RequestQueue", "ErrorArchive",
        ] {
            let answer = await send(
                "GET",
                url,
                nil,
                ["Accept": "application/json;odata.metadata=full"]
            )
            lines.append("\(url) \(answer.status) \(answer.text)")
        }
        return lines
    }
}

extension HTTPResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}
