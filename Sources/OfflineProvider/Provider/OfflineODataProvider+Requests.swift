import ODataText
public import OfflineValues
import ODataClient
import StoreRecords
public import ODataHTTP
public import ODataAnswers
import OfflineStore

/// Requests in OData form, answered by the store as the service would answer them.
extension OfflineODataProvider {
    /// Answers an OData request from the store; changes are applied and queued.
    ///
    /// The target is relative to the service root (`~/` before it is allowed). Errors are answers with a status, as a service gives
    /// them.
    public func respond(
        to request: HTTPRequest,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async -> HTTPResponse {
        do {
            try checkNotClosed()
            let optioned = OptionedStore(
                store: store,
                options: try options.all.changeOptions(isOptimizing: settings.optimizesQueue),
                router: router
            )
            var service = serviceOptions(root: client?.url.root ?? Self.localRoot)
            let original = request.url
            var request = request
            let relative = relative(original)
            request.url = try await resolved(relative)
            if request.url == relative {
                service.writtenURL = WrittenURL(original, relative: relative)
            }
            guard ["GET", "HEAD"].contains(request.method) else {
                return try await observed(.request(request)) {
                    await answer(request, in: optioned, service: service)
                }
            }
            let source = try await router.source(
                of: ReadRequest(request.url, headers: request.headers)
            )
            switch source {
            case .store: return await answer(request, in: optioned, service: service)
            case .response(let response, _): return response
            case .collection(let collection, _):
                var routed = optioned
                routed.collection = collection
                return await answer(request, in: routed, service: service)
            case .nothing:
                return Self.noAnswer
            }
        } catch {
            return Self.answer(to: error, of: settings.storeFile)
        }
    }

    private func answer(
        _ request: HTTPRequest,
        in store: OptionedStore,
        service: ServiceOptions
    ) async -> HTTPResponse {
        var request = request
        request.url = (service.serviceRoot ?? "") + PercentEncoding.completed(request.url)
        return await ODataServiceHandler(
            store: store,
            options: service,
            additions: StoreService.additions
        ).respond(to: request)
    }

    /// Answers a reading OData request from the store while the calling thread waits; 405 to any other.
    ///
    /// It never asks the service: where fetch policies decide about every read, they decide as if there were no network.
    @available(*, noasync, message: "await the asynchronous form")
    public func respond(to request: HTTPRequest) -> HTTPResponse {
        do {
            try checkNotClosed()
            var service = serviceOptions(root: client?.url.root ?? Self.localRoot)
            let original = request.url
            var request = request
            let relative = relative(original)
            request.url = try resolvedBlocking(relative)
            if request.url == relative {
                service.writtenURL = WrittenURL(original, relative: relative)
            }
            let source = try router.sourceAtHand(
                of: ReadRequest(request.url, headers: request.headers)
            )
            request.url = (service.serviceRoot ?? "") + PercentEncoding.completed(request.url)
            let response = ODataServiceHandler.answer(
                toReading: request,
                service,
                StoreService.additions
            ) { answer in
                try router.readBlocking(source, body: answer) ?? HTTPResponse(status: 404)
            }
            return response ?? HTTPResponse(status: 405, headers: ["Allow": "GET, HEAD"])
        } catch {
            return Self.answer(to: error, of: settings.storeFile)
        }
    }

    /// The root of a store that belongs to no service.
    private static let localRoot = "http://localhost/"

    private func serviceOptions(root: String?) -> ServiceOptions {
        var service = ServiceOptions()
        service.serviceRoot = root
        service.demandsPreconditions = false
        service.allowsUpsert = false
        service.keepsRemovedMembers = true
        service.databaseFile = settings.storeFile
        service.pageSize = settings.pageSize
        service.limits.url = settings.limits.url
        service.limits.batch = settings.limits.batch
        return service
    }

    /// Answers changing requests in one transaction, each with options of its own: all are carried out, or none.
    ///
    /// - Parameter body: Gets what answers a request; what it throws takes all of them back.
    func respondTogether<R: Sendable>(
        to requests: [HTTPRequest],
        _ body:
            @escaping @Sendable (
                _ answer: (HTTPRequest, ChangeOptions, _ allowsUpsert: Bool) throws -> HTTPResponse
            ) throws -> R
    ) async throws -> R {
        try checkNotClosed()
        for request in requests {
            for observer in router.observers { try observer.willMake(.request(request)) }
        }
        let checks = try await router.queueChecks()
        let service = serviceOptions(root: client?.url.root ?? Self.localRoot)
        let result = try await uncancelled { [store] in
            try await store.changeTogether { transaction in
                try transaction(ChangeOptions()).checked(by: checks) {
                    try body { request, options, allowsUpsert in
                        let writing = try transaction(options)
                        var (request, service) = (request, service)
                        let url = try writing.resolved(request.url)
                        request.url = (service.serviceRoot ?? "") + PercentEncoding.completed(url)
                        service.allowsUpsert = allowsUpsert
                        return ODataServiceHandler.answer(toChanging: request, service, in: writing)
                    }
                }
            }
        }
        for request in requests {
            settings.log(.debug, "change", [("kind", .text(LocalChange.request(request).kind))])
            for observer in router.observers { observer.didMake(.request(request)) }
        }
        return result
    }

    /// A URL as answers write it, below the service root, or relative to it.
    private func relative(_ url: String) -> String {
        let starts = ["~/", client?.url.root ?? Self.localRoot]
        guard let start = starts.first(where: url.hasPrefix) else { return url }
        return String(url.dropFirst(start.count))
    }

    /// Said where an answer is to be had nowhere.
    static var noAnswer: HTTPResponse {
        HTTPResponse(
            status: 404,
            headers: ["Content-Type": "text/plain"],
            body: Array("neither the store nor the service has the answer".utf8)
        )
    }

    package static func answer(to error: any Error, of file: String? = nil) -> HTTPResponse {
        let mapped = OfflineODataError.mapping(error, of: file)
        return HTTPResponse(
            status: (mapped as? OfflineODataError)?.code == .closed ? 503 : 400,
            headers: ["Content-Type": "text/plain"],
            body: Array("\(mapped)".utf8)
        )
    }

    /// Returns what answers HTTP requests from the store, as a service would: reads pass the same rules as all others, changes are
    /// applied and queued.
    ///
    /// - Parameter options: How the service behaves; local changes need no precondition, and no update creates what is not there.
    public func handler(options: ServiceOptions = ServiceOptions()) -> any HTTPHandler {
        var options = options
        options.demandsPreconditions = false
        options.allowsUpsert = false
        options.keepsRemovedMembers = true
        return StoreService(provider: self, options: options)
    }

    /// A URL that leads through a request to its entity, in terms of the entity; others as they are.
    package func resolved(_ url: String) async throws(OfflineODataError) -> String {
        guard AffectedEntityURL.isCandidate(url) else { return url }
        return try await uncancelled {
            try await store.file.read { [store] connection in
                try AffectedEntityURL.resolved(url, on: connection, in: store.schema(connection))
            }
        }
    }

    /// The same while the calling thread waits.
    func resolvedBlocking(_ url: String) throws(OfflineODataError) -> String {
        guard AffectedEntityURL.isCandidate(url) else { return url }
        return try mapping {
            try store.file.readBlocking { connection in
                try AffectedEntityURL.resolved(url, on: connection, in: store.schema(connection))
            }
        }
    }

    /// Queues the call of an action or a function; the store does not change.
    ///
    /// - Parameters:
    ///   - url: The call relative to the service root: `Orders(1)/Shop.Cancel`, `CleanUp`, `Total(Year=2024)`.
    ///   - parameters: The parameters of an action; those of a function stand in its URL.
    /// - Throws: ``OfflineODataError`` where the metadata has no such operation or parameter.
    public func callOperation(
        _ url: String,
        parameters: [String: ODataValue] = [:],
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) {
        try await change(options, change: .operation(url)) {
            try $0.call(url, parameters: parameters)
        }
    }
}
