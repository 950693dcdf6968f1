import ODataClient
import ODataText
import ODataHTTP
import OfflineValues
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
        guard let place = place(of: request, schema) else { return false }
        return try await isShown(place, schema)
    }

    /// Whether the service shows every relation that an update has named by a reference.
    ///
    /// - Parameter url: Where the entity is.
    /// - Returns: False as well if the answers do not show it.
    /// - Throws: where the service cannot be asked now.
    func areBound(_ request: OutgoingRequest, at url: String) async throws -> Bool {
        let schema = try await store.schema()
        guard let source = schema.source(of: request.entry),
            let plan = schema.plans.plan(for: source),
            let sent = try? EntityBodyReader.read(
                Array((request.body ?? "").utf8),
                plan: plan,
                in: schema
            ), !sent.bindings.isEmpty
        else { return false }
        for binding in sent.bindings {
            let navigation = schema.model[binding.navigation]
            let related = url + "/" + navigation.name
            guard var place = place(of: binding.reference, among: related, schema) else {
                return false
            }
            if !navigation.isCollection { place.url = related }
            guard try await isShown(place, schema) else { return false }
        }
        return true
    }

    private func isShown(_ place: Place, _ schema: TableSchema) async throws -> Bool {
        guard let table = schema.layout[place.source], let body = try await entity(at: place)
        else { return false }
        return zip(table.keyColumns, place.key).allSatisfy { body.value(of: $0) == $1 }
    }

    /// Whether the service shows that it does not have a link that a request was to remove (OData 4.01 Part 1 § 11.4.6.2): its source
    /// is not there, or is related to no such entity.
    ///
    /// - Returns: False as well if the answers do not show it.
    /// - Throws: where the service cannot be asked.
    func isGone(_ request: OutgoingRequest) async throws -> Bool {
        let parts = request.url.split(separator: "?", maxSplits: 1).map(String.init)
        guard let path = parts.first, let related = Self.related(path),
            let slash = related.lastIndex(of: "/")
        else { return false }
        let (source, name) = (String(related[..<slash]), related[related.index(after: slash)...])
        let property = String(name.prefix { $0 != "(" })
        if parts.count == 1, property.count == name.count {
            return try await isNull(property, of: source)
        }
        var member = related
        if parts.count > 1 {
            guard let link = parts[1].wholeMatch(of: /\$id=(?<link>[^&]+)/)?.link,
                let place = place(
                    of: PercentEncoding.decoded(link),
                    among: related,
                    try await store.schema()
                )
            else { return false }
            member = place.url
        }
        guard try await answer(member) == nil else { return false }
        // The service has the relation, without that entity; or it has not the source.
        if try await answer("\(source)/\(property)?$top=1") != nil { return true }
        return try await answer(source) == nil
    }

    /// Whether an entity is not there, or is shown with null in a navigation property.
    private func isNull(_ property: String, of source: String) async throws -> Bool {
        guard let bytes = try await answer("\(source)?$expand=\(property)") else {
            return try await answer(source) == nil
        }
        guard let tree = JSONTree(bytes) else { return false }
        let entity = tree.root["d"] ?? tree.root
        if case .null? = entity[property]?.value { return true }
        return false
    }

    /// What the service answers; nil where it has nothing there.
    private func answer(_ url: String) async throws -> [UInt8]? {
        do {
            let response = try await client.get(client.url.target(url), budget: budget)
            let bytes = try await response.body.collect(upTo: client.maximumBodySize)
            return response.status == 204 ? nil : bytes
        } catch let error as OfflineODataError where [404, 410].contains(error.httpStatus) {
            return nil
        }
    }

    /// Returns nil for a link that is not added to others, or whose target the service names in a way of its own.
    private func place(of request: OutgoingRequest, _ schema: TableSchema) -> Place? {
        guard request.entry.method == "POST", let related = Self.related(request.url),
            let link = Self.link(in: request.body ?? "")
        else { return nil }
        return place(of: link, among: related, schema)
    }

    /// Where the entity of a link stands among related ones.
    private func place(of link: String, among related: String, _ schema: TableSchema) -> Place? {
        let urls = EntityURL(model: schema.model, version: schema.model.version)
        guard let path = EntityPath(ofService: belowRoot(link), in: schema.model),
            case .key(let key)? = path.steps.last,
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
