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

    enum Status {
        case pending, failed, parked
    }

    struct Request {
        var id: Int
        var change: Change
        var status = Status.pending
        var dependsOn: Set<Int> = []
    }

    /// The service as it was seen last.
    var base = World()
    /// The service.
    var server = World()
    var queue: [Request] = []
    /// Entities whose change was carried out and has not come down yet.
    var unseen: Set<Handle> = []
    private var lastID = 0

    var visible: World {
        var world = base
        for request in queue { world.apply(request.change) }
        return world
    }

    // MARK: States

    /// Requests that create, change or delete an entity, or change its links.
    func requests(on handle: Handle) -> [Request] {
        queue.filter { $0.change.rows.contains(handle) }
    }

    func isLocal(_ handle: Handle) -> Bool {
        unseen.contains(handle) || !requests(on: handle).isEmpty
    }

    // MARK: Local changes

    mutating func change(_ change: Change) {
        switch change {
        case .update(let handle, let text, let number):
            if correct(handle, text, number) { return }
        case .delete(let handle, _):
            if dropFailed(handle) { return }
        default: break
        }
        append(change)
    }

    private mutating func append(_ change: Change) {
        lastID += 1
        var request = Request(id: lastID, change: change)
        for row in change.rows {
            if let last = requests(on: row).last { request.dependsOn.insert(last.id) }
        }
        for link in change.links {
            if let last = queue.last(where: { $0.change.links.contains(link) }) {
                request.dependsOn.insert(last.id)
            }
        }
        for row in change.referred {
            if let creator = queue.first(where: { $0.change.created == row }) {
                request.dependsOn.insert(creator.id)
            }
        }
        if case .delete(_, let gone) = change {
            for other in queue
            where !other.change.rows.union(other.change.referred).isDisjoint(with: gone.rows) {
                request.dependsOn.insert(other.id)
            }
        }
        let blocking = queue.filter { request.dependsOn.contains($0.id) && $0.status != .pending }
        if !blocking.isEmpty { request.status = .parked }
        queue.append(request)
    }

    private mutating func correct(_ handle: Handle, _ text: String?, _ number: Int?) -> Bool {
        let own = queue.filter { $0.change.affected == handle }
        guard let failed = own.first(where: { $0.status == .failed }),
            let index = queue.firstIndex(where: { $0.id == failed.id })
        else { return false }
        queue[index].change.merge(text, number)
        queue[index].status = .pending
        unpark()
        return own.last?.id == failed.id
    }

    private mutating func dropFailed(_ handle: Handle) -> Bool {
        let own = queue.filter { $0.change.affected == handle }
        guard let failed = own.first(where: { $0.status == .failed }) else { return false }
        let closure = closure([failed.id])
        guard closure.isSubset(of: own.map(\.id)) else { return false }
        drop(closure)
        return failed.change.created == handle
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

    mutating func undo(_ handle: Handle) {
        drop(Set(requests(on: handle).map(\.id)))
    }

    mutating func retry(_ id: Int) {
        guard let index = queue.firstIndex(where: { $0.id == id }) else { return }
        queue[index].status = .pending
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

    mutating func upload(refusing: Bool) {
        while true {
            let round = queue.filter { $0.status == .pending && $0.dependsOn.isEmpty }
            if round.isEmpty { return }
            for request in round {
                if refusing, request.change.isBad {
                    fail(request.id)
                } else {
                    succeed(request)
                }
            }
        }
    }

    private mutating func fail(_ id: Int) {
        let blocked = closure([id])
        for index in queue.indices where blocked.contains(queue[index].id) {
            queue[index].status = queue[index].id == id ? .failed : .parked
        }
    }

    private mutating func succeed(_ request: Request) {
        base.apply(request.change)
        server.apply(request.change)
        if let row = request.change.changedRow { unseen.insert(row) }
        queue.removeAll { $0.id == request.id }
        for index in queue.indices { queue[index].dependsOn.remove(request.id) }
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

    var created: Int? {
        if case .create(let handle, _) = self { handle } else { nil }
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
