import ODataModel
import ODataProtocol

/// Compares a store with a copy that was loaded from the service just now: entities, singletons, links and streams.
///
/// Entities with changes that wait or were refused are passed over: they differ on purpose.
struct ServiceComparison: Sendable {
    let store: OfflineODataProvider
    let copy: OfflineODataProvider
    let model: EdmModel
    /// Whether the copy has the streams of the queries that bring them.
    let comparesStreams: Bool

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

    /// Compares the sets and singletons of these names.
    func compare(_ names: [String]) async throws -> OfflineODataComparison {
        var changed: [String: Set<String>] = [:]
        var result = OfflineODataComparison()
        var common: [(set: String, keys: [String])] = []
        for name in names {
            guard let source = model.navigationSource(named: name) else { continue }
            if case .singleton = source {
                result.add(try await singleton(name))
                continue
            }
            guard let key = key(of: source) else { continue }
            let (found, passedOver, shared) = try await compare(name, key)
            result.add(found)
            changed[name] = passedOver
            common.append((name, shared))
        }
        for (name, keys) in common {
            try Task.checkCancellation()
            result.differences += try await links(of: name, keys, changed)
            if comparesStreams { result.differences += try await streams(of: name, keys) }
        }
        return result
    }

    // MARK: Entities

    /// Compares the entities of a set; answers what is passed over and what both sides have.
    private func compare(_ set: String, _ key: [KeyPart]) async throws -> (
        OfflineODataComparison, passedOver: Set<String>, shared: [String]
    ) {
        var result = OfflineODataComparison()
        let here = try await entities(of: set, key, from: store)
        let there = try await entities(of: set, key, from: copy)
        let passedOver = here.changed.union(try await deletedKeys(set, key))
        result.passedOverCount = passedOver.count
        var shared: [String] = []
        for (entity, properties) in here.properties.sorted(by: { $0.key < $1.key })
        where !passedOver.contains(entity) {
            result.comparedCount += 1
            let url = "\(set)(\(entity))"
            guard let other = there.properties[entity] else {
                result.differences.append(OfflineODataDifference(url, .extra))
                continue
            }
            shared.append(entity)
            let names = Self.names(properties, other)
            if !names.isEmpty {
                result.differences.append(OfflineODataDifference(url, .different, names))
            }
        }
        for entity in there.properties.keys.sorted()
        where here.properties[entity] == nil && !passedOver.contains(entity) {
            result.differences.append(OfflineODataDifference("\(set)(\(entity))", .missing))
        }
        return (result, passedOver, shared)
    }

    private func singleton(_ name: String) async throws -> OfflineODataComparison {
        var result = OfflineODataComparison()
        let here = try? await store.executeQuery(name).first
        let there = try? await copy.executeQuery(name).first
        if let here, here.hasPendingChanges || here.inErrorState {
            result.passedOverCount = 1
            return result
        }
        guard here != nil || there != nil else { return result }
        result.comparedCount = 1
        guard let here else {
            result.differences = [OfflineODataDifference(name, .missing)]
            return result
        }
        guard let there else {
            result.differences = [OfflineODataDifference(name, .extra)]
            return result
        }
        let names = Self.names(
            Self.properties(of: here.members),
            Self.properties(of: there.members)
        )
        if !names.isEmpty { result.differences = [OfflineODataDifference(name, .different, names)] }
        return result
    }

    /// Names of the properties that differ.
    private static func names(_ one: Properties, _ other: Properties) -> [String] {
        Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
    }

    /// Names of the key properties; nil where entities cannot be told apart by plain properties.
    private func key(of source: NavigationSource) -> [KeyPart]? {
        guard case .entitySet = source, let type = model.entityType(of: source) else { return nil }
        return key(of: type)
    }

    private func key(of type: StructuredTypeID) -> [KeyPart]? {
        let paths = model.key(of: type).map(\.path)
        guard !paths.isEmpty, !paths.contains(where: { $0.contains("/") }) else { return nil }
        return paths.map { name in
            let type = model.property(name, of: type)?.type.type
            return KeyPart(name: name, isText: type == .primitive(.string))
        }
    }

    /// A key property, and whether its values are quoted in a URL.
    private struct KeyPart {
        var name: String
        var isText: Bool
    }

    private func entities(
        of set: String,
        _ key: [KeyPart],
        from provider: OfflineODataProvider
    ) async throws -> Entities {
        var found = Entities()
        try await forEachEntity(of: set, "", from: provider) { entity in
            guard let text = Self.key(of: entity.members, key) else { return }
            if entity.hasPendingChanges || entity.inErrorState { found.changed.insert(text) }
            found.properties[text] = Self.properties(of: entity.members)
        }
        return found
    }

    private func forEachEntity(
        of set: String,
        _ option: String,
        from provider: OfflineODataProvider,
        _ body: (EntityValue) -> Void
    ) async throws {
        var skip = 0
        while true {
            try Task.checkCancellation()
            let page = try await provider.executeQuery(
                "\(set)?$top=\(Self.pageSize)&$skip=\(skip)\(option)"
            )
            page.forEach(body)
            guard page.count == Self.pageSize else { return }
            skip += page.count
        }
    }

