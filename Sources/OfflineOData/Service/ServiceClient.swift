import ODataModel
import ODataProtocol
import Synchronization

/// Speaks with one service: addresses, versions, header fields, redirects; knows nothing of stores.
final class ServiceClient: Sendable {
    let url: ServiceURL
    private let transport: any HTTPTransport
    private let timeout: Duration
    private let state: Mutex<State>

    private struct State {
        var customHeaders: HTTPHeaders
        /// `X-CSRF-Token` and the cookies that came with it, where the service wants them.
        var csrfToken: String?
        var cookies: [String: String] = [:]
    }

    /// Redirects are followed this often.
    static let maximumRedirects = 5
    /// Answers to writes and metadata are held in memory up to this size.
    static let maximumBodySize = 256 * 1024 * 1024

    init(url: ServiceURL, transport: any HTTPTransport, headers: HTTPHeaders, timeout: Duration) {
        self.url = url
        self.transport = transport
        self.timeout = timeout
        state = Mutex(State(customHeaders: headers))
    }

    /// Replaces the header fields that every request carries.
    func setCustomHeaders(_ headers: HTTPHeaders) {
        state.guarded { $0.customHeaders = headers }
    }

    // MARK: Reading

    /// Asks for a resource; answers as soon as the head has come.
    ///
    /// - Throws: ``OfflineODataError`` for an answer that is no success (but 304 is one), `HTTPTransportError` where none came.
    func get(_ absolute: String, headers: HTTPHeaders = [:]) async throws -> HTTPStreamingResponse {
        var response = try await send(request("GET", absolute, headers: headers))
        var redirects = 0
        while [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headers["Location"]
        {
            redirects += 1
            guard redirects <= Self.maximumRedirects else {
                throw OfflineODataError(
                    .server,
                    "the service redirects in circles",
                    httpStatus: response.status
                )
            }
            let target = try url.resolve(location, against: absolute)
            response = try await send(request("GET", target, headers: headers))
        }
        guard (200..<300).contains(response.status) || response.status == 304 else {
            throw await Self.error(response, for: "GET")
        }
        return response
    }

    /// The error that an answer tells.
    static func error(_ response: HTTPStreamingResponse, for method: String) async
        -> OfflineODataError
    {
        let body = (try? await response.body.collect(upTo: maximumBodySize)) ?? []
        return error(
            HTTPResponse(status: response.status, headers: response.headers, body: body),
            for: method
        )
    }

    /// The error that an answer tells.
    static func error(_ response: HTTPResponse, for method: String) -> OfflineODataError {
        let told = ODataErrorBody(reading: response.body.span)
        let detail = told.map { ": \($0.message)" } ?? ""
        let hint = [401, 407].contains(response.status) ? "; check the credentials" : ""
        return OfflineODataError(
            .server,
            "the service answered \(response.status) to \(method)\(detail)\(hint)",
            httpStatus: response.status
        )
    }

    // MARK: Writing

    /// Sends a change that must not be sent twice, and answers its whole response.
    ///
    /// A token is fetched and the request repeated once where the service answers that it wants one: it has not been processed.
    func write(_ method: String, _ absolute: String, headers: HTTPHeaders, body: [UInt8])
        async throws -> HTTPResponse
    {
        let response = try await writeOnce(method, absolute, headers, body)
        guard response.status == 403, response.headers["X-CSRF-Token"]?.lowercased() == "required"
        else {
            return response
        }
        try await fetchToken()
        return try await writeOnce(method, absolute, headers, body)
    }

    private func writeOnce(
        _ method: String,
        _ absolute: String,
        _ headers: HTTPHeaders,
        _ body: [UInt8]
    ) async throws -> HTTPResponse {
        var request = request(method, absolute, headers: headers)
        request.body = body
        let token = state.guarded { $0.csrfToken }
        if let token { request.headers["X-CSRF-Token"] = token }
        let response = try await send(request, isUnrepeatable: true)
        return HTTPResponse(
            status: response.status,
            headers: response.headers,
            body: try await response.body.collect(upTo: Self.maximumBodySize)
        )
    }

    private func fetchToken() async throws {
        let response = try await send(request("GET", url.root, headers: ["X-CSRF-Token": "Fetch"]))
        _ = try await response.body.collect(upTo: Self.maximumBodySize)
        state.guarded { $0.csrfToken = response.headers["X-CSRF-Token"] }
    }

    // MARK: Carrying

    private func request(_ method: String, _ absolute: String, headers: HTTPHeaders) -> HTTPRequest
    {
        var request = HTTPRequest(method: method, url: absolute, headers: headers)
        if request.headers["Accept"] == nil { request.headers["Accept"] = "application/json" }
        request.headers["OData-MaxVersion"] = "4.01"
        let (custom, cookies) = state.guarded { ($0.customHeaders, $0.cookies) }
        for field in custom.fields { request.headers[field.name] = field.value }
        if !cookies.isEmpty {
            let list = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            request.headers["Cookie"] = list.joined(separator: "; ")
        }
        return request
    }

    private func send(
        _ request: HTTPRequest,
        isUnrepeatable: Bool = false
    ) async throws -> HTTPStreamingResponse {
        var options = HTTPRequestOptions()
        options.isUnrepeatable = isUnrepeatable
        options.idleTimeout = timeout
        let response = try await transport.send(request, options: options)
        keepCookies(response.headers.values(of: "Set-Cookie"))
        return response
    }

    private func keepCookies(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        state.guarded { state in
            for line in lines {
                let pair = line.prefix { $0 != ";" }
                guard let equals = pair.firstIndex(of: "=") else { continue }
                state.cookies[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
            }
        }
    }
}
