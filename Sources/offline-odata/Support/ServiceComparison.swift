import ODataModel
import ODataProtocol
import OfflineOData
import OfflineStore

/// Compares a store entity by entity with a copy that was loaded from the service just now.
///
/// Entities with changes that wait or were refused are passed over: they differ on purpose.
struct ServiceComparison: Sendable {
    let store: OfflineODataProvider
    let copy: OfflineODataProvider
    let model: EdmModel

    /// Entities read at once.
    private static let pageSize = 5_000

    /// What was found in a set.
    struct Result: Sendable {
        /// A line for each difference, without any value but keys.
        var lines: [String] = []
        var comparedCount = 0
        var passedOverCount = 0
    }

    /// Property texts of an entity by name; what the store knows of it is left out.
    private typealias Properties = [String: String]

    /// Compares a set.
    func compare(_ set: String) async throws -> Result {
        let key = key(of: set)
        var result = Result()
        guard !key.isEmpty else { return result }
        let (here, changed) = try await entities(of: set, key, from: store)
        let (there, _) = try await entities(of: set, key, from: copy)
        let passedOver = changed.union(try await deletedKeys(set, key))
        result.passedOverCount = passedOver.count
        for (entity, properties) in here.sorted(by: { $0.key < $1.key })
        where !passedOver.contains(entity) {
            result.comparedCount += 1
            guard let other = there[entity] else {
                result.lines.append("\(set)(\(entity)): the service does not have it")
                continue
            }
            let names = Set(properties.keys).union(other.keys).filter {
                properties[$0] != other[$0]
            }
            guard !names.isEmpty else { continue }
            result.lines.append("\(set)(\(entity)): \(names.sorted().joined(separator: ", "))")
        }
        for entity in there.keys.sorted() where here[entity] == nil && !passedOver.contains(entity)
        {
            result.lines.append("\(set)(\(entity)): the store does not have it")
        }
        return result
    }

    /// Names of the key properties; none where entities cannot be told apart by plain properties.
    private func key(of set: String) -> [String] {
        guard let source = model.navigationSource(named: set), case .entitySet = source,
            let type = model.entityType(of: source)
        else { return [] }
        let paths = model.key(of: type).map(\.path)
        return paths.contains { $0.contains("/") } ? [] : paths
    }

    private func entities(
        of set: String,
        _ key: [String],
        from provider: OfflineODataProvider
    ) async throws -> (properties: [String: Properties], changed: Set<String>) {
        var found: [String: Properties] = [:]
        var changed: Set<String> = []
        var skip = 0
        while true {
            try Task.checkCancellation()
            let page = try await provider.executeQuery("\(set)?$top=\(Self.pageSize)&$skip=\(skip)")
            for entity in page {
                guard let text = Self.key(of: entity, key) else { continue }
                if entity.hasPendingChanges || entity.inErrorState { changed.insert(text) }
                found[text] = Self.properties(of: entity)
            }
            guard page.count == Self.pageSize else { return (found, changed) }
            skip += page.count
        }
    }

    /// Entities that are deleted here and not yet at the service.
    private func deletedKeys(_ set: String, _ key: [String]) async throws -> Set<String> {
        let requests = try await store.requestQueue() + store.errorArchive()
        var keys: Set<String> = []
        for request in requests where request.method == "DELETE" && request.source == set {
            // What the service does not have any more cannot be asked for.
            guard let entity = try? await copy.executeQuery(request.url).first else { continue }
            if let text = Self.key(of: entity, key) { keys.insert(text) }
        }
        return keys
    }

    /// The key's values as text; nil for an entity whose key is not known yet.
    private static func key(of entity: EntityValue, _ names: [String]) -> String? {
        var texts: [String] = []
        for name in names {
            guard let value = entity[name] else { return nil }
            texts.append((names.count > 1 ? name + "=" : "") + text(value))
        }
        return texts.joined(separator: ",")
    }

    private static func properties(of entity: EntityValue) -> Properties {
        let members = entity.members.filter { !$0.name.contains("@") }
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
            "{" + members.map { "\($0.name):\(text($0.value))" }.joined(separator: ",") + "}"
        }
    }
}
