import ODataValues
import ODataHTTP
import Synchronization
import TestSupport

/// A service of the workshop's model that is nothing but a plain world and a reader of URLs; it takes no batches.
final class PlainService: HTTPHandler {
    struct State {
        var world = PlainWorld()
        var mood = PlainStore.Mood.nothing
        var lastPhoto = 0
    }

    private let state = Mutex(State())

    static let path = "/odata/"

    /// Looks at the state, or changes it past every store.
    func with<R: Sendable>(_ body: (inout State) -> sending R) -> R {
        state.guarded { body(&$0) }
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard request.url.hasPrefix(Self.path) else { return HTTPResponse(status: 404) }
        let target = request.url.dropFirst(Self.path.count)
        let parts = target.split(separator: "?", maxSplits: 1).map { Self.decoded(String($0)) }
        let path = parts.first ?? ""
        if path == "$metadata" {
            return Self.answer(200, WorkshopModel.metadata, type: "application/xml")
        }
        if path == "$batch" { return HTTPResponse(status: 501) }
        let query = parts.count > 1 ? parts[1] : ""
        return with { state in
            request.method == "GET"
                ? Self.read(path, state.world) : Self.change(request, path, query, &state)
        }
    }

    private static func decoded(_ text: String) -> String {
        text.replacing("%24", with: "$").replacing("%27", with: "'").replacing("%28", with: "(")
            .replacing("%29", with: ")").replacing("%2F", with: "/").replacing("%3D", with: "=")
    }

    private static func answer(
        _ status: Int,
        _ text: String = "",
        type: String = "application/json",
        _ headers: HTTPHeaders = [:]
    ) -> HTTPResponse {
        var headers = headers
        headers["OData-Version"] = "4.0"
        if !text.isEmpty { headers["Content-Type"] = type }
        return HTTPResponse(status: status, headers: headers, body: Array(text.utf8))
    }

    private static func refused(_ status: Int, _ message: String) -> HTTPResponse {
        answer(status, "{\"error\":{\"code\":\"no\",\"message\":\"\(message)\"}}")
    }

    // MARK: Reading

    private static func read(_ path: String, _ world: PlainWorld) -> HTTPResponse {
        if path == "Me" { return answer(200, world.json("Me", isNested: false)) }
        if path.contains("(") {
            if path.hasSuffix("/$value") {
                let stream = PlainWorld.Stream(owner: String(path.dropLast(7)), name: "")
                return world.streams[stream].map { answer(200, $0, type: "text/plain") }
                    ?? HTTPResponse(status: 204)
            }
            return world.entities[path] == nil
                ? refused(404, "not here") : answer(200, world.json(path, isNested: true))
        }
        let items = world.ids(path).map { world.json($0, isNested: true) }
        return answer(200, "{\"value\":[\(items.joined(separator: ","))]}")
    }

    // MARK: Changing

    private static func change(
        _ request: HTTPRequest,
        _ path: String,
        _ query: String,
        _ state: inout State
    ) -> HTTPResponse {
        let isText = request.headers["Content-Type"]?.hasPrefix("text/plain") ?? false
        let text = String(decoding: request.body, as: UTF8.self)
        let isBad = text.contains("\"bad") || isText && text.hasPrefix("bad")
        if state.mood == .badValues, isBad { return refused(400, "refused") }
        if path.hasSuffix("/$ref") {
            if state.mood == .links { return refused(400, "no links") }
            return relate(request, String(path.dropLast(5)), query, &state.world)
        }
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        if last == "Picture" || last == "$value" {
            let owner = String(path.dropLast(last.count + 1))
            guard state.world.entities[owner] != nil else { return refused(404, "no owner") }
            let stream = PlainWorld.Stream(owner: owner, name: last == "$value" ? "" : last)
            state.world.apply(.stream(stream, request.method == "DELETE" ? nil : text))
            return HTTPResponse(status: 204)
        }
        if path.contains(".Promote") { return HTTPResponse(status: 204) }
        switch request.method {
        case "POST": return create(path, text, isText, &state)
        case "DELETE":
            guard state.world.entities[path] != nil else { return refused(404, "gone") }
            if state.mood == .deletions { return refused(400, "no deletions") }
            state.world.apply(state.world.deletion(of: path))
            return HTTPResponse(status: 204)
        default: return update(request, path, text, &state.world)
        }
    }

    private static func create(
        _ path: String,
        _ text: String,
        _ isText: Bool,
        _ state: inout State
    ) -> HTTPResponse {
        if isText {
            state.lastPhoto += 1
            let id = "Photos(\(state.lastPhoto))"
            let values = PlainWorld.values("Photos", ["ID": String(state.lastPhoto)])
            state.world.apply([
                .insert(id, values), .stream(.init(owner: id, name: ""), text),
            ])
            return created(id, state.world)
        }
        guard let json = try? JSONValue(text),
            let effects = creation(path, json, state.world), let id = effects.first?.id
        else { return refused(400, "not understood") }
        for case .insert(let id, _) in effects where state.world.entities[id] != nil {
            return refused(409, "there already")
        }
        state.world.apply(effects)
        return created(id, state.world)
    }

    private static func created(_ id: String, _ world: PlainWorld) -> HTTPResponse {
        answer(
            201,
            world.json(id, isNested: false),
            ["Location": "http://service.test\(path)\(id)"]
        )
    }

