import ODataClient
import ODataHTTP
import OfflineProvider
import OfflineValues
import ODataAnswers
import ODataModel
import ODataText

/// Compares a store with a copy that was loaded from the service just now: entities, singletons, links and streams.
///
/// Entities with changes that wait or were refused are passed over: they differ on purpose.
struct ServiceComparison: Sendable {
    let store: OfflineODataProvider
    let copy: OfflineODataProvider
    let model: EdmModel
    /// Names of the queries that bring streams: of their entities alone the copy has them.
    let streamQueries: Set<String>
    /// The links that the queries bring.
    let links: ExpandedLinks
    /// The dynamic properties that the queries and stored reads bring.
    let dynamic: DynamicSelections

    /// Entities read at once.
    static let pageSize = 5_000

    /// Property texts of an entity by name; what the store knows of it is left out.
    typealias Properties = [String: String]

    /// Entities of a set by the text of their key.
    private struct Entities {
        var properties: [String: Properties] = [:]
        /// Those that have changes of their own.
        var changed: Set<String> = []
    }

    var texts: ComparedText { ComparedText(model: model) }

    /// Compares the sets and singletons of these names.
    func compare(_ names: [String]) async throws -> OfflineODataComparison {
        var changed: [String: Set<String>] = [:]
        var result = OfflineODataComparison()
        var common: [(name: String, source: NavigationSource, urls: [String])] = []
        for name in names {
            guard let source = model.navigationSource(named: name) else { continue }
            if case .singleton = source {
                let (found, isShared) = try await singleton(name, source)
                result.add(found)
                if isShared { common.append((name, source, [name])) }
                continue
            }
            guard let type = model.entityType(of: source), let key = key(of: source) else {
                continue
            }
            let (found, passedOver, shared) = try await compare(name, source, key: key, of: type)
            result.add(found)
            changed[name] = passedOver
            common.append((name, source, shared.map { "\(name)(\($0))" }))
        }
        let changedURLs = try await changedURLs()
        for (name, source, urls) in common {
            let related = RelatedComparison(
                comparison: self,
                root: name,
                shared: Set(urls),
                changed: changed,
                changedURLs: changedURLs
            )
            result.add(try await related.compare(source))
            if !streamQueries.isEmpty {
                result.differences += try await streams(of: source, urls)
            }
        }
        return result
    }

    /// What has changes that wait or were refused: it differs on purpose.
    private func changedURLs() async throws -> Set<String> {
        let requests = try await store.requestQueue() + store.errorArchive()
        let entities = try await store.affectedEntities(of: requests).values
        // Keys may be written with more or less of them percent-encoded.
        return Set((requests.map(\.url) + entities).map { PercentEncoding.decoded($0) })
    }

    // MARK: Entities

    /// Compares the entities of a set; answers what is passed over and what both sides have.
    private func compare(
        _ set: String,
        _ source: NavigationSource,
        key: [KeyPart],
        of type: StructuredTypeID
    ) async throws -> (OfflineODataComparison, passedOver: Set<String>, shared: [String]) {
        var result = OfflineODataComparison()
        let here = try await entities(of: set, key: key, type: type, from: store)
        let there = try await entities(of: set, key: key, type: type, from: copy)
        let passedOver = here.changed.union(try await deletedKeys(set, key: key))
        result.passedOverCount = passedOver.count
        var shared: [String] = []
        for (entity, properties) in here.properties.sorted(by: { $0.key < $1.key })
        where !passedOver.contains(entity) {
            let url = "\(set)(\(entity))"
            result.comparedCount += 1
            guard let other = there.properties[entity] else {
                if try await isOutsideOfQueries(url) { continue }
                result.differences.append(OfflineODataDifference(url, kind: .extra))
                continue
            }
            shared.append(entity)
            let names = names(properties, other, of: type, in: source)
            if !names.isEmpty {
                result.differences.append(
                    OfflineODataDifference(url, kind: .different, properties: names)
                )
            }
        }
        for entity in there.properties.keys.sorted()
        where here.properties[entity] == nil && !passedOver.contains(entity) {
            result.differences.append(OfflineODataDifference("\(set)(\(entity))", kind: .missing))
        }
        return (result, passedOver, shared)
    }

