public import OfflinePolicies
public import ODataBinding
public import ODataHTTP
public import OfflineOData
import ODataTables
import OfflineStore

/// Reads about which policies decide.
extension PolicyEngine {
    /// Reads entities by the policies in force for their URL.
    ///
    /// - Parameters:
    ///   - url: Relative to the service root: `WorkOrders?$filter=Status eq 1`, `WorkOrders(7)`.
    ///   - policy: The reader's own policies, before those of path, service and library.
    ///   - headers: Header fields that go along where the service is asked.
    /// - Throws: ``OfflineODataError`` where the URL is wrong or the service answers an error.
    public func read(
        _ url: String,
        policy: ResourcePolicy = ResourcePolicy(),
        headers: HTTPHeaders = [:]
    ) async throws -> ResourceAnswer {
        try await read(.url(resolved(url)), policy: policy, headers: headers)
    }

    /// Reads entities by a query made in Swift, by the policies in force for its URL.
    ///
    /// - Throws: ``OfflineODataError`` where a name is unknown, types do not go together, or the service answers an error.
    public func read(
        _ query: ODataQuery,
        policy: ResourcePolicy = ResourcePolicy(),
        headers: HTTPHeaders = [:]
    ) async throws -> ResourceAnswer {
        try await read(.query(query), policy: policy, headers: headers)
    }

    /// Reads the entity of a set that has a key, by the policies in force for its URL.
    ///
    /// - Throws: ``OfflineODataError`` where there is no such set, its key is none of one such value, or the service answers an error.
    public func read(
        entitySet: String,
        key: ODataValue,
        policy: ResourcePolicy = ResourcePolicy(),
        headers: HTTPHeaders = [:]
    ) async throws -> ResourceAnswer {
        try await read(.key(entitySet: entitySet, key), policy: policy, headers: headers)
    }

    private func read(
        _ resource: ReadRequest.Resource,
        policy: ResourcePolicy,
        headers: HTTPHeaders
    ) async throws -> ResourceAnswer {
        let request = PolicyRequest(policy, isResolved: true)
        var outcome = PolicyRequest.Outcome()
        let answer = try await provider.read(
            ReadRequest(resource, headers: headers, context: request)
        ) {
            outcome = request.outcome
            return outcome.origin
        }
        return ResourceAnswer(answer.entities, origin: answer.origin, outcome: outcome)
    }

    /// Answers a reading request in OData form by the policies in force for its URL; 404 where the answer is to be had nowhere.
    ///
    /// - Returns: The response, with where it comes from.
    public func respond(
        to request: HTTPRequest,
        policy: ResourcePolicy = ResourcePolicy()
    ) async -> (response: HTTPResponse, answer: ResourceAnswer) {
        let own = PolicyRequest(policy, isResolved: true)
        var relative = request
        relative.url = (try? await resolved(request.url)) ?? local(request.url)
        let sent = relative
        let response = await PolicyRequest.$current.withValue(own) {
            await provider.respond(to: sent)
        }
        let outcome = own.outcome
        let origin = outcome.origin ?? OfflineODataOrigin(place: .store)
        return (response, ResourceAnswer(nil, origin: origin, outcome: outcome))
    }

    /// A URL as the store understands it, relative to the service root; a plain REST service is known by its own paths and options, too.
    ///
    /// One URL has one form: the name of a stored collection depends on it.
    func local(_ url: String) -> String {
        let url = rule.state.local(Self.relative(url))
        return KeySpelling.canonical(url, in: router.store.knownSchema?.model)
    }

    /// The same where what the store keeps about the service may have to be read first.
    func resolved(_ url: String) async throws -> String {
        if rule.state.known == nil { _ = try await rule.state.current(router) }
        // Before the store is opened, nothing is known of keys.
        if !router.store.hasSchema { _ = try? await router.store.schema() }
        return local(url)
    }

    /// A URL relative to the service root.
    static func relative(_ url: String) -> String {
        // Most are relative already.
        guard let first = url.utf8.first, "~/".utf8.contains(first) else { return url }
        let relative = url.hasPrefix("~/") ? url.dropFirst(2) : url[...]
        return String(relative.drop { $0 == "/" })
    }
}
