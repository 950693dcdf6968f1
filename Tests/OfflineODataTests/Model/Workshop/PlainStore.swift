/// What a store should hold: what the service was seen to have, with the waiting requests laid over it.
struct PlainStore {
    typealias ID = PlainWorld.ID

    enum Status {
        case pending, failed, parked
    }

    enum Kind: Equatable {
        case creation, values, deletion, link, operation
        /// Of the stream of this name.
        case stream(String)
    }

    struct Request {
        var id = 0
        var kind: Kind
        var affected: ID
        var effects: [PlainWorld.Effect]
        /// Entities that it names besides.
        var referred: Set<ID> = []
        /// Whether the created entity goes after the upload.
        var isRemoved = false
        var status = Status.pending
        var dependsOn: Set<Int> = []

        var rows: Set<ID> { Set(effects.compactMap(\.id) + (kind == .operation ? [] : [affected])) }
        var links: Set<PlainWorld.Link> { Set(effects.compactMap(\.link)) }
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

        var isBad: Bool { values.values.contains { $0.hasPrefix("'bad") } }
    }

    /// What the service refuses.
    enum Mood: CaseIterable {
        case nothing, badValues, deletions, links
    }

    /// The service as it was seen last, and as it is.
    var base = PlainWorld()
    var server = PlainWorld()
    var queue: [Request] = []
    /// Entities whose change was carried out and has not come down yet.
    var unseen: Set<ID> = []
    /// Uploaded ones that go once nothing refers to them.
    private var removing: Set<ID> = []
    private var lastID = 0

    var visible: PlainWorld {
        var world = base
        for request in queue { world.apply(request.effects) }
        return world
    }

    // MARK: States

    func requests(on id: ID) -> [Request] { queue.filter { $0.rows.contains(id) } }

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
        case .deletion: if dropFailed(request.affected) { return }
        case .stream(let name): if correctStream(request, name) { return }
        default: break
        }
        append(request)
    }

    private mutating func append(_ added: Request) {
        lastID += 1
        var request = added
        request.id = lastID
        for row in request.rows {
            if let last = requests(on: row).last { request.dependsOn.insert(last.id) }
        }
        for link in request.links {
            if let last = queue.last(where: { $0.links.contains(link) }) {
                request.dependsOn.insert(last.id)
            }
        }
        if request.kind == .operation, let last = requests(on: request.affected).last {
            request.dependsOn.insert(last.id)
        }
        for row in request.referred {
            if let creator = queue.first(where: { $0.created.contains(row) }) {
                request.dependsOn.insert(creator.id)
            }
        }
        for other in queue where !other.rows.union(other.referred).isDisjoint(with: request.deleted)
        {
            request.dependsOn.insert(other.id)
        }
        if queue.contains(where: { request.dependsOn.contains($0.id) && $0.status != .pending }) {
            request.status = .parked
        }
        queue.append(request)
    }

    private func own(_ id: ID) -> [Request] {
        queue.filter { $0.affected == id && $0.kind != .operation }
    }

    private func place(_ id: Int) -> Int? { queue.firstIndex { $0.id == id } }

    /// An update of an entity whose request was refused corrects that request.
    private mutating func correct(_ update: Request) -> Bool {
        let own = own(update.affected)
        guard let failed = own.first(where: { $0.status == .failed }),
            failed.kind == .values || failed.kind == .creation,
            // What was made from a stream carries no values.
            !failed.effects.contains(where: { if case .stream = $0 { true } else { false } }),
            let place = place(failed.id)
        else { return false }
        let isLast = own.last?.id == failed.id
        queue[place].effects += isLast ? update.effects : update.effects.filter { $0.link == nil }
        queue[place].status = .pending
        unpark()
        return isLast
    }

    private mutating func correctStream(_ change: Request, _ name: String) -> Bool {
        let own = own(change.affected)
        let refused = own.first { request in
            request.status == .failed
                && request.effects.contains {
                    if case .stream(let stream, _) = $0 { stream.name == name } else { false }
                }
        }
        guard let refused, let place = place(refused.id), own.last?.id == refused.id,
            case .stream(_, let content)? = change.effects.last,
            !(refused.kind == .creation && content == nil)
        else { return false }
        queue[place].effects.removeAll { if case .stream = $0 { true } else { false } }
        queue[place].effects += change.effects
        queue[place].status = .pending
        unpark()
        return true
    }

    private mutating func dropFailed(_ id: ID) -> Bool {
        let own = own(id)
        guard let failed = own.first(where: { $0.status == .failed }) else { return false }
        let closure = closure([failed.id])
        guard closure.isSubset(of: own.map(\.id)) else { return false }
        drop(closure)
        return failed.kind == .creation
    }

    /// Gives a request other values.
    mutating func edit(_ id: Int, _ effects: [PlainWorld.Effect]) {
        guard let place = place(id) else { return }
        queue[place].effects = effects
        retry(id)
    }

    // MARK: Taking back

    func closure(_ ids: Set<Int>) -> Set<Int> {
        var closure = ids
        while true {
            let more = queue.filter { !$0.dependsOn.isDisjoint(with: closure) }.map(\.id)
            guard !closure.isSuperset(of: more) else { return closure }
            closure.formUnion(more)
        }
    }

    mutating func drop(_ ids: Set<Int>) {
        let gone = closure(ids)
        queue.removeAll { gone.contains($0.id) }
        for index in queue.indices { queue[index].dependsOn.subtract(gone) }
        unpark()
    }

    mutating func retry(_ id: Int) {
        guard let place = place(id) else { return }
        queue[place].status = .pending
        let blocked = closure(Set(queue.filter { $0.status == .failed }.map(\.id)))
        if blocked.contains(id) { queue[place].status = .parked }
        unpark()
    }

    private mutating func unpark() {
        let blocked = closure(Set(queue.filter { $0.status == .failed }.map(\.id)))
        for index in queue.indices
        where queue[index].status == .parked && !blocked.contains(queue[index].id) {
            queue[index].status = .pending
        }
    }

    // MARK: Synchronisation

    mutating func upload(_ mood: Mood) {
        while let next = queue.first(where: { $0.status == .pending && $0.dependsOn.isEmpty }) {
            if isRefused(next, mood) { fail(next.id) } else { succeed(next) }
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

    private mutating func fail(_ id: Int) {
        let blocked = closure([id])
        for index in queue.indices where blocked.contains(queue[index].id) {
            queue[index].status = queue[index].id == id ? .failed : .parked
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
        queue.removeAll { $0.id == request.id }
        for index in queue.indices { queue[index].dependsOn.remove(request.id) }
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
    }
}