    /// Whether the service has an entity that nothing which is loaded brings: one that was created here stays until the next
    /// download so.
    func isOutsideOfQueries(_ url: String) async throws -> Bool {
        guard let origin = try? await store.provenance(of: url), origin.queries.isEmpty,
            origin.collections.isEmpty, let client = store.client
        else { return false }
        do {
            let response = try await client.get(client.url.target(url))
            _ = try await response.body.collect(upTo: client.maximumBodySize)
            return response.status != 204
        } catch let error as OfflineODataError where [404, 410].contains(error.httpStatus) {
            return false
        }
    }

    /// Compares a singleton; answers whether both sides have it and its relations can be compared.
    private func singleton(_ name: String, _ source: NavigationSource) async throws -> (
        OfflineODataComparison, isShared: Bool
    ) {
        let type = model.entityType(of: source)
        var result = OfflineODataComparison()
        let here = try await entity(name, in: store)
        let there = try await entity(name, in: copy)
        if let here, here.hasPendingChanges || here.inErrorState {
            result.passedOverCount = 1
            return (result, false)
        }
        guard here != nil || there != nil else { return (result, false) }
        result.comparedCount = 1
        guard let here else {
            result.differences = [OfflineODataDifference(name, kind: .missing)]
            return (result, false)
        }
        guard let there else {
            result.differences = [OfflineODataDifference(name, kind: .extra)]
            return (result, false)
        }
        let names = names(
            texts.properties(of: here.members, type),
            texts.properties(of: there.members, type),
            of: type,
            in: source
        )
        if !names.isEmpty {
            result.differences = [OfflineODataDifference(name, kind: .different, properties: names)]
        }
        return (result, true)
    }

    /// Names of the properties that differ; those that no query brings have nothing to be compared with.
    func names(
        _ here: Properties,
        _ there: Properties,
        of type: StructuredTypeID?,
        in source: NavigationSource
    ) -> [String] {
        Set(here.keys).union(there.keys).filter { name in
            guard here[name] != there[name] else { return false }
            guard !texts.declares(name, of: type) else { return there[name] != nil }
            // What is not declared is null where it is not there.
            return (here[name] ?? ComparedText.null) != (there[name] ?? ComparedText.null)
                && (there[name] != nil || dynamic.bring(name, of: source))
        }.sorted()
    }

    /// The parts of the key; nil for a type without.
    private func key(of source: NavigationSource) -> [KeyPart]? {
        guard case .entitySet = source, let type = model.entityType(of: source) else { return nil }
        return key(of: type)
    }

    private func key(of type: StructuredTypeID) -> [KeyPart]? {
        let key = model.key(of: type)
        guard !key.isEmpty else { return nil }
        return key.map { property in
            let path = property.path.split(separator: "/").map(String.init)
            let isText = model.property(path, of: type)?.type.type == .primitive(.string)
            return KeyPart(name: property.name, path: path, isText: isText)
        }
    }

    /// A part of a key: its name in URLs, where its value stands in an entity, and whether URLs quote it.
    private struct KeyPart {
        var name: String
        var path: [String]
        var isText: Bool

        func value(in members: [(name: String, value: ODataValue)]) -> ODataValue? {
            let first = members.first { $0.name == path.first }?.value
            return path.dropFirst().reduce(first) { $0?[$1] }
        }
    }

    private func entities(
        of set: String,
        key: [KeyPart],
        type: StructuredTypeID,
        from provider: OfflineODataProvider
    ) async throws -> Entities {
        var found = Entities()
        try await forEachEntity(of: set, option: nil, from: provider) { entity in
            guard let text = Self.key(of: entity.members, key) else { return }
            if entity.hasPendingChanges || entity.inErrorState { found.changed.insert(text) }
            found.properties[text] = texts.properties(of: entity.members, type)
        }
        return found
    }

    /// Reads the entities of a set, or a singleton.
    func forEachEntity(
        of root: String,
        option: String?,
        from provider: OfflineODataProvider,
        body: (EntityValue) -> Void
    ) async throws {
        if case .singleton? = model.navigationSource(named: root) {
            try await provider.executeQuery(root + (option.map { "?" + $0 } ?? "")).forEach(body)
            return
        }
        var skip = 0
        while true {
            try Task.checkCancellation()
            let page = try await provider.executeQuery(
                "\(root)?$top=\(Self.pageSize)&$skip=\(skip)" + (option.map { "&" + $0 } ?? "")
            )
            page.forEach(body)
            guard page.count == Self.pageSize else { return }
            skip += page.count
        }
    }

