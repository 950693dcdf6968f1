import ODataAnswers
import ODataBinding
package import ODataClient
import ODataHTTP
import ODataModel
import ODataTables
import ODataText
import ODataURL
import ODataValues
package import OfflineStore
package import OfflineValues
import StoreRecords
import StoreUpload

/// Looks for an entity in its collection where "not found" came as a page.
///
/// Gateways answer so to URLs that they do not like, above all those with an encoded slash in a key, while the service behind them
/// has the entity. The condition of a query passes them.
package struct PageLook {
    let store: LocalStore
    let client: ServiceClient

    package init(store: LocalStore, client: ServiceClient) {
        (self.store, self.client) = (store, client)
    }

    /// Why a request is refused whose entity the service has not shown to be gone.
    static let note =
        "the answer is a page, as gateways send it, and the collection does not show that the entity is gone: look at the service, then try the request again or discard it"

    /// Whether the service shows that it has no entity at a URL; false as well where it shows nothing.
    func isGone(at url: String) async throws -> Bool {
        try await ServerEntity.ifReadable {
            guard let query = try await query(for: url) else { return false }
            let response = try await client.get(client.url.target(query))
            let bytes = try await response.body.collect(upTo: client.maximumBodySize)
            guard let root = JSONTree(bytes)?.root else { return false }
            let answer = root["d"] ?? root
            return (answer["value"] ?? answer["results"] ?? answer).items?.isEmpty ?? false
        } ?? false
    }

    /// Checks that "not found" as a page is the service's own word, as the collection of an entity shows it; of what is in none, a service
    /// that answers its `$metadata` is believed.
    ///
    /// - Throws: ``OfflineODataError`` as for a service that is not reached, where it is a gateway's.
    package func check(_ error: OfflineODataError, at url: String) async throws {
        guard error.isPage else { return }
        let isWord =
            if (try? await query(for: url)) != nil {
                try await isGone(at: url)
            } else {
                try await answersMetadata()
            }
        guard !isWord else { return }
        throw OfflineODataError(
            .communication,
            "the service is not reached: its answer is a page, as gateways send it (\(error.httpStatus ?? 404))",
            cause: error
        )
    }

    private func answersMetadata() async throws -> Bool {
        try await ServerEntity.ifReadable {
            let response = try await client.get(client.url.absolute("$metadata"))
            return try await !response.body.collect(upTo: client.maximumBodySize).isEmpty
        } ?? false
    }

    /// The query that the entity at a URL alone answers; nil where it has no key.
    private func query(for url: String) async throws -> String? {
        let model = try await store.schema().model
        guard
            case .entities(let path) = try BoundRequest(ofService: url, in: model)
                .resource, let key = path.trailingKey, let type = path.entityType(in: model),
            let end = url.lastIndex(of: "("),
            let parts = EntityURL(model: model, version: model.version).keyLiterals(of: type, key)
        else { return nil }
        let conditions = parts.map { "\($0.path) eq \($0.literal)" }
        return url[..<end] + "?$filter=" + conditions.joined(separator: " and ")
    }
}
