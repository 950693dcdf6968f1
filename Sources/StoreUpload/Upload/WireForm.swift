import ODataBinding
import StoreRecords
import ODataSQL
package import ODataModel
import ODataURL
import ODataText
package import ODataTables

/// Says queued requests as the version of the service wants them.
///
/// The queue speaks OData 4.0. Versions 1 to 3 have other literals, `$links` in place of `$ref`, MERGE in place of PATCH, and verbose
/// JSON or Atom (OData 2.0, Operations; OData JSON Verbose Format; OData 2.0 Atom Format).
package struct WireForm: Sendable {
    package let schema: TableSchema
    /// Absolute URL of the service with a slash at its end; links in bodies are made absolute with it.
    private let root: String
    /// Whether bodies are Atom: the service, of versions 1 to 3, answers nothing else.
    package let isAtom: Bool

    package init(_ schema: TableSchema, root: String, isAtom: Bool = false) {
        self.schema = schema
        self.root = root
        self.isAtom = isAtom && !schema.model.version.isV4
    }

    /// The version that requests are said in.
    package var version: ODataVersion { schema.model.version }

    /// The method of a request in this version.
    package func method(_ method: String) -> String {
        method == "PATCH" && !version.isV4 ? "MERGE" : method
    }

    // MARK: URLs

    /// The URL of a request: relative to the service root, or beginning with the Content-ID of a created entity (`$1`).
    package func url(_ local: String) -> String {
        guard let reference = local[...].firstRange(ofASCII: "/$ref") else {
            return version.isV4 ? local : old(local)
        }
        let path = String(local[..<reference.lowerBound])
        let id = local[...].firstRange(ofASCII: "?$id=").map { String(local[$0.upperBound...]) }
        guard !version.isV4 else {
            return path + "/$ref" + (id.map { "?$id=" + Self.inQuery(absolute($0)) } ?? "")
        }
        return links(path, id: id)
    }

    /// A URL as the value of a query option: what would be no part of a key once the option is decoded is encoded twice.
    ///
    /// The service decodes the option, and then the segments of the URL in it (OData 4.01 Part 2 § 2).
    private static func inQuery(_ url: String) -> String {
        ["25", "2F", "2f", "3F", "3f", "23"].reduce(url) {
            $0.replacing("%" + $1, with: "%25" + $1)
        }
    }

    /// `Orders(1)/$links/Items` and, where one of several links is meant, the key behind it.
    private func links(_ path: String, id: String?) -> String {
        let path = old(path)
        guard let slash = path.lastIndex(of: "/") else { return path }
        let key = id.map { old($0) }.flatMap { target in
            target.firstIndex(of: "(").map { String(target[$0...]) }
        }
        return path[..<slash] + "/$links" + path[slash...] + (key ?? "")
    }

    /// A path with its keys in the literals of versions 1 to 3.
    private func old(_ local: String) -> String {
        guard !local.hasPrefix("$"),
            let path = EntityPath(ofService: local, in: schema.model), let text = text(path)
        else { return local }
        return text + (local.hasSuffix("/$value") ? "/$value" : "")
    }

    private func text(_ path: EntityPath) -> String? {
        let model = schema.model
        let urls = EntityURL(model: model, version: version)
        var text = model.name(of: path.source)
        var type = model.entityType(of: path.source)
        for step in path.steps {
            switch step {
            case .key(let key):
                guard let owner = type, let predicate = urls.keyPredicate(of: owner, key) else {
                    return nil
                }
                text += predicate
            case .navigation(let id, _):
                text += "/" + model[id].name
                type = model[id].target
            case .cast(let id):
                // Versions 1 and 2 address what derived types declare like the rest.
                if version >= .v3 { text += "/" + model[id].name }
                type = id
            case .complex(let name): text += "/" + name
            case .localID, .alternateKey: return nil
            }
        }
        return text
    }

    /// A link that means the same from anywhere; a reference into the change set stays.
    private func absolute(_ link: String) -> String {
        // A colon in a key stands behind the name of the set.
        let start = link.prefix { !"/(?'".contains($0) }
        return link.hasPrefix("$") || start.contains(":") ? link : root + link
    }

    // MARK: Bodies

    /// The body of a request about entities of a type.
    func body(
        _ text: String,
        of entry: QueueEntry,
        url: String,
        links: AddressedLinks? = nil
    ) throws -> String {
        if entry.url.contains("/$ref") { return reference(text, links: links) }
        let text = version.isV4 ? links?.body(text) ?? text : text
        guard !version.isV4 else { return try anchored(text, of: entry, url: url) }
        guard var body = try entityBody(text, of: entry) else { return text }
        if ["PUT", "PATCH"].contains(entry.method) { addKey(of: url, to: &body) }
        let uri = entry.method == "POST" || url.hasPrefix("$") ? nil : root + url
        let link: (String) -> String = { absolute(Self.named(old($0), links: links)) }
        guard !isAtom else { return AtomBodyWriter.xml(body, in: schema, uri: uri, link: link) }
        let bytes = try EntityBodyWriter.json(body, in: schema, as: .verbose(uri: uri, link: link))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A body whose references lead from the service root where its request is sent below it: relative ones lead from the request's URL
    /// (OData JSON 4.01 § 4.4).
    private func anchored(_ text: String, of entry: QueueEntry, url: String) throws -> String {
        guard url.contains("/"), text.contains("@odata.bind"), !entry.flags.contains(.operation),
            var body = try entityBody(text, of: entry)
        else { return text }
        QueuedBody(schema).replaceLinks(in: &body, absolute)
        return String(decoding: try EntityBodyWriter.json(body, in: schema), as: UTF8.self)
    }

    /// The body of a request about an entity; nil where it is about none.
    private func entityBody(_ text: String, of entry: QueueEntry) throws -> EntityBody? {
        guard let source = schema.source(of: entry), let plan = schema.plans.plan(for: source)
        else { return nil }
        return try EntityBodyReader.read(Array(text.utf8), plan: plan, in: schema)
    }

    /// Some services want the key in what replaces or changes an entity; the others pass over it (OData 2.0 Operations, 2.6).
    private func addKey(of url: String, to body: inout EntityBody) {
        guard let path = EntityPath(ofService: url, in: schema.model),
            case .key(let key)? = path.steps.last,
            let table = path.finalSource.flatMap({ schema.layout[$0] }),
            table.keyColumns.count == key.count
        else { return }
        for (slot, value) in zip(table.keyColumns, key) where body.value(of: slot) == nil {
            body.set(value, slot: slot)
        }
    }

    /// `{"@odata.id": …}`, in versions 1 to 3 `{"uri": …}` or `<uri>…</uri>`.
    private func reference(_ text: String, links: AddressedLinks?) -> String {
        guard let place = ReferenceBody.place(in: text) else { return text }
        let link = String(text[place])
        let name = absolute(Self.named(version.isV4 ? link : old(link), links: links))
        if isAtom { return AtomBodyWriter.reference(name) }
        return version.isV4 ? "{\"@odata.id\":\"\(name)\"}" : "{\"uri\":\"\(name)\"}"
    }

    private static func named(_ link: String, links: AddressedLinks?) -> String {
        links?.link(link) ?? link
    }
}
