/// What a store should hold, in the plainest terms: what the service was seen to have, with the waiting changes laid over it.
struct PlainModel {
    typealias Handle = Int

    enum Kind: CaseIterable {
        case order, part, task
    }

    struct Entity: Equatable {
        var kind: Kind
        var text: String
        var number: Int
        /// The order of a task.
        var parent: Handle?
    }

    struct Link: Hashable {
        var order: Handle
        var part: Handle
    }

    struct World: Equatable {
        var entities: [Handle: Entity] = [:]
        var links: Set<Link> = []

        /// An entity and the tasks that go with it.
        func family(of handle: Handle) -> Set<Handle> {
            Set([handle] + entities.filter { $0.value.parent == handle }.keys)
        }

        mutating func apply(_ change: Change) {
            switch change {
            case .create(let handle, let entity): entities[handle] = entity
            case .update(let handle, let text, let number):
                if let text { entities[handle]?.text = text }
                if let number { entities[handle]?.number = number }
            case .delete(let handle, _):
                let gone = family(of: handle)
                for handle in gone { entities[handle] = nil }
                links = links.filter { !gone.contains($0.order) && !gone.contains($0.part) }
            case .link(let link, _): links.insert(link)
            case .unlink(let link, _): links.remove(link)
            }
        }
    }

    enum Change: Equatable {
        case create(Handle, Entity)
        case update(Handle, text: String?, number: Int?)
        /// The entity with all that goes with it, and the links that go.
        case delete(Handle, Gone)
        /// Made from the order or from the part.
        case link(Link, from: Kind)
        case unlink(Link, from: Kind)
    }

    struct Gone: Equatable {
        var rows: Set<Handle>
        var links: Set<Link>
        /// The order of a task.
        var owner: Handle?
    }

    struct Request: PlainRequest {
        var id = 0
        var change: Change
        var status = PlainStatus.pending
        var dependsOn: Set<Int> = []
        var follows: Set<Int> = []

        var rows: Set<Handle> { change.rows }
        var links: Set<Link> { change.links }
        var referred: Set<Handle> { change.referred }
        var followed: Set<Handle> { change.rows }
        var owner: Handle? { change.affected }

        var created: Set<Handle> {
            if case .create(let handle, _) = change { [handle] } else { [] }
        }

        var deleted: Set<Handle> {
            if case .delete(_, let gone) = change { gone.rows } else { [] }
        }
    }

    /// The service as it was seen last.
    var base = World()
    /// The service.
    var server = World()
    private var requests = PlainQueue<Request>()
    /// Entities whose change was carried out and has not come down yet.
    var unseen: Set<Handle> = []

    var queue: [Request] { requests.requests }

    var visible: World {
        var world = base
        for request in queue { world.apply(request.change) }
        return world
    }

    // MARK: States

    /// Requests that create, change or delete an entity, or change its links.
    func requests(on handle: Handle) -> [Request] {
        requests.requests(on: handle)
    }

    func isLocal(_ handle: Handle) -> Bool {
        unseen.contains(handle) || !requests(on: handle).isEmpty
    }

    // MARK: Local changes

    mutating func change(_ change: Change) {
        switch change {
        case .update(let handle, let text, let number):
            guard let rest = correct(handle, text, number) else { return }
            requests.append(Request(change: .update(handle, text: rest.text, number: rest.number)))
            return
        case .delete(let handle, _):
            if requests.dropFailed(handle) { return }
        default: break
        }
        requests.append(Request(change: change))
    }

    /// Corrects the refused request of an entity; answers what comes behind those that wait, nil where nothing does.
    private mutating func correct(_ handle: Handle, _ text: String?, _ number: Int?)
        -> (text: String?, number: Int?)?
    {
        let own = requests.own(handle)
        guard let place = own.firstIndex(where: { $0.status == .failed }) else {
            return (text, number)
        }
        let (failed, later) = (own[place], own[(place + 1)...])
        let claimsText = later.contains { $0.change.values.text != nil }
        let claimsNumber = later.contains { $0.change.values.number != nil }
        merge(claimsText ? nil : text, claimsNumber ? nil : number, into: failed)
        let rest = (text: claimsText ? text : nil, number: claimsNumber ? number : nil)
        guard rest.text != nil || rest.number != nil else { return nil }
        let said = failed.change.values
        merge(
            said.text == nil ? nil : rest.text,
            said.number == nil ? nil : rest.number,
            into: failed
        )
        return rest
    }

    private mutating func merge(_ text: String?, _ number: Int?, into failed: Request) {
        guard text != nil || number != nil else { return }
        requests.correct(failed.id) { $0.change.merge(text, number) }
    }

    // MARK: Queue and archive

    mutating func drop(_ ids: Set<Int>) { requests.drop(ids) }

    mutating func undo(_ handle: Handle) {
        drop(Set(requests(on: handle).map(\.id)))
    }

    mutating func retry(_ id: Int) { requests.retry(id) }

    // MARK: Synchronisation

    mutating func upload(refusing: Bool) {
        while true {
            let round = requests.ready
            if round.isEmpty { return }
            for request in round {
                if refusing, request.change.isBad {
                    requests.fail(request.id)
                } else {
                    succeed(request)
                }
            }
        }
    }

    private mutating func succeed(_ request: Request) {
        base.apply(request.change)
        server.apply(request.change)
        if let row = request.change.changedRow { unseen.insert(row) }
        requests.finish(request.id)
    }

    mutating func download() {
        base = server
        unseen = []
    }
}

extension PlainModel.Change {
    var affected: Int {
        switch self {
        case .create(let handle, _), .update(let handle, _, _), .delete(let handle, _): handle
        case .link(let link, let side), .unlink(let link, let side):
            side == .part ? link.part : link.order
        }
    }

    /// Entities that the change is about.
    var rows: Set<Int> {
        if case .delete(_, let gone) = self { gone.rows } else { [affected] }
    }

    var links: Set<PlainModel.Link> {
        switch self {
        case .delete(_, let gone): gone.links
        case .link(let link, _), .unlink(let link, _): [link]
        default: []
        }
    }

    /// Entities that it names besides.
    var referred: Set<Int> {
        switch self {
        case .create(_, let entity): Set([entity.parent].compactMap { $0 })
        case .link(let link, _), .unlink(let link, _): [link.order, link.part]
        // An order takes its tasks along: who deletes it later refers to what was done to them.
        case .delete(_, let gone): Set([gone.owner].compactMap { $0 })
        default: []
        }
    }

    /// The entity whose row was written.
    var changedRow: Int? {
        if case .delete = self { nil } else { affected }
    }

    var isBad: Bool {
        switch self {
        case .create(_, let entity): entity.text.hasPrefix("bad")
        case .update(_, let text, _): text?.hasPrefix("bad") ?? false
        default: false
        }
    }

    /// The values that it sets; a creation sets all.
    var values: (text: String?, number: Int?) {
        switch self {
        case .create(_, let entity): (entity.text, entity.number)
        case .update(_, let text, let number): (text, number)
        default: (nil, nil)
        }
    }

    mutating func merge(_ text: String?, _ number: Int?) {
        switch self {
        case .create(let handle, var entity):
            entity.text = text ?? entity.text
            entity.number = number ?? entity.number
            self = .create(handle, entity)
        case .update(let handle, let oldText, let oldNumber):
            self = .update(handle, text: text ?? oldText, number: number ?? oldNumber)
        default: break
        }
    }
}
