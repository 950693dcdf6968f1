package import OfflineValues
import ODataValues
package import ODataModel
package import ODataHTTP
import Synchronization

/// Speaks with one service: addresses, versions, credentials, retries, redirects; knows nothing of stores.
package final class ServiceClient: Sendable {
    package let url: ServiceURL
    package let settings: ServiceClientSettings
    package let transport: any HTTPTransport
    private let authorization: SharedAuthorization?
    private let state: Mutex<State>

    private struct State {
        var version: ODataVersion?
        /// Whether the service says that it does not speak version 4.01.
        var isLimitedTo40 = false
        /// Whether data came as Atom the last time; nil before any have come.
        var answersAtom: Bool?
        var customHeaders: HTTPHeaders
        /// `X-CSRF-Token` and the cookies that came with it belong together and stay for the session.
        var csrfToken: String?
        var cookies: SessionCookies
        var requestCount = 0
        /// What the service had to say to people (`sap-message`).
        var messages: [String] = []
    }

    /// More messages of one operation are noise.
    package static let maximumMessageCount = 20

    /// Redirects are followed this often.
    static let maximumRedirects = 5
    static let redirects: Set<Int> = [301, 302, 303, 307, 308]
    /// Answers to writes and metadata are held in memory up to this size.
    package var maximumBodySize: Int { settings.maximumBodySize }
    /// Answers that say that the request may be sent again later (RFC 9110 § 15; RFC 6585 § 4; RFC 8470 § 5.2).
    package static let unprocessed: Set<Int> = [408, 425, 429]
    /// The same, and answers of gateways, which prove nothing about a write.
    static let temporary: Set<Int> = unprocessed.union([502, 503, 504])

    package init(url: ServiceURL, transport: any HTTPTransport, settings: ServiceClientSettings) {
        self.url = url
        self.transport = transport
        self.settings = settings
        authorization = settings.credentials.map { SharedAuthorization($0) }
        state = Mutex(
            State(
                customHeaders: settings.headers,
                cookies: SessionCookies(custom: settings.cookies)
            )
        )
    }

    /// Returns a client of the same service that sends by another transport, tries once, asks for no credentials and logs nothing.
    package func rehearsing(by transport: any HTTPTransport) -> ServiceClient {
        var settings = settings
        settings.credentials = nil
        settings.retry = .never
        settings.log = Log(nil)
        settings.headers = state.guarded { $0.customHeaders }
        let client = ServiceClient(
            url: url.withoutCredentials,
            transport: transport,
            settings: settings
        )
        let version = state.guarded { ($0.version, $0.isLimitedTo40) }
        client.state.guarded { ($0.version, $0.isLimitedTo40) = version }
        return client
    }

    /// Replaces the header fields that every request carries.
    package func setCustomHeaders(_ headers: HTTPHeaders) {
        state.guarded { $0.customHeaders = headers }
    }

    /// Replaces the application's cookies; those that it gave before are gone.
    package func setCustomCookies(_ cookies: [String: String]) {
        state.guarded { $0.cookies.replaceCustom(cookies) }
    }

    /// Sets the version of the service's model, which decides about header fields.
    package func setVersion(of model: EdmModel) {
        state.guarded { state in
            state.version = model.version
            state.isLimitedTo40 = model.version.isV4 && !model.maySpeak(.v401)
        }
    }

    /// Whether the service may speak version 4.01, as far as its metadata is known.
    package var maySpeak401: Bool {
        state.guarded { !$0.isLimitedTo40 && $0.version?.isV4 ?? true }
    }

    /// The version of the service's model; that of this engine before it is known.
    package var version: ODataVersion { state.guarded { $0.version } ?? .v4 }

    /// Whether the service is known to speak versions 1 to 3.
    private var isOld: Bool { state.guarded { $0.version.map { !$0.isV4 } ?? false } }

    /// Whether data came as Atom the last time; nil before any have come.
    package var answersAtom: Bool? { state.guarded { $0.answersAtom } }

    /// Requests sent so far.
    package var requestCount: Int { state.guarded { $0.requestCount } }

    // MARK: Reading

    /// The attempts of one operation.
    package func budget() -> RetryBudget { RetryBudget(settings.retry, log: log) }

    /// Asks for a resource; answers as soon as the head has come.
    ///
    /// - Parameters:
    ///   - pinned: Names of fields, in small letters, that are sent as `headers` has them, whatever the application has set since.
    ///   - budget: The attempts of the operation that this is a part of; nil where it is all of it.
    /// - Throws: ``OfflineODataError`` for an answer that is no success (but 304 is one), `HTTPTransportError` where none came.
    package func get(
        _ absolute: String,
        headers: HTTPHeaders = [:],
        pinned: Set<String> = [],
        budget: RetryBudget? = nil
    ) async throws -> HTTPStreamingResponse {
        let request = request("GET", absolute: absolute, headers: headers)
        let first = try await repeating(budget ?? self.budget()) {
            try await following(request, pinned: pinned)
        }
        let response = try await awaited(first, of: absolute)
        guard (200..<300).contains(response.status) || response.status == 304 else {
            try await demandService(response.status, response.headers, to: request)
            throw await error(response, for: "GET", at: absolute)
        }
        return try read(response, of: absolute, wanted: headers["Accept"] ?? "application/json")
    }

    /// Returns an answer whose data are JSON: Atom, which versions 1 to 3 are asked for in the second place, is rewritten.
    ///
    /// A page for people, and a format that was not asked for, are refused as what they are.
    private func read(
        _ response: HTTPStreamingResponse,
        of url: String,
        wanted: String
    ) throws -> HTTPStreamingResponse {
        guard response.status == 200, wanted.contains("json") || wanted.contains("xml"),
            let type = response.headers["Content-Type"]?.lowercased()
        else { return response }
        guard !WebPage.isAnswered(response.headers) else {
            throw WebPage.insteadOfData(of: url, status: response.status)
        }
        guard wanted.contains("json") else { return response }
        if isOld, AtomAnswer.isXML(response.headers) {
            if AtomAnswer.isAtom(response.headers) { note(isAtom: true) }
            return try AtomAnswer.converted(response, limits: settings.payloadLimits)
        }
        guard !type.hasPrefix("application/atom") else {
            throw OfflineODataError(
                .server,
                "the service answered Atom (\(type.prefix { $0 != ";" })) where JSON was asked for;"
                    + " check whether the service offers JSON",
                httpStatus: response.status
            )
        }
        if isOld { note(isAtom: false) }
        return response
    }

    private func note(isAtom: Bool) {
        state.guarded { $0.answersAtom = isAtom }
    }

    /// Sends a request that changes nothing as often as the policy allows; answers whatever comes in the end.
    ///
    /// - Parameter leavesForeignRedirects: Whether a redirect to another origin is the answer instead of an error.
    package func repeating(
        _ request: HTTPRequest,
        leavesForeignRedirects: Bool = false,
        budget: RetryBudget? = nil
    ) async throws -> HTTPStreamingResponse {
        try await repeating(budget ?? self.budget()) {
            try await following(request, leavesForeignRedirects: leavesForeignRedirects)
        }
    }

    /// Sends something that changes nothing as often as a budget allows; answers whatever comes in the end.
    func repeating(
        _ budget: RetryBudget,
        send: () async throws -> HTTPStreamingResponse
    ) async throws -> HTTPStreamingResponse {
        while true {
            do {
                let response = try await send()
                guard Self.temporary.contains(response.status),
                    try await budget.waits(retryAfter: response.headers["Retry-After"])
                else { return response }
            } catch let error as HTTPTransportError where error.code.isTemporary {
                guard try await budget.waits() else { throw error }
            }
        }
    }

    /// Sends a request that changes nothing, to where the service sends it on.
    private func following(
        _ request: HTTPRequest,
        leavesForeignRedirects: Bool = false,
        pinned: Set<String> = []
    ) async throws -> HTTPStreamingResponse {
        var request = request
        var response = try await authorized(request, pinned: pinned)
        var redirects = 0
        while Self.redirects.contains(response.status),
            let location = response.headers["Location"]
        {
            if leavesForeignRedirects, (try? url.resolve(location, against: request.url)) == nil {
                return response
            }
            try countRedirect(&redirects, status: response.status)
            request.url = try url.resolve(location, against: request.url)
            response = try await authorized(request, pinned: pinned)
        }
        return response
    }

    private func countRedirect(_ redirects: inout Int, status: Int) throws {
        redirects += 1
        guard redirects <= Self.maximumRedirects else {
            throw OfflineODataError(
                .server,
                "the service redirects in circles",
                httpStatus: status
            )
        }
    }

    // MARK: Writing

    /// Sends a change that must not be sent twice, and answers its whole response.
    ///
    /// It is sent again only where the service has not looked at it: no connection, a wish for a token or other credentials,
    /// 408, 425 and 429. An answer that is still to come (202) is waited for.
    ///
    /// - Parameters:
    ///   - streamedBody: The body where it is too long for memory.
    ///   - budget: The attempts of the operation that this is a part of; nil where it is all of it.
    ///   - carrier: Sends it in the place of the transport.
    ///   - accepted: Receives the status monitor of an accepted request before it is polled.
    package func write(
        _ method: String,
        absolute: String,
        headers: HTTPHeaders,
        body: [UInt8],
        streamedBody: HTTPStreamedBody? = nil,
        budget: RetryBudget? = nil,
        carrier: Carrier? = nil,
        accepted: @Sendable (String) async throws -> Void = { _ in }
    ) async throws -> HTTPResponse {
        var request = request(method, absolute: absolute, headers: headers)
        request.body = body
        if let streamedBody {
            if transport.sendsStreamedBodies {
                request.streamedBody = streamedBody
            } else {
                request.body = try await streamedBody.pieces().collect(upTo: .max)
            }
        }
        let budget = budget ?? self.budget()
        var hasToken = false
        while true {
            let response: HTTPResponse
            do {
                response = try await written(request, carrier: carrier)
                if response.isTokenWanted, !hasToken {
                    try await renewToken(budget)
                    hasToken = true
                    continue
                }
            } catch let error as HTTPTransportError where error.isCertainlyUnsent {
                guard try await budget.waits() else { throw error }
                continue
            }
            guard isUnprocessed(response) else {
                try await demandService(response.status, response.headers, to: request)
                let answer = try await finished(response, of: request.url, accepted: accepted)
                return isOld ? AtomAnswer.converted(answer) : answer
            }
            guard try await budget.waits(retryAfter: response.headers["Retry-After"]) else {
                return response
            }
        }
    }

    /// Looks for the service behind "not found" that comes as a page: where a gateway alone answers, nothing is known of the entity.
    ///
    /// - Throws: ``OfflineODataError`` (communication) where the metadata document is not found in the same way.
    private func demandService(_ status: Int, _ headers: HTTPHeaders, to asked: HTTPRequest)
        async throws
    {
        let metadata = url.absolute("$metadata")
        guard WebPage.isNotFound(status: status, headers: headers), asked.url != metadata else {
            return
        }
        let look = request("GET", absolute: metadata, headers: ["Accept": "application/xml"])
        let answer = try await repeating(look)
        guard WebPage.isNotFound(status: answer.status, headers: answer.headers) else { return }
        throw WebPage.insteadOfService(to: RequestTitle.text(asked.method, asked.url))
    }

    private func isUnprocessed(_ response: HTTPResponse) -> Bool {
        Self.unprocessed.contains(response.status)
            || settings.takesUnavailableAsUnprocessed && response.status == 503
                && response.headers["Retry-After"] != nil
    }

    /// Sends a request in the place of the transport, and answers its whole response.
    package typealias Carrier = @Sendable (HTTPRequest) async throws -> HTTPResponse

    private func written(
        _ request: HTTPRequest,
        carrier: Carrier?
    ) async throws -> HTTPResponse {
        var request = request
        var redirects = 0
        while true {
            if let token = state.guarded({ $0.csrfToken }) {
                request.headers["X-CSRF-Token"] = token
            }
            let response = try await whole(
                authorized(request, isUnrepeatable: true, carrier: carrier)
            )
            // One that cannot be followed is the answer: nothing has looked at the change (RFC 9110 § 15.4).
            redirects += 1
            guard [307, 308].contains(response.status), redirects <= Self.maximumRedirects,
                let location = response.headers["Location"],
                let next = try? url.resolve(location, against: request.url)
            else { return response }
            request.url = next
        }
    }

    private func carried(
        _ request: HTTPRequest,
        options: HTTPRequestOptions,
        carrier: Carrier?
    ) async throws -> HTTPStreamingResponse {
        guard let carrier else { return try await transport.send(request, options: options) }
        let response = try await carrier(request)
        return HTTPStreamingResponse(
            status: response.status,
            headers: response.headers,
            body: HTTPBody(response.body)
        )
    }

    func whole(_ response: HTTPStreamingResponse) async throws -> HTTPResponse {
        HTTPResponse(
            status: response.status,
            headers: response.headers,
            body: try await response.body.collect(upTo: maximumBodySize)
        )
    }

    /// Takes another token for the session.
    ///
    /// - Throws: an error that is certainly unsent where the service cannot be asked now: it has refused the change unseen.
    private func renewToken(_ budget: RetryBudget) async throws {
        let status: Int?
        do {
            status = try await fetchToken(budget)
        } catch let error as HTTPTransportError {
            throw HTTPTransportError(.notConnected, "no X-CSRF-Token came: \(error.message)")
        }
        guard let status, Self.temporary.contains(status) else { return }
        throw HTTPTransportError(
            .notConnected,
            "the service answered \(status) where it was asked for an X-CSRF-Token"
        )
    }

    /// Asks for the token of the session; services give it with their service document, some with the metadata only.
    ///
    /// - Returns: nil, or the status of the last answer where none came with a token.
    private func fetchToken(_ budget: RetryBudget) async throws -> Int? {
        state.guarded { $0.csrfToken = nil }
        var status: Int?
        for target in [url.root, url.absolute("$metadata")] {
            let accept = target == url.root ? AtomAnswer.accept(version) : "application/xml"
            let headers: HTTPHeaders = ["X-CSRF-Token": "Fetch", "Accept": accept]
            let response = try await repeating(
                request("GET", absolute: target, headers: headers),
                budget: budget
            )
            _ = try await response.body.collect(upTo: maximumBodySize)
            guard let token = response.headers["X-CSRF-Token"], token.lowercased() != "required"
            else {
                status = response.status
                continue
            }
            state.guarded { $0.csrfToken = token }
            return nil
        }
        return status
    }

    // MARK: Carrying

    package func request(_ method: String, absolute: String, headers: HTTPHeaders) -> HTTPRequest {
        var request = HTTPRequest(method: method, url: absolute, headers: headers)
        let version = state.guarded { $0.version }
        if request.headers["Accept"] == nil {
            request.headers["Accept"] = AtomAnswer.accept(version)
        }
        for field in Self.versionFields(version, speaks401: maySpeak401).fields {
            request.headers[field.name] = field.value
        }
        return request
    }

    /// Fields of a request as they are sent, with those of the application.
    package func sent(_ headers: HTTPHeaders) -> HTTPHeaders {
        var headers = headers
        addSession(to: &headers, besides: [])
        return headers
    }

    /// Adds what the session has by now: the application's fields and the cookies.
    private func addSession(to headers: inout HTTPHeaders, besides pinned: Set<String>) {
        let (custom, cookies) = state.guarded { ($0.customHeaders, $0.cookies.field) }
        for field in custom.fields where !pinned.contains(field.name.lowercased()) {
            let own = headers[field.name]
            // A preference of the application's stands beside those of this engine (RFC 7240 § 2).
            let isPreference = field.name.lowercased() == "prefer" && own != nil
            headers[field.name] = isPreference ? "\(own ?? ""),\(field.value)" : field.value
        }
        if let cookies { headers["Cookie"] = cookies }
    }

    /// The newest version that is understood (OData 4.01 Part 1 § 8.2.7; OData 2.0 Overview, 5).
    private static func versionFields(_ version: ODataVersion?, speaks401: Bool) -> HTTPHeaders {
        guard let version, !version.isV4 else {
            return ["OData-MaxVersion": speaks401 ? "4.01" : "4.0"]
        }
        return ["MaxDataServiceVersion": version == .v3 ? "3.0" : "2.0"]
    }

    /// Sends a request with the credentials; where they are refused they are asked for once more.
    private func authorized(
        _ request: HTTPRequest,
        isUnrepeatable: Bool = false,
        pinned: Set<String> = [],
        carrier: Carrier? = nil
    ) async throws -> HTTPStreamingResponse {
        var request = request
        request.url = url.completed(request.url)
        addSession(to: &request.headers, besides: pinned)
        guard let authorization else {
            return try await send(request, isUnrepeatable: isUnrepeatable, carrier: carrier)
        }
        let value = try await authorization.value()
        request.headers["Authorization"] = value
        let response = try await send(request, isUnrepeatable: isUnrepeatable, carrier: carrier)
        guard response.status == 401 else { return response }
        request.headers["Authorization"] = try await authorization.value(after: value)
        return try await send(request, isUnrepeatable: isUnrepeatable, carrier: carrier)
    }

    private func send(
        _ request: HTTPRequest,
        isUnrepeatable: Bool,
        carrier: Carrier?
    ) async throws -> HTTPStreamingResponse {
        var options = HTTPRequestOptions()
        options.isUnrepeatable = isUnrepeatable
        options.idleTimeout = settings.timeout
        state.guarded { $0.requestCount += 1 }
        let start = ContinuousClock.now
        var response: HTTPStreamingResponse
        do {
            response = try await carried(request, options: options, carrier: carrier)
        } catch {
            log.error("request.failed", error: error, fields: fields(of: request, since: start))
            throw Self.naming(request, in: error)
        }
        log(
            .debug,
            "request",
            fields(of: request, since: start) + [("status", .count(response.status))]
        )
        response.body = response.body.mapError { Self.naming(request, in: $0) }
        keepCookies(response.headers.values(of: "Set-Cookie"))
        if let message = response.headers["sap-message"] { keep(message) }
        return response
    }

    /// Takes what is to be logged.
    package var log: Log { settings.log }

    /// What is logged of a request; of one to another origin not even the path.
    private func fields(
        of request: HTTPRequest,
        since start: ContinuousClock.Instant
    ) -> [Log.Field] {
        let isOwn = request.url.hasPrefix(url.root)
        return [
            ("method", .text(request.method)),
            ("url", isOwn ? .url(String(request.url.dropFirst(url.root.utf8.count))) : .text("…")),
            ("sentBytes", .count(request.streamedBody?.byteCount ?? request.body.count)),
            ("ms", .time(.now - start)),
        ]
    }

    /// Keeps what the service has to say to people, each text once.
    private func keep(_ header: String) {
        let text = ServiceMessage.text(of: header)
        state.guarded { state in
            guard state.messages.count < Self.maximumMessageCount,
                !state.messages.contains(text)
            else { return }
            state.messages.append(text)
        }
    }

    /// Returns the messages that have come since the last call.
    package func takeMessages() -> [String] {
        state.guarded { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    private func keepCookies(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        state.guarded { state in
            for line in lines { state.cookies.take(line) }
        }
    }
}

extension HTTPResponse {
    /// Whether a change is refused for want of the session's token only.
    package var isTokenWanted: Bool {
        status == 403 && headers["X-CSRF-Token"]?.lowercased() == "required"
    }
}
