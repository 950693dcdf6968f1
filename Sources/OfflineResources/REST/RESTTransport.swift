public import OfflinePolicies
import ODataText
public import ODataHTTP
import OfflineOData

/// Lets a plain REST service without metadata be used as if it spoke OData: path templates say what there is.
///
/// Objects are open types; answers may be arrays, objects, or wrapped in `items`. Updates are sent as `PUT` of the whole object.
///
///     service  <── GET /departments/10 ── transport <── GET departments(10) ── store, queue, policies
public final class RESTTransport: HTTPTransport {
    /// How the service is spoken to.
    public struct Options: Sendable {
        /// Objects asked for at once by `limit` and `offset`; nil where the service answers all.
        public var pageSize: Int?
        /// Whether updates overwrite whatever the service has, as Sync Express does; else they carry `If-Match`.
        public var overwrites = false

        /// Creates options with the defaults.
        public init() {}
    }

    private let root: String
    private let resources: RESTResources
    let templates: [RESTTemplate]
    let options: Options
    private let base: any HTTPTransport

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - root: The service root, as the provider is given it.
    ///   - templates: The resources.
    ///   - base: Carries the requests.
    public init(
        root: String,
        templates: [RESTTemplate],
        options: Options = Options(),
        base: any HTTPTransport
    ) {
        self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
        resources = RESTResources(templates)
        self.templates = templates
        self.options = options
        self.base = base
    }

    /// Answers a request in OData form.
    public func send(
        _ request: HTTPRequest,
        options: HTTPRequestOptions
    ) async throws -> HTTPStreamingResponse {
        let response = try await answer(request, options: options)
        return HTTPStreamingResponse(
            status: response.status,
            headers: response.headers,
            body: HTTPBody(response.body)
        )
    }

    private func answer(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPResponse
    {
        let target =
            request.url.hasPrefix(root) ? request.url.dropFirst(root.count) : request.url[...]
        let parts = URLParts(String(target))
        let path = String(parts.path.drop { $0 == "/" })
        if path == "$metadata" {
            return HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/xml"],
                body: Array(resources.metadata.utf8)
            )
        }
        // Requests are sent one by one.
        guard !path.hasPrefix("$") else { return HTTPResponse(status: 501) }
        // People write the service's own paths too: keys as segments.
        let named = RESTAddress(url: path, in: resources) ?? RESTAddress(path: path, in: resources)
        guard let address = named else { return HTTPResponse(status: 404) }
        let query: RESTQuery
        do {
            query = try RESTQuery(parts.options, pageSize: self.options.pageSize)
        } catch {
            return error.response
        }
        let exchange = RESTExchange(
            root: root,
            resources: resources,
            base: base,
            overwrites: self.options.overwrites,
            address: address,
            query: query,
            options: options
        )
        return try await exchange.answer(request)
    }
}
