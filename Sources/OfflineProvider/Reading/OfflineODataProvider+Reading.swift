public import ODataBinding
import OfflineValues
import StoreRecords
import ODataURL
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

    /// Reads the entities of a query made in Swift, with where they come from and how old they are.
    ///
    /// - Throws: ``OfflineODataError`` where a name is unknown or types do not go together.
    public func read(_ query: ODataQuery) async throws -> OfflineODataAnswer {
        try await mapping {
            let (source, entities) = try await answer(ReadRequest(.query(query)))
            // How old the entities are is a matter of their set alone.
            let path = String(query.url().prefix { $0 != "?" })
            return OfflineODataAnswer(
                entities: entities,
                origin: try await router.origin(of: source, reading: path)
            )
        }
    }

    /// Counts the entities that a query finds, whatever its `$top` and `$skip`.
    ///
    /// - Parameter query: URL relative to the service root, such as `Events?$filter=Price lt 20`.
    /// - Throws: ``OfflineODataError`` where the URL is wrong.
    public func count(_ query: String) async throws -> Int {
        let query = try await resolved(query)
        let limits = settings.limits.url
        return try await count(ReadRequest(query)) {
            try BoundRequest(ofApplication: query, in: $0.model, limits: limits)
        }
    }

    /// Counts the entities that a query made in Swift finds, whatever its `top` and `skip`.
    ///
    /// - Throws: ``OfflineODataError`` where a name is unknown or types do not go together.
    public func count(_ query: ODataQuery) async throws -> Int {
        try await count(ReadRequest(.query(query))) { try query.bound(in: $0.model) }
    }

    private func count(
        _ read: ReadRequest,
        bound: @escaping @Sendable (TableSchema) throws -> BoundRequest
    ) async throws -> Int {
        try await mapping {
            let (source, count) = try await router.answer(read) { query, schema -> Int64 in
                let request = try bound(schema)
                guard case .entities(let path) = request.resource, case .entities = path.target
                else { throw OfflineODataError(.invalidInput, "the URL addresses no entities") }
                return try query.count(path, options: request.options)
            }
            guard case .response(let response, _) = source else { return Int(count ?? 0) }
            return try ServiceAnswer.entities(response, in: await store.schema().model).count
        }
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
            try Self.entities(of: resource, limits: limits, query: $0, in: $1)
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
        limits: URLLimits,
        query: TableQuery,
        in schema: TableSchema
    ) throws -> [EntityValue] {
        let reading = EntityReading(query: query, schema: schema, limits: limits)
        switch resource {
        case .url(let url): return try reading.entities(url)
        case .query(let query): return try reading.entities(query.bound(in: schema.model))
        case .key(let set, let key):
            // The key says which entity it is, whatever the members of a stored collection.
            let own = query.members == nil ? query : query.ofAllRows
            return try EntityByKey(set, query: own).read(key, query: own).map { [$0] } ?? []
        case .stream:
            throw OfflineODataError(.invalidInput, "the URL addresses a stream, not entities")
        }
    }
}