    /// What a POST makes: an entity of a set or below another one, with those inline.
    private static func creation(
        _ path: String,
        _ json: JSONValue,
        _ world: PlainWorld
    ) -> [PlainWorld.Effect]? {
        let set = path.split(separator: "/").last.map(String.init) ?? path
        var given = json.plainValues
        let key = set == "Notes" ? "Number" : set == "Tools" ? "Serial" : "ID"
        guard let value = given[key] else { return nil }
        let owner = path.contains("/") ? String(path.dropLast(set.count + 1)) : nil
        if let owner {
            guard let ownKey = world.entities[owner]?["ID"] else { return nil }
            if set == "Jobs" { given["PersonID"] = ownKey }
        }
        if let boss = json["Boss@odata.bind"]?.plainText {
            guard let found = world.entities[id(boss)]?["ID"] else { return nil }
            given["BossID"] = found
        }
        let parent = set == "Notes" ? (owner ?? "") + "/" : ""
        let id = "\(parent)\(set)(\(value))"
        var effects: [PlainWorld.Effect] = [.insert(id, PlainWorld.values(set, given))]
        var inner = world
        inner.apply(effects)
        for name in ["Jobs", "Notes"] {
            for item in json[name]?.items ?? [] {
                guard let more = creation(id + "/" + name, item, inner) else { return nil }
                effects += more
            }
        }
        return effects
    }

    private static func update(
        _ request: HTTPRequest,
        _ path: String,
        _ text: String,
        _ world: inout PlainWorld
    ) -> HTTPResponse {
        guard let json = try? JSONValue(text) else { return refused(400, "no JSON") }
        var given = json.plainValues
        given["@odata.type"] = nil
        guard let present = world.entities[path] else {
            guard request.headers["If-Match"] == nil, path.hasPrefix("Tools('") else {
                return refused(404, "not here")
            }
            given["Serial"] = String(path.dropFirst(6).dropLast())
            world.apply(.insert(path, PlainWorld.values("Tools", given)))
            return created(path, world)
        }
        if request.headers["If-None-Match"] == "*" { return refused(412, "there already") }
        if let boss = json["Boss@odata.bind"]?.plainText {
            guard let key = world.entities[id(boss)]?["ID"] else { return refused(400, "no boss") }
            given["BossID"] = key
        }
        _ = present
        if request.method == "PUT" {
            world.apply(world.replacement(path, given))
        } else {
            world.apply(given.sorted { $0.key < $1.key }.map { .set(path, $0.key, $0.value) })
        }
        return HTTPResponse(status: 204)
    }

    // MARK: Relations

    private static func relate(
        _ request: HTTPRequest,
        _ path: String,
        _ query: String,
        _ world: inout PlainWorld
    ) -> HTTPResponse {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let owner = String(path.dropLast(name.count + 1))
        guard world.entities[owner] != nil else { return refused(404, "no owner") }
        let body = try? JSONValue(request.body)
        let named =
            body?["@odata.id"]?.plainText
            ?? (query.hasPrefix("$id=") ? String(query.dropFirst(4)) : nil)
        let target = named.map(id)
        if let target, world.entities[target] == nil { return refused(404, "no \(target)") }
        switch (name, request.method, target) {
        case ("Friends", "POST", let target?):
            world.apply(.link(.init(name: name, from: owner, to: target), isAdded: true))
        case ("Friends", "DELETE", let target?):
            world.apply(.link(.init(name: name, from: owner, to: target), isAdded: false))
        case ("Boss", "PUT", _?), ("Rival", "PUT", _?), ("Boss", "DELETE", nil),
            ("Rival", "DELETE", nil):
            world.apply(world.relation(owner, name, to: target))
        default: return refused(400, "no such relation")
        }
        return HTTPResponse(status: 204)
    }

    /// The id that a reference means.
    private static func id(_ reference: String) -> String {
        var text = decoded(reference)
        if let root = text.firstRange(of: path) { text = String(text[root.upperBound...]) }
        return text.hasPrefix("/") ? String(text.dropFirst()) : text
    }
}

// MARK: - JSON

extension PlainWorld {
    /// An entity as a service writes it, with what a first level of expands brings.
    func json(_ id: ID, isNested: Bool) -> String {
        guard let values = entities[id] else { return "null" }
        let set = Self.set(of: id)
        var members = values.sorted { $0.key < $1.key }.map { name, value in
            "\"\(name)\":\(value.hasPrefix("'") ? "\"\(value.dropFirst().dropLast())\"" : value)"
        }
        if set == "People" || set == "Me" {
            for name in ["Level", "Code", "Seen", "Rank", "Key", "Born", "Home"] {
                members.append("\"\(name)\":null")
            }
            members.append("\"Nicks\":[]")
        }
        if set == "People", isNested {
            let friends = links.filter { $0.name == "Friends" && $0.from == id }.map(\.to).sorted()
            let rival = links.first { $0.name == "Rival" && $0.from == id }?.to
            let notes = ids("Notes").filter { $0.hasPrefix(id + "/") }
            for (name, targets) in [("Friends", friends), ("Notes", notes)] {
                let items = targets.map { json($0, isNested: false) }
                members.append("\"\(name)\":[\(items.joined(separator: ","))]")
            }
            members.append("\"Rival\":\(rival.map { json($0, isNested: false) } ?? "null")")
        }
        return "{\(members.joined(separator: ","))}"
    }
}

extension JSONValue {
    /// The text of a string; nil for other values.
    var plainText: String? {
        if case .string(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// The members of an object that are values of properties.
    var plainValues: PlainWorld.Values {
        var values: PlainWorld.Values = [:]
        for (name, value) in members {
            if name.hasPrefix("@"), name != "@odata.type" { continue }
            if name.contains("@"), !name.hasPrefix("@") { continue }
            switch value {
            case .object, .array: continue
            default: values[name] = value.text
            }
        }
        return values
    }
}
