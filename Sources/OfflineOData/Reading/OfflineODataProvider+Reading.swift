import ODataModel
import ODataProtocol
import ODataTables
import OfflineStore

/// How the entry points get their answers from the router.
extension OfflineODataProvider {
    /// Reads entities, with where they come from and how old they are.
    ///
    /// - Parameter query: URL relative to the service root, such as `Events?$filter=Price lt 20`.
    /// - Throws: ``OfflineODataError`` where the URL is wrong.
    public func read(_ query: String) async throws -> OfflineODataAnswer {
        try await read(ReadRequest(try await resolved(query)))
    }

    /// Reads entities with what the reader says to the rules.
    package func read(_ request: ReadRequest) async throws -> OfflineODataAnswer {
        try await mapping {
            let source = try await router.source(of: request)
            return OfflineODataAnswer(
                entities: try await entities(of: request.resource, from: source),
                origin: try await router.origin(of: source, reading: request.url)
            )
        }
    }

    /// The entities that answer a read; nil where they are to be had nowhere.
    func entities(of resource: ReadRequest.Resource, from source: ReadSource) async throws
        -> [EntityValue]?
    {
        if case .response(let response, _) = source {
            return try ServiceAnswer.entities(response, in: try await store.schema().model)
        }
        let limits = settings.limits.url
        return try await router.read(source) { try Self.entities(of: resource, limits, $0, $1) }
    }

    /// Reads entities in a transaction.
    static func entities(
        of resource: ReadRequest.Resource,
        _ limits: URLLimits,
        _ query: TableQuery,
        _ schema: TableSchema
    ) throws -> [EntityValue] {
        let reading = EntityReading(query: query, schema: schema, limits: limits)
        switch resource {
        case .url(let url): return try reading.entities(url)
        case .query(let query): return try reading.entities(query.bound(in: schema.model))
        case .key(let set, let key):
            // The key says which entity it is, whatever the members of a stored collection.
            var own = query
            own.members = nil
            return try EntityByKey(set, own).read(key, own).map { [$0] } ?? []
        case .stream:
            throw OfflineODataError(.invalidInput, "the URL addresses a stream, not entities")
        }
    }
}
