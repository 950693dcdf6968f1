import ODataModel
import ODataModelComparison
import ODataTables
import ODataText
import StoreRecords

/// A waiting or refused change of an entity, beside what a new model takes away or changes.
struct QueuedChange {
    private let url: String
    /// The type of the entity with its base types.
    private let types: [String]
    private let set: String
    private let key: [String]
    /// What the body gives a value to; nil where it is no JSON object.
    private let members: Set<Substring>?

    /// Takes a request; nil where it is about no known set.
    init?(_ entry: QueueEntry, in schema: TableSchema) {
        guard let source = entry.source,
            let type = schema.source(named: source).flatMap({ schema.model.entityType(of: $0) })
        else { return nil }
        url = entry.url
        types = schema.model.lineage(of: type).map { schema.model[$0].name }
        set = source
        key = schema.model.key(of: type).map(\.path)
        // What has no body gives no values.
        let body = entry.body.map { JSONTree(Array($0.utf8))?.root.members } ?? []
        members = body.map { Set($0.map { $0.name.prefix { $0 != "@" } }) }
    }

    /// Whether a change of the model is about the entity's set or type, and may concern the request.
    func isConcerned(by change: ModelChange) -> Bool {
        let path = change.path
        let isOfType = types.contains { path == $0 || path.hasPrefix($0 + "/") }
        return (isOfType || isOfSet(change)) && mayMention(change)
    }

    /// Whether a change is about the set itself, `NS.Container/Set`, or about a binding of it.
    private func isOfSet(_ change: ModelChange) -> Bool {
        [.entitySet, .singleton, .navigationPropertyBinding].contains(change.what)
            && change.path.split(separator: "/").dropFirst().first?.elementsEqual(set) == true
    }

    /// Whether the request gives a changed property a value, or names entities by it.
    ///
    /// A property that is new and has to be given a value concerns all, as everything does that is no property.
    private func mayMention(_ change: ModelChange) -> Bool {
        guard change.change != .added,
            [.property, .navigationProperty].contains(change.what),
            let slash = change.path.lastIndex(of: "/"), let members
        else { return true }
        let name = change.path[change.path.index(after: slash)...]
        return members.contains(name) || key.contains(String(name))
            || url.split(separator: "/").contains { $0.prefix { $0 != "(" } == name }
    }
}
