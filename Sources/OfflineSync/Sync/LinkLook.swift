import ODataClient
import ODataValues
import StoreUpload
import ODataSQL
import StoreRecords
import ODataBinding
import ODataModel
import ODataURL
import ODataTables
import OfflineStore

/// Checks whether a link exists whose creation was not answered: a service may refuse to create it twice.
struct LinkLook {
    let store: LocalStore
    let client: ServiceClient
    let budget: RetryBudget

    /// Where the entity that a link leads to stands among those related to the entity that it comes from.
    private struct Place: Sendable {
        var url: String
        var source: NavigationSource
        var key: [Scalar]
    }

    /// Whether the service shows among the related entities what a request was to add to them.
    ///
    /// - Returns: False as well if the answer does not show it.
    /// - Throws: where the service cannot be asked now.
    func isThere(_ request: OutgoingRequest) async throws -> Bool {
        let schema = try await store.schema()
        guard let place = place(of: request, schema), let table = schema.layout[place.source],
            let body = try await entity(at: place)
        else { return false }
        return zip(table.keyColumns, place.key).allSatisfy { body.value(of: $0) == $1 }
    }

    /// Returns nil for a link that is not added to others, or whose target the service names in a way of its own.
    private func place(of request: OutgoingRequest, _ schema: TableSchema) -> Place? {
        let urls = EntityURL(model: schema.model, version: schema.model.version)
        guard request.entry.method == "POST", let related = Self.related(request.url),
            let link = Self.link(in: request.body ?? ""),
            let bound = try? BoundRequest(ofService: belowRoot(link), in: schema.model),
            case .entities(let path) = bound.resource, case .key(let key)? = path.steps.last,
            let source = path.finalSource, let type = schema.model.entityType(of: source),
            let predicate = urls.keyPredicate(of: type, key)
        else { return nil }
        return Place(url: related + predicate, source: source, key: key)
    }

    /// The related entities whose links a URL addresses (OData 4.01 Part 1 § 11.4.6, OData 2.0 URI Conventions 3.2).
    private static func related(_ url: String) -> String? {
        if url.hasPrefix("$") { return nil }
        if url.hasSuffix("/$ref") { return String(url.dropLast("/$ref".count)) }
        return url.contains("/$links/") ? url.replacing("/$links/", with: "/") : nil
    }

    private static func link(in body: String) -> String? {
        ReferenceBody.place(in: body).map { String(body[$0]) }
    }

    private func belowRoot(_ link: String) -> String {
        link.hasPrefix(client.url.root) ? String(link.dropFirst(client.url.root.count)) : link
    }

    private func entity(at place: Place) async throws -> EntityBody? {
        let found = try await ServerEntity.ifAnswered {
            try await budget.asking {
                try await ServerEntity.read(
                    place.source,
                    url: place.url,
                    in: store,
                    through: client,
                    budget: budget
                )
            }
        }
        guard case .found(let body, _)? = found else { return nil }
        return body
    }
}
