/// What a store should hold: what the service was seen to have, with the waiting requests laid over it.
struct PlainStore {
    typealias ID = PlainWorld.ID

    enum Kind: Equatable {
        case creation, values, deletion, link, operation
        /// Of the stream of this name.
        case stream(String)
    }

    struct Request: PlainRequest {
        var id = 0
        var kind: Kind
        var affected: ID
        var effects: [PlainWorld.Effect]
        /// Entities that it names besides.
        var referred: Set<ID> = []
        /// Whether the created entity goes after the upload.
        var isRemoved = false
        var status = PlainStatus.pending
        var dependsOn: Set<Int> = []
        var follows: Set<Int> = []

        var rows: Set<ID> { Set(effects.compactMap(\.id) + (kind == .operation ? [] : [affected])) }
        var links: Set<PlainWorld.Link> { Set(effects.compactMap(\.link)) }
        var followed: Set<ID> { kind == .operation ? [affected] : rows }
        var owner: ID? { kind == .operation ? nil : affected }

        var created: Set<ID> {
            Set(effects.compactMap { if case .insert(let id, _) = $0 { id } else { nil } })
        }
        var deleted: Set<ID> {
            Set(effects.compactMap { if case .delete(let id) = $0 { id } else { nil } })
        }

        /// The values that it sends of its entity in the end.
        var values: PlainWorld.Values {
            var values: PlainWorld.Values = [:]
            for effect in effects {
                switch effect {
                case .insert(affected, let given): values = given
                case .set(affected, let name, let value): values[name] = value
                case .stream(_, let content): values[""] = content.map { "'" + $0 }
                default: break
                }
            }
            return values
        }

        /// Whether it sets one of the values that an update sets.
        func sets(_ update: Request) -> Bool {
            !Set(values.keys).isDisjoint(with: update.values.keys)
        }

        var isBad: Bool { values.values.contains { $0.hasPrefix("'bad") } }
    }

    /// What the service refuses.
    enum Mood: CaseIterable {
        case nothing, badValues, deletions, links
    }

    /// The service as it was seen last, and as it is.
    var base = PlainWorld()
    var server = PlainWorld()
    private var requests = PlainQueue<Request>()
    /// Entities whose change was carried out and has not come down yet.
    var unseen: Set<ID> = []
    /// Uploaded ones that go once nothing refers to them.
    private var removing: Set<ID> = []

    var queue: [Request] { requests.requests }

    var visible: PlainWorld {
        var world = base
        for request in queue { world.apply(request.effects) }
        return world
    }

    /// Links that waiting requests make, whether they are seen or not.
    var addedLinks: Set<PlainWorld.Link> {
        Set(
            queue.flatMap(\.effects).compactMap {
                if case .link(let link, isAdded: true) = $0 { link } else { nil }
            }
        )
    }

    // MARK: States

    func requests(on id: ID) -> [Request] { requests.requests(on: id) }

    func states(_ id: ID) -> String {
        let own = requests(on: id)
        let isFailed = own.contains { $0.status == .failed }
        return [unseen.contains(id) || !own.isEmpty, !own.isEmpty, isFailed]
            .map { $0 ? "1" : "0" }.joined()
    }

    // MARK: Local changes

    mutating func add(_ request: Request) {
        switch request.kind {
        case .values: if correct(request) { return }
        case .deletion:
            let isGone = requests.dropFailed(request.affected)
            release([request.affected])
            if isGone { return }
        case .stream(let name): if correctStream(request, name) { return }
        default: break
        }
        requests.append(request, leaving: leaves)
    }

    /// The entities from which a request takes others away: those that the service knows with their keys, and other ends of links.
    private func leaves(_ request: Request) -> Set<ID> {
        var left: Set<ID> = []
        for effect in request.effects {
            switch effect {
            case .set(let id, let name, _): left.formUnion(principals(of: id, by: name))
            case .delete(let id):
                for name in ["BossID", "OwnerID", "PersonID"] {
                    left.formUnion(principals(of: id, by: name))
                }
            case .link(let link, isAdded: false) where request.deleted.isEmpty:
                left.formUnion([link.from, link.to])
            case .insert, .link, .stream: break
            }
        }
        return left
    }

    private func principals(of id: ID, by name: String) -> [ID] {
        // What is created here will be known as it is created.
        let made = queue.flatMap(\.effects).compactMap { effect in
            if case .insert(id, let values) = effect { values } else { nil }
        }
        guard ["BossID", "OwnerID", "PersonID"].contains(name),
            let key = base.entities[id]?[name] ?? made.first?[name], key != "null"
        else { return [] }
        return visible.ids("People").filter { visible.entities[$0]?["ID"] == key }
    }