    /// Entities that are deleted here and not yet at the service.
    private func deletedKeys(_ set: String, _ key: [KeyPart]) async throws -> Set<String> {
        let requests = try await store.requestQueue() + store.errorArchive()
        var keys: Set<String> = []
        for request in requests where request.method == "DELETE" && request.entitySet == set {
            // What the service does not have any more cannot be asked for.
            guard let entity = try? await copy.executeQuery(request.url).first else { continue }
            if let text = Self.key(of: entity.members, key) { keys.insert(text) }
        }
        return keys
    }

    // MARK: Links

    /// What navigation properties lead to, by the key of the entity and that of the target.
    private typealias Targets = [String: [String: Properties]]

    private func links(
        of set: String,
        _ keys: [String],
        _ changed: [String: Set<String>]
    ) async throws -> [OfflineODataDifference] {
        guard let source = model.navigationSource(named: set),
            let type = model.entityType(of: source), let key = key(of: source)
        else { return [] }
        var found: [OfflineODataDifference] = []
        for name in model.navigationProperties(of: type).map(\.name) {
            guard let id = model.navigationProperty(name, of: type),
                let target = model.target(of: id, from: source),
                let targetType = model[id].target, let targetKey = self.key(of: targetType)
            else { continue }
            let here = try await targets(of: set, key, name, targetKey, from: store)
            let there = try await targets(of: set, key, name, targetKey, from: copy)
            let passedOver = changed[model.name(of: target)] ?? []
            for entity in keys {
                let (one, other) = (here[entity] ?? [:], there[entity] ?? [:])
                let url = "\(set)(\(entity))"
                if model[id].containsTarget {
                    found += contained(one, other, "\(url)/\(name)")
                } else if Set(one.keys).subtracting(passedOver)
                    != Set(other.keys).subtracting(passedOver)
                {
                    found.append(OfflineODataDifference(url, .link, [name]))
                }
            }
        }
        return found
    }

    private func contained(
        _ here: [String: Properties],
        _ there: [String: Properties],
        _ url: String
    )
        -> [OfflineODataDifference]
    {
        Set(here.keys).union(there.keys).sorted().compactMap { entity in
            let url = "\(url)(\(entity))"
            guard let one = here[entity] else { return OfflineODataDifference(url, .missing) }
            guard let other = there[entity] else { return OfflineODataDifference(url, .extra) }
            let names = Self.names(one, other)
            return names.isEmpty ? nil : OfflineODataDifference(url, .different, names)
        }
    }

    private func targets(
        of set: String,
        _ key: [KeyPart],
        _ name: String,
        _ targetKey: [KeyPart],
        from provider: OfflineODataProvider
    ) async throws -> Targets {
        var found: Targets = [:]
        try await forEachEntity(of: set, "&$expand=\(name)", from: provider) { entity in
            guard let text = Self.key(of: entity.members, key) else { return }
            let items: [ODataValue] =
                switch entity[name] {
                case .collection(let items)?: items
                case .object(let members)?: [.object(members)]
                default: []
                }
            for case .object(let members) in items {
                guard let target = Self.key(of: members, targetKey) else { continue }
                found[text, default: [:]][target] = Self.properties(of: members)
            }
        }
        return found
    }

    // MARK: Streams

    private func streams(of set: String, _ keys: [String]) async throws -> [OfflineODataDifference]
    {
        guard let source = model.navigationSource(named: set),
            let type = model.entityType(of: source)
        else { return [] }
        let properties = model.properties(of: type).filter {
            $0.type.type == .primitive(.stream) && !$0.type.isCollection
        }
        let names = (model.hasStream(type) ? ["$value"] : []) + properties.map(\.name)
        var found: [OfflineODataDifference] = []
        for entity in names.isEmpty ? [] : keys {
            let url = "\(set)(\(entity))"
            for name in names where try await !isSameStream(url + "/" + name) {
                found.append(OfflineODataDifference(url, .stream, [name]))
            }
        }
        return found
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

    // MARK: Texts

    /// The key's values as they stand in a URL; nil for an entity whose key is not known yet.
    private static func key(of members: [(name: String, value: ODataValue)], _ parts: [KeyPart])
        -> String?
    {
        var texts: [String] = []
        for part in parts {
            guard let value = members.first(where: { $0.name == part.name })?.value else {
                return nil
            }
            var literal = text(value)
            if case .string(let text) = value {
                literal = part.isText ? "'\(text.replacing("'", with: "''"))'" : text
            }
            texts.append((parts.count > 1 ? part.name + "=" : "") + literal)
        }
        return texts.joined(separator: ",")
    }

    private static func properties(of members: [(name: String, value: ODataValue)]) -> Properties {
        let members = members.filter { !$0.name.contains("@") }
        return Properties(members.map { ($0.name, text($0.value)) }) { _, last in last }
    }

    private static func text(_ value: ODataValue) -> String {
        switch value {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .number(let text): text
        case .string(let text): "'\(text)'"
        case .collection(let items): "[" + items.map(text).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.filter { !$0.name.contains("@") }
                .map { "\($0.name):\(text($0.value))" }.joined(separator: ",") + "}"
        }
    }
}
