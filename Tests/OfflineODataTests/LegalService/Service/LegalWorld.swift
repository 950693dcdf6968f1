/// What the legal service holds, and every effect that requests have had on it.
struct LegalWorld: Sendable {
    struct Stream: Hashable, Sendable {
        var text: String
        var type: String
        var version: Int
    }

    struct Entity: Hashable, Sendable {
        /// Never used again, unlike a key.
        let uid: Int
        let set: String
        /// Key literal as it stands in a URL.
        var key: String
        var values: [String: LegalValue]
        /// The order of an item.
        var owner: Int?
        var version: Int
        var streams: [String: Stream] = [:]

        /// What the creator has called it: says what it is whatever key it has.
        var mark: String { values["Name"]?.plain ?? "-" }
    }

    struct Link: Hashable, Sendable {
        var customer: Int
        var tag: Int
    }

    enum Author: Sendable { case client, stranger }

    /// One effect of a request.
    struct Effect: Sendable {
        enum Kind: Sendable { case create, update, delete, stream, link, unlink, move, other }

        var author: Author
        var kind: Kind
        /// Of the entity, of both ends for a link.
        var mark: String
        /// The value that was written.
        var marker: String?
        /// The value that stood there before.
        var replaced: String?
        /// The customer of an order that was created or moved; nil where its foreign key is null or leads nowhere.
        var customer: String?
        var clock: Int
    }

    private(set) var entities: [Int: Entity] = [:]
    private(set) var links: Set<Link> = []
    private(set) var effects: [Effect] = []
    private var lastUID = 0
    private(set) var clock = 0
    var author = Author.stranger
    /// Whether a change of a relation counts as one of its ends.
    var bumpsRelated = false

    // MARK: Looking

    func all(_ set: String) -> [Entity] {
        entities.values.filter { $0.set == set }.sorted { $0.uid < $1.uid }
    }

    func find(_ set: String, _ key: String, owner: Int? = nil) -> Entity? {
        all(set).first { $0.key.lowercased() == key.lowercased() && $0.owner == owner }
    }

    /// The uids at the other end of a navigation property.
    func related(_ uid: Int, _ property: String) -> [Int] {
        guard let entity = entities[uid] else { return [] }
        switch property {
        case "Orders":
            return all("Orders").filter { $0.values["CustomerID"] == entity.values["ID"] }
                .map(\.uid)
        case "Customer":
            return all("Customers").filter { $0.values["ID"] == entity.values["CustomerID"] }
                .map(\.uid)
        case "Items": return all("Items").filter { $0.owner == uid }.map(\.uid)
        case "Tags": return links.filter { $0.customer == uid }.map(\.tag).sorted()
        case "Customers": return links.filter { $0.tag == uid }.map(\.customer).sorted()
        default: return []
        }
    }

    private func customer(of order: Int) -> String? {
        related(order, "Customer").first.flatMap { entities[$0]?.mark }
    }

    // MARK: Changing

    private mutating func tick() -> Int {
        clock += 1
        return clock
    }

    private mutating func touch(_ uid: Int) {
        let version = tick()
        entities[uid]?.version = version
    }

    private mutating func note(
        _ kind: Effect.Kind,
        _ mark: String,
        _ marker: String? = nil,
        replaced: String? = nil,
        customer: String? = nil
    ) {
        effects.append(
            Effect(
                author: author,
                kind: kind,
                mark: mark,
                marker: marker,
                replaced: replaced,
                customer: customer,
                clock: clock
            )
        )
    }

    mutating func insert(_ set: String, _ values: [String: LegalValue], owner: Int?) -> Int {
        lastUID += 1
        let schema = LegalSchema.sets[set]
        let key = schema.flatMap { LegalSchema.literal(values[$0.key], $0.kind) } ?? "?"
        entities[lastUID] = Entity(
            uid: lastUID,
            set: set,
            key: key,
            values: values,
            owner: owner,
            version: tick()
        )
        note(
            .create,
            values["Name"]?.plain ?? "-",
            values["Name"]?.string,
            customer: set == "Orders" ? customer(of: lastUID) : nil
        )
        if let note = values["Note"]?.string {
            self.note(.update, values["Name"]?.plain ?? "-", note)
        }
        bumpParents(of: lastUID)
        return lastUID
    }

    mutating func set(_ uid: Int, _ values: [String: LegalValue]) {
        guard var entity = entities[uid] else { return }
        bumpParents(of: uid)
        let (mark, before, moved) = (
            entity.mark, entity.values["Note"]?.string, entity.values["CustomerID"]
        )
        let old = entity
        entity.values.merge(values) { $1 }
        entity.version = tick()
        entities[uid] = entity
        if let text = values["Note"] { note(.update, mark, text.string, replaced: before) }
        if let customer = values["CustomerID"], customer != moved {
            note(
                .move,
                mark,
                customer.plain,
                replaced: moved?.plain,
                customer: self.customer(of: uid)
            )
        }
        for (name, value) in values where ["Amount", "Open", "Nicks"].contains(name) {
            let former = old.values[name] ?? .null
            let isSameNumber = Double(value.plain).map { $0 == Double(former.plain) } ?? false
            guard value != former, !isSameNumber else { continue }
            note(.other, mark, name, replaced: (old.values[name] ?? .null).plain)
        }
        bumpParents(of: uid)
    }

    mutating func remove(_ uid: Int, cascading: Bool) {
        guard let entity = entities[uid] else { return }
        bumpParents(of: uid)
        _ = tick()
        note(.delete, entity.mark)
        for item in related(uid, "Items") where entity.set == "Orders" {
            entities[item] = nil
        }
        if entity.set == "Customers" {
            for order in related(uid, "Orders") {
                if cascading {
                    remove(order, cascading: true)
                } else {
                    entities[order]?.values["CustomerID"] = .null
                    touch(order)
                }
            }
        }
        links = links.filter { $0.customer != uid && $0.tag != uid }
        entities[uid] = nil
    }

    mutating func setLink(_ link: Link, isThere: Bool) {
        let mark = "\(entities[link.customer]?.mark ?? "?")>\(entities[link.tag]?.mark ?? "?")"
        _ = tick()
        if isThere { links.insert(link) } else { links.remove(link) }
        note(isThere ? .link : .unlink, mark)
        guard bumpsRelated else { return }
        touch(link.customer)
        touch(link.tag)
    }

    mutating func setStream(_ uid: Int, _ name: String, _ text: String?, type: String) {
        guard let entity = entities[uid] else { return }
        let before = entity.streams[name]?.text
        let version = tick()
        entities[uid]?.streams[name] = text.map { Stream(text: $0, type: type, version: version) }
        if bumpsRelated { entities[uid]?.version = version }
        note(.stream, entity.mark + "/" + name, text, replaced: before)
    }

    /// An entity changes with what belongs to it, where the service has it so.
    private mutating func bumpParents(of uid: Int) {
        guard bumpsRelated, let entity = entities[uid] else { return }
        for parent in related(uid, "Customer") + [entity.owner].compactMap({ $0 }) {
            touch(parent)
        }
    }
}
