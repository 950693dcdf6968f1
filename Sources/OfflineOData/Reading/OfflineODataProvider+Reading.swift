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
            let (source, entities) = try await answer(request)
            return OfflineODataAnswer(
                entities: entities,
                origin: try await router.origin(of: source, reading: request.url)
            )
        }
    }

    /// Reads entities with what the reader says to the rules, and with an origin that a rule may know already.
    ///
    /// - Parameter origin: Asked after the read; where it answers nil, the store is asked how old the answer is.
    package func read(_ request: ReadRequest, origin: () -> OfflineODataOrigin?) async throws
        -> OfflineODataAnswer
    {
        try await mapping {
            let (source, entities) = try await answer(request)
            guard let origin = origin() else {
                let origin = try await router.origin(of: source, reading: request.url)
                return OfflineODataAnswer(entities: entities, origin: origin)
            }
            return OfflineODataAnswer(entities: entities, origin: origin)
        }
    }

    /// Where the answer of a read comes from, with the entities; nil where they are to be had nowhere.
    func answer(_ request: ReadRequest) async throws -> (
        source: ReadSource, entities: [EntityValue]?
    ) {
        let (resource, limits) = (request.resource, settings.limits.url)
        let answer = try await router.answer(request) {
            try Self.entities(of: resource, limits, $0, $1)
        }
        guard case .response(let response, _) = answer.source else {
            return (answer.source, answer.result)
        }
        let model = try await store.schema().model
        return (answer.source, try ServiceAnswer.entities(response, in: model))
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