    /// An update of an entity whose request was refused corrects that request.
    ///
    /// What a later request of the entity sets too comes behind it as well, and so does a replacement.
    private mutating func correct(_ update: Request) -> Bool {
        let own = requests.own(update.affected)
        guard let failed = own.first(where: { $0.status == .failed }),
            failed.kind == .values || failed.kind == .creation,
            // What was made from a stream carries no values.
            !failed.effects.contains(where: { if case .stream = $0 { true } else { false } })
        else { return false }
        let later = own.drop { $0.id != failed.id }.dropFirst()
        let isReplacing = update.effects.count > 1
        let isLast = later.isEmpty || !isReplacing && !later.contains { $0.sets(update) }
        guard isLast || isReplacing || failed.kind == .creation || failed.sets(update) else {
            return false
        }
        requests.correct(failed.id) {
            $0.effects += isLast ? update.effects : update.effects.filter { $0.link == nil }
        }
        return isLast
    }

    private mutating func correctStream(_ change: Request, _ name: String) -> Bool {
        // Changes of values stand in no order with the content.
        let own = requests.own(change.affected).filter { request in
            request.effects.contains {
                if case .stream(let stream, _) = $0 { stream.name == name } else { false }
            }
        }
        guard let refused = own.first(where: { $0.status == .failed }),
            own.last?.id == refused.id,
            case .stream(_, let content)? = change.effects.last,
            !(refused.kind == .creation && content == nil)
        else { return false }
        requests.correct(refused.id) {
            $0.effects.removeAll { if case .stream = $0 { true } else { false } }
            $0.effects += change.effects
        }
        return true
    }

    // MARK: Queue and archive

    /// Gives a request other values.
    mutating func edit(_ id: Int, _ effects: [PlainWorld.Effect]) {
        requests.change(id) { $0.effects = effects }
        release(Set(effects.compactMap(\.id)))
        retry(id)
    }

    mutating func drop(_ ids: Set<Int>) {
        let gone = requests.closure(ids)
        let touched = Set(queue.filter { gone.contains($0.id) }.flatMap(\.rows))
        requests.drop(ids)
        release(touched)
    }

    /// What holds the key of somebody whose deletion waits once more gets what that deletion means, with it.
    private mutating func release(_ ids: Set<ID>) {
        for id in ids.sorted() {
            let world = visible
            guard let (name, released) = PlainWorld.keyOfPrincipal(in: PlainWorld.set(of: id)),
                let key = world.entities[id]?[name], key != released,
                world.entities["People(\(key))"] == nil,
                let deletion = queue.last(where: { $0.deleted.contains("People(\(key))") })
            else { continue }
            requests.change(deletion.id) { $0.effects.append(.set(id, name, released)) }
        }
    }

    mutating func retry(_ id: Int) { requests.retry(id) }

    // MARK: Synchronisation

    mutating func upload(_ mood: Mood) {
        while let next = requests.ready.first {
            if isRefused(next, mood) { requests.fail(next.id) } else { succeed(next) }
        }
    }

    private func isRefused(_ request: Request, _ mood: Mood) -> Bool {
        switch mood {
        case .nothing: false
        case .badValues: request.isBad
        case .deletions: request.kind == .deletion
        case .links: request.kind == .link
        }
    }

    private mutating func succeed(_ request: Request) {
        base.apply(request.effects)
        // The service knows of relations that are not here: it does itself what a deletion means.
        server.apply(
            request.kind == .deletion ? server.deletion(of: request.affected) : request.effects
        )
        unseen.formUnion(request.rows)
        if request.isRemoved { removing.formUnion(request.created) }
        requests.finish(request.id)
        for id in removing
        where !queue.contains(where: { $0.rows.union($0.referred).contains(id) }) {
            removing.remove(id)
            let contained = base.ids("Notes").filter { $0.hasPrefix(id + "/") }
            base.apply((contained + [id]).map { .delete($0) })
        }
    }

    mutating func download() {
        // Stream properties are not downloaded: what was set here stays known.
        let known = base.streams.filter {
            !$0.key.name.isEmpty && server.entities[$0.key.owner] != nil
        }
        base = server
        base.streams = base.streams.filter { $0.key.name.isEmpty }.merging(known) { $1 }
        unseen = []
        // What a download has brought stays: the queries would not bring it again.
        removing = []
    }
}