    /// The entity of a singleton; nil where there is none.
    private func entity(_ singleton: String, in provider: OfflineODataProvider) async throws
        -> EntityValue?
    {
        do {
            return try await provider.executeQuery(singleton).first
        } catch let error as OfflineODataError {
            guard error.category == .notFound else { throw error }
            return nil
        }
    }

    /// Entities that are deleted here and not yet at the service.
    private func deletedKeys(_ set: String, key: [KeyPart]) async throws -> Set<String> {
        let requests = try await store.requestQueue() + store.errorArchive()
        var keys: Set<String> = []
        for request in requests where request.method == "DELETE" && request.entitySet == set {
            // What the service does not have any more cannot be asked for.
            guard let entity = try? await copy.executeQuery(request.url).first else { continue }
            if let text = Self.key(of: entity.members, key) { keys.insert(text) }
        }
        return keys
    }

    // MARK: Streams

    private func streams(of source: NavigationSource, _ urls: [String]) async throws
        -> [OfflineODataDifference]
    {
        guard let type = model.entityType(of: source) else { return [] }
        let properties = model.properties(of: type).filter {
            $0.type.type == .primitive(.stream) && !$0.type.isCollection
        }
        let names = (model.hasStream(type) ? ["$value"] : []) + properties.map(\.name)
        var found: [OfflineODataDifference] = []
        for url in names.isEmpty ? [] : urls {
            for name in names where try await !isSameStream(url + "/" + name) {
                guard try await hasStreams(url) else { continue }
                found.append(OfflineODataDifference(url, kind: .stream, properties: [name]))
            }
        }
        return found
    }

    /// Whether a query that brings an entity brings the links of a property with it: of others the store knows what was made here.
    func holdsLinks(
        _ id: NavigationPropertyID,
        of url: String,
        from source: NavigationSource
    ) async throws -> Bool {
        links.hold(id, from: source, ofWhatComesBy: try await queries(of: url))
    }

    /// Whether the copy has the streams of an entity that are at the service.
    private func hasStreams(_ url: String) async throws -> Bool {
        try await queries(of: url).contains(where: streamQueries.contains)
    }

    /// Names of the queries that bring an entity.
    private func queries(of url: String) async throws -> [String] {
        try await copy.provenance(of: url).queries.map(\.name)
    }

    private func isSameStream(_ url: String) async throws -> Bool {
        let here = try await store.stream(url)
        let there = try await copy.stream(url)
        guard let here, let there else { return (here == nil) == (there == nil) }
        guard here.byteCount == there.byteCount else { return false }
        var (one, other) = (here.makeAsyncIterator(), there.makeAsyncIterator())
        while let piece = try await one.next() {
            guard try await other.next() == piece else { return false }
        }
        return true
    }

    // MARK: Keys

    /// The URL of an entity of a set or of a singleton; nil for one whose key is not known yet.
    func url(of members: [(name: String, value: ODataValue)], in root: String) -> String? {
        guard let source = model.navigationSource(named: root) else { return nil }
        if case .singleton = source { return root }
        return key(of: source).flatMap { Self.key(of: members, $0) }.map { "\(root)(\($0))" }
    }

    /// The values of the key of an entity of a type as they stand in a URL.
    func key(of members: [(name: String, value: ODataValue)], _ type: StructuredTypeID) -> String? {
        key(of: type).flatMap { Self.key(of: members, $0) }
    }

    /// The key's values as they stand in a URL; nil for an entity whose key is not known yet.
    private static func key(of members: [(name: String, value: ODataValue)], _ parts: [KeyPart])
        -> String?
    {
        var texts: [String] = []
        for part in parts {
            guard let value = part.value(in: members),
                let literal = literal(value, isText: part.isText)
            else { return nil }
            texts.append((parts.count > 1 ? part.name + "=" : "") + literal)
        }
        return texts.joined(separator: ",")
    }

    private static func literal(_ value: ODataValue, isText: Bool) -> String? {
        switch value {
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .number(let text): text
        case .string(let text) where isText:
            "'\(PercentEncoding.encoded(text.replacing("'", with: "''"), keeping: "'"))'"
        case .string(let text): text
        case .null, .collection, .object: nil
        }
    }
}
