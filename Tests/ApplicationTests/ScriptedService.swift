import OfflineOData
import Synchronization

/// A service of hand-written answers, as an application's own transport.
final class ScriptedService: HTTPTransport {
    private let answers: Mutex<[@Sendable (HTTPRequest) -> HTTPResponse?]>
    private let sent = Mutex<[String]>([])

    init() { answers = Mutex([]) }

    /// Requests so far, as method and URL.
    var requests: [String] { sent.withLock { $0 } }

    /// Lets requests be answered by a function, before those given earlier.
    func answer(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse?) {
        answers.withLock { $0.insert(answer, at: 0) }
    }

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        sent.withLock { $0.append("\(request.method) \(request.url)") }
        let answers = answers.withLock { $0 }
        for answer in answers {
            guard let response = answer(request) else { continue }
            return HTTPStreamingResponse(
                status: response.status,
                headers: response.headers,
                body: HTTPBody(response.body)
            )
        }
        return HTTPStreamingResponse(status: 404, headers: [:], body: HTTPBody([]))
    }

    static let root = "http://shop.test/"

    static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json", "OData-Version": "4.0"],
            body: Array(text.utf8)
        )
    }

    /// A shop of two items, which refuses the name "bad" and has no batches.
    static func shop() -> ScriptedService {
        let service = ScriptedService()
        service.answer { request in
            if request.url.hasSuffix("$metadata") {
                return HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": "application/xml"],
                    body: Array(metadata.utf8)
                )
            }
            if request.url.hasSuffix("$batch") { return HTTPResponse(status: 501) }
            if request.url.hasSuffix("support/store") { return HTTPResponse(status: 201) }
            let body = String(decoding: request.body, as: UTF8.self)
            if body.contains("bad") {
                return json(
                    #"{"error":{"code":"BadName","message":"the name is refused"}}"#,
                    status: 400
                )
            }
            switch request.method {
            case "GET" where request.url.hasSuffix("Items"):
                return json(
                    """
                    {"@odata.context":"http://shop.test/$metadata#Items","value":[
                    {"@odata.etag":"W/\\"1\\"","ID":1,"Name":"Lamp","Price":12.50},
                    {"@odata.etag":"W/\\"1\\"","ID":2,"Name":"Chair","Price":99.90}]}
                    """
                )
            case "POST":
                return json(
                    #"{"@odata.context":"http://shop.test/$metadata#Items/$entity","ID":3,"Name":"Desk"}"#,
                    status: 201
                )
            case "PATCH", "DELETE": return HTTPResponse(status: 204)
            default: return nil
            }
        }
        return service
    }

    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Price" Type="Edm.Decimal" Scale="2"/>
        <NavigationProperty Name="Parent" Type="Shop.Item"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="Shop.Item">
        <NavigationPropertyBinding Path="Parent" Target="Items"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}

/// A store in a directory of its own, which goes with it.
final class ShopStore: Sendable {
    let service = ScriptedService.shop()
    let directory: URL
    let provider: OfflineODataProvider

    init(delegate: (any OfflineODataDelegate)? = nil) async throws {
        directory = FileManager.default.temporaryDirectory.appending(
            path: "offline-odata-" + UUID().uuidString
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let parameters = OfflineODataParameters()
        parameters.storePath = directory
        parameters.transport = service
        parameters.retryPolicy = .never
        provider = try OfflineODataProvider(
            serviceRoot: ScriptedService.root,
            parameters: parameters,
            delegate: delegate
        )
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Items", query: "Items"))
        try await provider.open()
    }

    deinit { try? FileManager.default.removeItem(at: directory) }
}
