import ODataHTTP
import OfflineOData
import Synchronization

/// A service of items with ETags, each a number that grows with every change; written by hand, line by line.
final class VersionedItems: Sendable {
    struct Item: Sendable, Equatable {
        var name: String
        var note = "-"
        var modified = "2001-09-09T01:00:00Z"
        var version = 1
        /// The item that `Parent` leads to.
        var parent: Int?
    }

    private let state = Mutex<[Int: Item]>([:])

    init(_ items: [Int: String] = [1: "one", 2: "two"]) {
        state.guarded { $0 = items.mapValues { Item(name: $0) } }
    }

    var items: [Int: Item] { state.guarded { $0 } }

    /// Somebody else changes an item.
    func change(_ id: Int, _ change: @Sendable (inout Item) -> Void) {
        state.guarded { items in
            guard var item = items[id] else { return }
            change(&item)
            item.version += 1
            items[id] = item
        }
    }

    func delete(_ id: Int) { state.guarded { $0[id] = nil } }
    func create(_ id: Int, _ item: Item) { state.guarded { $0[id] = item } }

    var answer: LiteralService.Answer { { [self] request in respond(request) } }

    private func respond(_ request: HTTPRequest) -> HTTPResponse? {
        let path = request.url.dropFirst("/odata/".count).prefix { $0 != "?" }
        guard path.hasPrefix("Items") else { return nil }
        guard let open = path.firstIndex(of: "(") else {
            return request.method == "POST" ? post(request) : list()
        }
        let id = Int(path[path.index(after: open)...].prefix { $0 != ")" }) ?? 0
        guard let item = items[id] else { return LiteralService.json("{}", status: 404) }
        if request.method == "GET", path.hasSuffix("/Parent") {
            guard let parent = item.parent, let found = items[parent] else {
                return HTTPResponse(status: 204)
            }
            return one(parent, found, 200)
        }
        if request.method == "GET" { return one(id, item, 200) }
        // Links have no ETags: the last write wins.
        if path.hasSuffix("/Parent/$ref") { return link(id, request) }
        let match = request.headers["If-Match"]
        guard match == "*" || match == "\"\(item.version)\"" else {
            return LiteralService.json("{}", status: 412)
        }
        guard request.method != "DELETE" else {
            delete(id)
            return HTTPResponse(status: 204)
        }
        take(request, id)
        return items[id].map { one(id, $0, 200) }
    }

    /// Sets or ends the relation to another item, which must be there.
    private func link(_ id: Int, _ request: HTTPRequest) -> HTTPResponse? {
        let body = ODataValue(json: String(decoding: request.body, as: UTF8.self))
        let target = body?["@odata.id"]?.stringValue?.split(separator: "(").last
        let parent = target.flatMap { Int($0.dropLast()) }
        guard parent == nil || parent.flatMap({ items[$0] }) != nil else {
            return LiteralService.json("{}", status: 404)
        }
        change(id) { $0.parent = request.method == "DELETE" ? nil : parent }
        return HTTPResponse(status: 204)
    }

    private func post(_ request: HTTPRequest) -> HTTPResponse? {
        let body = ODataValue(json: String(decoding: request.body, as: UTF8.self))
        let id = body?["ID"]?.integerValue.map(Int.init) ?? 100
        guard items[id] == nil else { return LiteralService.json("{}", status: 409) }
        create(id, Item(name: "", version: 0))
        take(request, id)
        return items[id].map { one(id, $0, 201) }
    }

    private func take(_ request: HTTPRequest, _ id: Int) {
        guard let body = ODataValue(json: String(decoding: request.body, as: UTF8.self)) else {
            return
        }
        change(id) { item in
            if let name = body["Name"]?.stringValue { item.name = name }
            if let note = body["Note"]?.stringValue { item.note = note }
            if let time = body["Modified"]?.stringValue { item.modified = time }
        }
    }

    private func text(_ id: Int, _ item: Item) -> String {
        """
        "ID":\(id),"Name":"\(item.name)","Note":"\(item.note)","Modified":"\(item.modified)"
        """
    }

    private func one(_ id: Int, _ item: Item, _ status: Int) -> HTTPResponse {
        LiteralService.json(
            "{\"@odata.context\":\"http://service.localhost/odata/$metadata#Items/$entity\",\"@odata.etag\":\"\\\"\(item.version)\\\"\",\(text(id, item))}",
            [
                "ETag": "\"\(item.version)\"",
                "Location": "http://service.localhost/odata/Items(\(id))",
            ],
            status: status
        )
    }

    private func list() -> HTTPResponse {
        let all = items.sorted { $0.key < $1.key }.map { id, item in
            "{\"@odata.etag\":\"\\\"\(item.version)\\\"\",\(text(id, item))}"
        }
        return LiteralService.json(
            "{\"@odata.context\":\"http://service.localhost/odata/$metadata#Items\",\"value\":[\(all.joined(separator: ","))]}"
        )
    }
}
