import ODataText
import ODataModel
package import ODataHTTP
package import ODataTables

/// Answers OData requests from an `EntityStore`.
package final class ODataServiceHandler: HTTPHandler {
    private let store: any EntityStore
    private let options: ServiceOptions
    let additions: ServiceAdditions

    package init(
        store: any EntityStore,
        options: ServiceOptions = ServiceOptions(),
        additions: ServiceAdditions = ServiceAdditions()
    ) {
        self.store = store
        self.options = options
        self.additions = additions
    }

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        if options.latency > .zero { try? await Task.sleep(for: options.latency) }
        if let refusal = untypedBody(request) ?? encodedBody(request) {
            return refusal.response(await version(for: request))
        }
        let service = RequestURL(request, options: options)
        var response: HTTPResponse
        if Self.isBatch(request, service: service) {
            response = await batch(request, service: service)
        } else {
            response = await single(request, state: BatchState(service: service))
            // What decides on the form of an answer (OData 4.01 Part 1 § 8.3.8).
            if response.headers["Vary"] == nil {
                response.headers["Vary"] = "Accept, OData-MaxVersion, Prefer"
            }
        }
        if request.method == "HEAD" { response.keepHeadOnly() }
        return response
    }

    /// 415 where a body does not say what it is: a request from elsewhere must (OData 4.01 Part 1 § 8.1.1).
    private func untypedBody(_ request: HTTPRequest) -> ServiceError? {
        guard options.demandsContentType, !request.body.isEmpty,
            request.headers["Content-Type"]?.contains(where: { $0 != " " }) != true
        else { return nil }
        return ServiceError(
            415,
            "the body has no Content-Type; send Content-Type: application/json with values, and its own media type with a stream"
        )
    }

    /// 415 where a body is compressed, which no reader here undoes (RFC 9110 § 15.5.16).
    private func encodedBody(_ request: HTTPRequest) -> ServiceError? {
        guard !request.body.isEmpty, let coding = request.headers["Content-Encoding"],
            coding.lowercased() != "identity"
        else { return nil }
        return ServiceError(
            415,
            "the Content-Encoding \(coding) is not supported; send the body as it is",
            headers: ["Accept-Encoding": "identity"]
        )
    }

    /// The URL of a request relative to the service root; nil where it is none of this service.
    package func relativeURL(of request: HTTPRequest) -> String? {
        RequestURL(request, options: options).relative(request.url)
    }

    private static func isBatch(_ request: HTTPRequest, service: RequestURL) -> Bool {
        guard let url = service.relative(request.url) else { return false }
        return request.method == "POST" && URLParts(url).path == "$batch"
    }

    // MARK: Single requests

    /// Answers one request in a transaction of its own.
    func single(_ request: HTTPRequest, state: BatchState) async -> HTTPResponse {
        guard let repeats = additions.repeats, !Self.isReading(request) else {
            return await execute(request, state: state)
        }
        let parts = await repeats.answer(to: [request]) {
            [BatchResponsePart(response: await self.execute(request, state: state))]
        }
        return parts[0].response
    }

    private func execute(_ request: HTTPRequest, state: BatchState) async -> HTTPResponse {
        let options = options
        let additions = additions
        do {
            let request = try Self.expandingQueryBody(request)
            if Self.isReading(request) || request.method == "OPTIONS" {
                return try await store.read { query, schema in
                    try Self.read(
                        request,
                        state: state,
                        query: query,
                        in: schema,
                        options: options,
                        additions: additions
                    )
                }
            }
            guard ["POST", "PATCH", "MERGE", "PUT", "DELETE"].contains(request.method) else {
                throw ServiceError(501, "the method is not known")
            }
            return try await store.write { writing in
                try Self.change(
                    request,
                    state: state,
                    writing: writing,
                    plans: ChangePlans(writing.schema),
                    options: options
                )
            }
        } catch {
            let refusal = ServiceError(error, of: options.databaseFile)
            return refusal.response(await version(for: request))
        }
    }

    /// Answers a reading request inside a transaction.
    private static func read(
        _ request: HTTPRequest,
        state: BatchState,
        query: TableQuery,
        in schema: TableSchema,
        options: ServiceOptions,
        additions: ServiceAdditions
    ) throws -> HTTPResponse {
        let context = try ServiceContext(
            request,
            in: state.service,
            model: schema.model,
            options: options,
            contentIDs: state.urls
        )
        return try ReadAnswer(
            query: query,
            schema: schema,
            context: context,
            deltas: additions.deltas,
            isUnknownStream: additions.isUnknownStream
        ).answer()
    }

    /// Answers a reading request by a function that gives it a transaction while the calling thread waits.
    ///
    /// - Returns: nil where the request reads nothing.
    package static func answer(
        toReading request: HTTPRequest,
        _ options: ServiceOptions,
        _ additions: ServiceAdditions,
        in read: ((TableQuery, TableSchema) throws -> HTTPResponse) throws -> HTTPResponse
    ) -> HTTPResponse? {
        var model: EdmModel?
        do {
            let get = try expandingQueryBody(request)
            guard isReading(get) else { return nil }
            let state = BatchState(service: RequestURL(get, options: options))
            var response = try read { query, schema in
                model = schema.model
                return try self.read(
                    get,
                    state: state,
                    query: query,
                    in: schema,
                    options: options,
                    additions: additions
                )
            }
            if get.method == "HEAD" { response.keepHeadOnly() }
            return response
        } catch {
            return ServiceError(error, of: options.databaseFile)
                .response(version(for: request, model))
        }
    }

    /// The version of an answer to a request that may be broken.
    func version(for request: HTTPRequest) async -> ODataVersion {
        Self.version(for: request, try? await store.schema().model)
    }

    private static func version(for request: HTTPRequest, _ model: EdmModel?) -> ODataVersion {
        guard let model,
            let version = try? VersionNegotiation.version(for: request.headers, model: model)
        else { return .v4 }
        return version
    }

    package static func isReading(_ request: HTTPRequest) -> Bool {
        request.method == "GET" || request.method == "HEAD"
    }

    /// Carries out one change inside a transaction.
    static func change(
        _ request: HTTPRequest,
        state: BatchState,
        writing: any EntityWriting,
        plans: ChangePlans,
        options: ServiceOptions
    ) throws -> HTTPResponse {
        var request = request
        if let field = request.headers["If-Match"], field.hasPrefix("$"),
            let etag = state.etags[String(field.dropFirst())]
        {
            request.headers["If-Match"] = etag
        }
        let context = try ServiceContext(
            request,
            in: state.service,
            model: writing.schema.model,
            options: options,
            contentIDs: state.urls
        )
        return try WriteAnswer(writing: writing, context: context, plans: plans).answer()
    }

    /// Answers a changing request in a transaction that its caller has opened, and may roll back.
    package static func answer(
        toChanging request: HTTPRequest,
        _ options: ServiceOptions,
        in writing: any EntityWriting
    ) -> HTTPResponse {
        do {
            return try change(
                request,
                state: BatchState(service: RequestURL(request, options: options)),
                writing: writing,
                plans: ChangePlans(writing.schema),
                options: options
            )
        } catch {
            return ServiceError(error, of: options.databaseFile)
                .response(version(for: request, writing.schema.model))
        }
    }

    /// `POST …/$query` is a GET whose options stand in the body (OData 4.01 Part 1 § 11.2.1).
    private static func expandingQueryBody(_ request: HTTPRequest) throws -> HTTPRequest {
        let parts = URLParts(request.url)
        guard parts.path.hasSuffix("/$query"), request.method != "OPTIONS" else { return request }
        guard request.method == "POST" else {
            throw ServiceError(
                405,
                "$query takes query options in the body of a POST",
                headers: ["Allow": "POST, OPTIONS"]
            )
        }
        let text = try queryText(request)
        var get = request
        get.method = "GET"
        get.body = []
        get.url = String(parts.path.dropLast("/$query".count))
        // What a URL cannot hold is often written as it is here; links to further pages are URLs.
        let written = PercentEncoding.completed(text)
        let options = parts.options + written.split(separator: "&").map(String.init)
        if !options.isEmpty { get.url += "?" + options.joined(separator: "&") }
        return get
    }

    /// The options in the body of `POST …/$query`, which are plain text.
    private static func queryText(_ request: HTTPRequest) throws -> String {
        if let field = request.headers["Content-Type"],
            MediaType(field)?.isType("text/plain") != true
        {
            throw ServiceError(415, "the query options in the body must be text/plain")
        }
        guard let text = String(validating: request.body, as: UTF8.self) else {
            throw ServiceError(400, "the body is no UTF-8 text")
        }
        for option in text.split(separator: "&") {
            let name = option.prefix { $0 != "=" }
            guard !name.isEmpty, !name.contains(where: { " ?{}[]\"'\r\n\t".contains($0) }) else {
                throw ServiceError(
                    400,
                    "the body holds no query options; write them as in a URL, $filter=…&$top=…"
                )
            }
        }
        return text
    }
}

extension ODataServiceHandler {
    var serviceOptions: ServiceOptions { options }
    var entityStore: any EntityStore { store }
}

extension HTTPResponse {
    /// Makes the answer to `GET` that to `HEAD`: the length stays (RFC 9110 § 9.3.2).
    fileprivate mutating func keepHeadOnly() {
        if !body.isEmpty { headers["Content-Length"] = String(body.count) }
        body = []
    }
}
