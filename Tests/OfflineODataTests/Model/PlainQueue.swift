/// A request of a plain store, in terms of the entities and links that it is about.
protocol PlainRequest {
    associatedtype Row: Hashable
    associatedtype Link: Hashable

    var id: Int { get set }
    var status: PlainStatus { get set }
    /// Requests that it waits for.
    var dependsOn: Set<Int> { get set }
    /// Requests behind which it goes, and which it has its object without.
    var follows: Set<Int> { get set }
    /// Entities that it creates, changes or deletes.
    var rows: Set<Row> { get }
    /// Links that it makes or ends.
    var links: Set<Link> { get }
    /// Entities that it names besides.
    var referred: Set<Row> { get }
    /// Entities whose last request goes before it.
    var followed: Set<Row> { get }
    var created: Set<Row> { get }
    var deleted: Set<Row> { get }
    /// The entity whose change it is; nil where it changes nothing itself.
    var owner: Row? { get }
}

enum PlainStatus {
    case pending, failed, parked
}

/// The requests of a plain store in their order: what waits for what, what was refused, what is parked for that.
struct PlainQueue<Request: PlainRequest> {
    private(set) var requests: [Request] = []
    private var lastID = 0

    /// Requests that create, change or delete an entity.
    func requests(on row: Request.Row) -> [Request] { requests.filter { $0.rows.contains(row) } }

    /// Requests that wait for nothing.
    var ready: [Request] {
        requests.filter { $0.status == .pending && $0.dependsOn.union($0.follows).isEmpty }
    }

    private func place(_ id: Int) -> Int? { requests.firstIndex { $0.id == id } }

    // MARK: Adding

    /// - Parameter leaving: The entities from which a request takes others away: their deletion goes behind it.
    mutating func append(_ added: Request, leaving: (Request) -> Set<Request.Row> = { _ in [] }) {
        lastID += 1
        var request = added
        request.id = lastID
        request.dependsOn = dependencies(of: request)
        let leavers = requests.filter { !leaving($0).isDisjoint(with: request.deleted) }
        request.follows = Set(leavers.map(\.id)).subtracting(request.dependsOn)
        let isBlocked = requests.contains {
            request.dependsOn.union(request.follows).contains($0.id) && $0.status != .pending
        }
        if isBlocked { request.status = .parked }
        requests.append(request)
    }

    /// The last change of each entity and link, the creation of each entity that is named, for a deletion whatever names the entity.
    private func dependencies(of request: Request) -> Set<Int> {
        let last =
            request.followed.compactMap { requests(on: $0).last }
            + request.links.compactMap { link in requests.last { $0.links.contains(link) } }
        let creators = request.referred.compactMap { row in
            requests.first { $0.created.contains(row) }
        }
        let naming = requests.filter {
            !$0.rows.union($0.referred).isDisjoint(with: request.deleted)
        }
        return Set((last + creators + naming).map(\.id))
    }

    // MARK: Corrections

    /// The changes of an entity itself.
    func own(_ row: Request.Row) -> [Request] { requests.filter { $0.owner == row } }

    /// Gives a request other contents.
    mutating func change(_ id: Int, _ change: (inout Request) -> Void) {
        guard let place = place(id) else { return }
        change(&requests[place])
    }

    /// Corrects a refused request, which waits again then.
    mutating func correct(_ id: Int, _ correction: (inout Request) -> Void) {
        change(id) {
            correction(&$0)
            $0.status = .pending
        }
        unpark()
    }

    /// Takes back the refused change of an entity that is to be deleted; answers whether the service never saw the entity.
    mutating func dropFailed(_ row: Request.Row) -> Bool {
        let own = own(row)
        guard let failed = own.first(where: { $0.status == .failed }) else { return false }
        let closure = closure([failed.id])
        guard closure.isSubset(of: own.map(\.id)) else { return false }
        drop(closure)
        return failed.created.contains(row)
    }

    // MARK: Taking back

    /// Requests with those that have no object without them; with those that wait for them, where that is asked for.
    func closure(_ ids: Set<Int>, withFollowers: Bool = false) -> Set<Int> {
        var closure = ids
        while true {
            let more = requests.filter {
                !$0.dependsOn.union(withFollowers ? $0.follows : []).isDisjoint(with: closure)
            }
            .map(\.id)
            guard !closure.isSuperset(of: more) else { return closure }
            closure.formUnion(more)
        }
    }

    mutating func drop(_ ids: Set<Int>) {
        let gone = closure(ids)
        requests.removeAll { gone.contains($0.id) }
        for index in requests.indices {
            requests[index].dependsOn.subtract(gone)
            requests[index].follows.subtract(gone)
        }
        unpark()
    }

    mutating func retry(_ id: Int) {
        change(id) { $0.status = .pending }
        if blocked.contains(id) { change(id) { $0.status = .parked } }
        unpark()
    }

    private var blocked: Set<Int> {
        closure(Set(requests.filter { $0.status == .failed }.map(\.id)), withFollowers: true)
    }

    private mutating func unpark() {
        let blocked = blocked
        for index in requests.indices
        where requests[index].status == .parked && !blocked.contains(requests[index].id) {
            requests[index].status = .pending
        }
    }

    // MARK: Answers

    mutating func fail(_ id: Int) {
        let blocked = closure([id], withFollowers: true)
        for index in requests.indices where blocked.contains(requests[index].id) {
            requests[index].status = requests[index].id == id ? .failed : .parked
        }
    }

    mutating func finish(_ id: Int) {
        requests.removeAll { $0.id == id }
        for index in requests.indices {
            requests[index].dependsOn.remove(id)
            requests[index].follows.remove(id)
        }
    }
}
