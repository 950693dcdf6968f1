package import StoreRecords
package import OfflineValues
import ODataClient
import ODataURL
package import ODataHTTP
package import OfflineStore
import OfflineSync

extension ReadRouter {
    /// Returns the members of a stored collection with their links.
    package func entities(of collection: StoredCollection) async throws -> [(String, EntityValue)] {
        let source = ReadSource.collection(collection, OfflineODataOrigin(place: .store))
        return try await read(source) { query, schema in
            let entities = try OfflineODataProvider.entities(
                of: .url(collection.url),
                limits: URLLimits(),
                query: query,
                in: schema
            )
            return try entities.map { (try $0.link(in: schema), $0) }
        } ?? []
    }

    /// Returns the entity of a URL as the store has it, whatever the rules say; nil where it has none.
    package func storedEntity(_ url: String) async throws -> EntityValue? {
        try await storedEntities(url).first
    }

    /// Returns the entities that a local query finds in the store, whatever the rules say.
    package func storedEntities(_ url: String) async throws -> [EntityValue] {
        try await mapped {
            try await store.readCancellable { query, schema in
                try EntityReading(query: query, schema: schema).entities(url)
            }
        }
    }

    /// Takes back a request that lost against the service's version; the event log keeps it.
    package func dropNoted(_ request: Int64) async throws {
        try await mapped {
            try await store.file.write { [store] connection in
                try QueueEditor(connection, schema: store.schema(connection)).dropNoted(request)
            }
        }
    }

    /// Limits the bytes that copies and waiting changes take together.
    package func limitRoom(_ room: StoreRoom) { store.setRoom(room) }

    /// Takes the requests about an entity for carried out: its local values stay, and nothing is sent.
    package func markAsSynchronized(_ url: String) async throws {
        try await mapped {
            try await store.file.write { [store] connection in
                _ = try QueueEditor(connection, schema: store.schema(connection)).markAsDone(url)
            }
        }
    }
}

extension OfflineODataProvider {
    /// Returns the link by which the store finds an entity.
    package func link(of entity: EntityValue) async throws -> String {
        try await mapping { try entity.link(in: await store.schema()) }
    }
}

extension ReadRouter {
    /// Sends a change to the service past the store and its queue; nothing of it is kept.
    ///
    /// - Parameter request: Its URL is relative to the service root.
    /// - Throws: ``OfflineODataError`` where the body breaks a rule of the metadata, or the service is not reached.
    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let client else { throw OfflineODataError.withoutService }
        try await check(request)
        return try await mapped {
            let response = try await answer(to: request, from: client)
            guard !WebPage.isAnswer(response) else {
                throw WebPage.insteadOfResult(ofDirect: request.method, status: response.status)
            }
            return response
        }
    }

    /// - Throws: ``OfflineODataError`` (unknown outcome) where the service may have carried the change out.
    private func answer(to request: HTTPRequest, from client: ServiceClient) async throws
        -> HTTPResponse
    {
        let lost: any Error
        do {
            let response = try await client.write(
                request.method,
                absolute: client.url.absolute(request.url),
                headers: request.headers,
                body: request.body
            )
            guard response.leavesOutcomeOpen else { return response }
            lost = OfflineODataError(
                .server,
                "the service answered \(response.status)",
                httpStatus: response.status
            )
        } catch let error as HTTPTransportError where !error.isCertainlyUnsent {
            lost = OfflineODataError.mapping(error)
        }
        throw OfflineODataError.unknownOutcome(of: request.url, after: lost, isQueued: false)
    }
}
