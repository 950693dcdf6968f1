public import ODataProtocol
import ODataService
import OfflineStore

/// Requests in OData form, answered by the store as the service would answer them.
extension OfflineODataProvider {
    /// Answers an OData request from the store; changes are applied and queued.
    ///
    /// The target is relative to the service root (`~/` before it is allowed). Errors are answers with a status, as a service gives
    /// them.
    public func respond(
        to request: HTTPRequest,
        options: sending OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async -> HTTPResponse {
        do {
            let optioned = OptionedStore(
                store: store,
                options: try options.changeOptions(isOptimizing: settings.optimizesQueue)
            )
            var service = ServiceOptions()
            service.serviceRoot = client?.url.root ?? "http://localhost/"
            service.demandsPreconditions = false
            service.allowsUpsert = false
            var request = request
            if request.url.hasPrefix("~/") { request.url.removeFirst(2) }
            request.url = try await resolved(request.url)
            request.url = (service.serviceRoot ?? "") + ServiceURL.encoded(request.url)
            return await ODataServiceHandler(store: optioned, options: service).respond(to: request)
        } catch {
            return HTTPResponse(
                status: 400,
                headers: ["Content-Type": "text/plain"],
                body: Array("\(OfflineODataError.mapping(error))".utf8)
            )
        }
    }

    /// An HTTP handler over the store, for a listener on the loopback interface.
    package func handler(serviceRoot: String?) -> any HTTPHandler {
        var service = ServiceOptions()
        service.serviceRoot = serviceRoot
        service.demandsPreconditions = false
        service.allowsUpsert = false
        return ODataServiceHandler(store: store, options: service)
    }

    /// A URL that leads through a request to its entity, in terms of the entity; others as they are.
    func resolved(_ url: String) async throws -> String {
        guard AffectedEntityURL.isCandidate(url) else { return url }
        return try await mapping {
            try await store.file.read { [store] connection in
                try AffectedEntityURL.resolved(url, connection, store.schema(connection))
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
        options: sending OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws {
        try await change(options) { try $0.call(url, parameters) }
    }
}
