package import StoreRecords
import ODataSQL
import ODataValues
package import ODataTables

/// What the body of a queued request says of other entities, at every depth.
package struct QueuedBody {
    private let schema: TableSchema

    init(_ schema: TableSchema) {
        self.schema = schema
    }

    /// Reads the body of a request with values; nil where it carries none.
    package static func read(_ entry: QueueEntry, in schema: TableSchema) throws -> EntityBody? {
        guard let text = entry.body, entry.isChangeOfValues,
            let source = schema.source(of: entry),
            let plan = schema.plans.plan(for: source)
        else { return nil }
        return try EntityBodyReader.read(Array(text.utf8), plan: plan, in: schema)
    }

    /// Whether foreign keys in a body hold the key of an entity.
    func holdsKey(_ key: QueuedNames.KeyPair, body: EntityBody) -> Bool {
        var copy = body
        return replaceKeys(key, in: &copy)
    }

    /// Replaces foreign keys to an entity; returns whether there were any.
    ///
    /// While the key of the entity is unknown, a body keeps the one that was sent: what stands for a key cannot be said in it.
    func replaceKeys(_ key: QueuedNames.KeyPair, in body: inout EntityBody) -> Bool {
        var hasChanged = false
        let source = schema.plans.source(of: body.plan)
        for relation in schema.layout.principals(of: source)
        where relation.target == key.table.source {
            guard
                key.old.contains(where: {
                    isNamed(by: $0, relation: relation, principal: key.table, body: body)
                })
            else {
                continue
            }
            for pair in relation.pairs where body.mentions(pair.here) {
                guard let place = key.table.keyColumns.firstIndex(of: pair.there),
                    !UnknownValue.isUnknown(key.new[place], in: key.table.columns[pair.there])
                else { continue }
                body.set(key.new[place], slot: pair.here)
                hasChanged = true
            }
        }
        for index in body.inline.indices {
            for inner in body.inline[index].entities.indices
            where replaceKeys(key, in: &body.inline[index].entities[inner]) {
                hasChanged = true
            }
        }
        return hasChanged
    }

    /// Whether the parts of a foreign key that a body gives are those of a key.
    private func isNamed(
        by key: [Scalar],
        relation: PrincipalRelation,
        principal: TableLayout,
        body: EntityBody
    ) -> Bool {
        var isMentioned = false
        for pair in relation.pairs {
            guard let place = principal.keyColumns.firstIndex(of: pair.there),
                let value = body.value(of: pair.here)
            else { continue }
            guard value == key[place] else { return false }
            isMentioned = true
        }
        return isMentioned
    }

    /// Replaces references.
    func replaceLinks(in body: inout EntityBody, _ link: (String) -> String) {
        for index in body.bindings.indices {
            body.bindings[index].reference = link(body.bindings[index].reference)
        }
        for index in body.inline.indices {
            for inner in body.inline[index].entities.indices {
                replaceLinks(in: &body.inline[index].entities[inner], link)
            }
        }
    }
}
