import ODataProtocol
import ODataTables
import OfflineStore

/// Reads the service's present version of an entity that a queued request is about.
enum ServerEntity {
    /// What the service has.
    enum Found: Sendable {
        case found(EntityBody, etag: String?)
        case missing
    }

    /// Asks the service.
    ///
    /// - Throws: where the service cannot be asked.
    static func read(
        _ entry: QueueEntry,
        _ url: String,
        _ store: LocalStore,
        _ client: ServiceClient
    ) async throws -> Found {
        let schema = try await store.schema()
        guard let source = entry.source.flatMap({ schema.source(named: $0) }),
            let plan = schema.plans.plan(for: source)
        else { throw OfflineODataError(.internal, "the request is about no known entity set") }
        do {
            let response = try await client.get(client.url.target(url))
            let bytes = try await response.body.collect(upTo: ServiceClient.maximumBodySize)
            guard let body = try EntityBodyReader.read(bytes, plan, schema) else { return .missing }
            return .found(body, etag: response.headers["ETag"])
        } catch let error as OfflineODataError where [404, 410].contains(error.httpStatus) {
            return .missing
        }
    }
}
